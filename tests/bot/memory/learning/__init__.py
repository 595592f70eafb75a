"""Learning: what is worth keeping of what was said, found by rules."""
