"""Telegram through aiogram."""
