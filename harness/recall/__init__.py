"""Conversations with questions, and how well an answer to them was found."""
