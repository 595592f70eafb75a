"""Conversations from elsewhere, read from exported files: one reader per format, all giving the same messages."""
