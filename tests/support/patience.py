"""How long a test waits for what must come. A wait that ends well ends at once, so that a long one costs nothing; a
short one fails on a machine that is busy with other things, where nothing is wrong."""

PATIENCE = 90.0
"""Seconds; less than pytest's faulthandler_timeout, so that what did not come is told by the wait itself."""
