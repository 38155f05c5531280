"""What leaves the program as a file for others to read."""
