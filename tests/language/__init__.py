"""Tests of what depends on a human language."""
