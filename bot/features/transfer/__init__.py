"""Conversations from elsewhere, and memory to carry away: /import, /export."""
