"""Fetches pages of the public web, and nothing of this machine or of the networks that it stands in."""
