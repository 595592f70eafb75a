"""What is looked at page by page: conversations in the order of time, and what was forgotten."""
