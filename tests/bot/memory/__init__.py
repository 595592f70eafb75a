"""Tests of what memory means: pure functions, no files and no network."""
