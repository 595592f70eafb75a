"""Structured memory."""
