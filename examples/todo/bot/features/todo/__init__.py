"""A todo list for each memory: /todo."""
