"""Telegram against a strict fake of the Bot API over real HTTP."""
