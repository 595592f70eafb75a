"""Serving, and what is done to a data folder that no server uses."""
