"""Turns, their journal and replies, and what belongs to a chat."""
