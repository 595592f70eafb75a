"""The bot's own words, one file per language."""
