"""What of memory stands in a prompt, and how."""
