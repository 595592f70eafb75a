"""Damaged files: found at start, saved row by row, made to fit together again."""
