"""What a chat settles for itself: /settings."""
