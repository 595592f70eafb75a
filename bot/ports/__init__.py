"""Ports: one subject per file, its Protocol with the data it carries; implementations stand in adapters.

Every method is asynchronous, may be cancelled at any await, and raises only errors of :mod:`bot.errors`.
"""
