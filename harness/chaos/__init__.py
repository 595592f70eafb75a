"""Storms: many chats, kills, lost replies, and what has to be true afterwards."""
