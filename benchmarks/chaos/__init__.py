"""Kills whole processes at random times and counts what is lost and what is doubled."""
