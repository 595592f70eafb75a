"""Who may talk to the bot, and what it says of itself."""
