"""Servers that behave like the real ones, faults included, over real HTTP."""
