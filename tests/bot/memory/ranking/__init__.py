"""Signals, ranking and fusion."""
