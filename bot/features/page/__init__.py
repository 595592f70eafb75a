"""The page of memory in a browser."""
