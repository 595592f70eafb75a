"""Learning: finds by rules what is worth keeping of what was said."""
