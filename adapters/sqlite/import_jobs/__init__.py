"""Imports that were asked for: durable, so that a restart goes on with them."""
