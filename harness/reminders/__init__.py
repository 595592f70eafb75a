"""Sentences that ask for reminders, as people write them, and what they mean."""
