"""The terminal doors."""
