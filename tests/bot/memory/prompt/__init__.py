"""The memory sections of a prompt."""
