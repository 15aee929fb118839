"""All tests, in a folder for each part, and their shared helpers."""
