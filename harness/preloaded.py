"""Imported by the process that others are forked from, so that they need not make what stands here again."""

import gc
from importlib import import_module

from bot.cli import one_thread_per_product
from harness.forking import compile_patterns

_MODULES = ("bot.compose.entry_points", "bot.compose.telegram", "memory_server.serve")


def preload() -> None:
    """Import and compile what starting takes longest for; numpy reads the number of threads when it is imported."""
    one_thread_per_product()
    for name in _MODULES:
        import_module(name)
    import_module("memory_server.api.lightrag_api").load()
    for name in import_module("bot.compose.features").FEATURES:
        import_module(f"bot.features.{name}.register")
    compile_patterns()
    import_module("bot.memory.answering.answer").list_searches("Where does my sister live?")
    gc.freeze()  # pages that no collection touches stay shared


preload()
