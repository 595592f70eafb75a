"""What is sent to Telegram: rendering, splitting, pacing, drafts."""
