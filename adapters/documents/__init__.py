"""Reads documents of many kinds, in a process of its own that has limits and no network."""
