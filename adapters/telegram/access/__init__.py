"""Access to the bot: allow lists, pairing codes, the bot's own profile."""
