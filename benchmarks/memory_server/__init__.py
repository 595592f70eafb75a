"""Costs and limits of the memory server."""
