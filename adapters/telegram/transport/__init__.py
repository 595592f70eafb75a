"""HTTP to the Bot API, its errors and its limits."""
