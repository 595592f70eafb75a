"""Messages from Telegram: polling, reading updates, letting them in."""
