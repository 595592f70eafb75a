"""Sending to Telegram: rendering, splitting, pacing, drafts."""
