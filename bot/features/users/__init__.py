"""Who may talk to the bot: /users and ``mneme users``."""
