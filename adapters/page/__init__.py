"""The page of memory: what is remembered, to be looked at and changed in a browser."""
