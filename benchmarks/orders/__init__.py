"""Orders to lists, reminders and memory, their parts marked, and what is trained on them."""
