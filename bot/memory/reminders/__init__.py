"""How reminders repeat."""
