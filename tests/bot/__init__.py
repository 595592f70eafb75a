"""Behaviour of the application."""
