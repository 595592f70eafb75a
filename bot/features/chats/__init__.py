"""What a chat settles for itself within what the operator allows: /settings."""
