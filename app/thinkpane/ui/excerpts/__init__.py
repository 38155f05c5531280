"""Parts of the prompt as pictures and pages."""
