"""Reminders: /remind."""
