"""Reminders: /remind, /reminders, sentences that ask for one, the model's tool, and the clock that says them."""
