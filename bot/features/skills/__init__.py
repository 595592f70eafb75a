"""What the assistant can be taught: skills that a conversation switches on and off by /skill."""
