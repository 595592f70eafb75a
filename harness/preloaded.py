"""Imported by the process that others are forked from, so that they need not import what stands here again."""

from __future__ import annotations

from importlib import import_module

from bot.cli import one_thread_per_product

_MODULES = ("bot.compose.entry_points", "bot.compose.telegram", "memory_server.serve")


def preload() -> None:
    """Import what starting takes longest for; numpy reads the number of threads when it is imported."""
    one_thread_per_product()
    for name in _MODULES:
        import_module(name)
    import_module("memory_server.api.lightrag_api").load()


preload()
