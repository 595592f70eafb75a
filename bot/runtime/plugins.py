"""Code of others, by the entry points of installed packages.

    group               what the entry point is
    mneme.tools         a function without arguments that returns a Tool (bot/ports/tool.py)
    mneme.retrieval     a function of the store's Recall that returns a Recall (bot/ports/memory_store.py)
    mneme.rerankers     a function of RerankSettings that returns a Reranker (bot/ports/embedder.py)
    mneme.channels      an asynchronous function of the App and of what takes messages in that returns a Channel
                        (bot/runtime/channel.py)
    mneme.subscribers   a function without arguments that returns a Subscriber (bot/ports/events.py)

The memory server has plug-ins of its own (memory_server/options.py).
Nothing is loaded because it is installed: the settings name it.  What cannot be loaded is logged and left out.
https://packaging.python.org/en/latest/specifications/entry-points/
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

import structlog


def load_plugin(
    group: str, name: str, *arguments: object
) -> Any | None:  # Any: the group says which port it implements
    """Return what the entry point ``name`` makes of ``arguments``, ``None`` (and a line in the log) if it cannot."""
    try:
        return next((make(*arguments) for make in find_plugins(group, (name,))), None)
    except Exception as error:  # noqa: BLE001 - the edge to foreign code: it may raise anything when it is called
        structlog.get_logger().error("plug-in not loaded", group=group, name=name, cause=type(error).__name__)
        return None


def find_plugins(group: str, names: tuple[str, ...]) -> list[Callable[..., Any]]:  # Any: as above
    """Return the functions behind the entry points of these names; one that is not there is logged and left out."""
    found = []
    for name in names:
        entry = next(iter(entry_points(group=f"mneme.{group}", name=name)), None)
        if entry is None:
            structlog.get_logger().error("plug-in not found", group=f"mneme.{group}", name=name)
            continue
        try:
            found.append(entry.load())
        except Exception as error:  # noqa: BLE001 - the edge to foreign code: it may raise anything at import
            structlog.get_logger().error("plug-in not loaded", group=group, name=name, cause=type(error).__name__)
    return found


def load_plugins(group: str, names: tuple[str, ...]) -> tuple[Any, ...]:  # Any: as above
    """Return what the entry points of these names make, those that could not be loaded left out."""
    return tuple(each for name in names if (each := load_plugin(group, name)) is not None)
