"""Texts made to keep every pattern and text function busy, and whether the work grows faster than they do."""
