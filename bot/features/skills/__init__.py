"""What the assistant can be taught: /skill."""
