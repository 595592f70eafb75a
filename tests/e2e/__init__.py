"""Whole processes, as a user has them."""
