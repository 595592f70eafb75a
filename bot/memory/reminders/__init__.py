"""Reminders: what they are, how they repeat, when they come next."""
