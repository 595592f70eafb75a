"""What Telegram sends: polling, webhook, reading updates."""
