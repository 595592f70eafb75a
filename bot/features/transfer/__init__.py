"""Conversations from elsewhere into a memory, and a memory as a file to carry away: /import and /export."""
