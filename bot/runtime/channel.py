"""What others may plug in: channels, and code by the entry points of installed packages.

A channel is a platform on which people talk to Mneme, with what it can do and what it cannot; ``adapters/telegram`` and
``adapters/console`` are two.

    group               what the entry point is
    mneme.tools         a function without arguments that returns a Tool (bot/ports/tool.py)
    mneme.retrieval     a function of the store's Recall that returns a Recall (bot/ports/memory_store.py)
    mneme.rerankers     a function of RerankSettings that returns a Reranker (bot/ports/embedder.py)
    mneme.channels      an asynchronous function of the App and of an Accept that returns a Channel
    mneme.subscribers   a function without arguments that returns a Subscriber (bot/ports/events.py)

The memory server has plug-ins of its own (memory_server/options.py).
Nothing is loaded because it is installed: the settings name it.  What cannot be loaded is logged and left out.
https://packaging.python.org/en/latest/specifications/entry-points/
"""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

import structlog

from bot.core.pipeline import admit_everybody
from bot.messages import Address, InboundMessage
from bot.ports.chats import GroupRoles
from bot.ports.messenger import FileSource, Messenger

Accept = Callable[[InboundMessage], Awaitable[None]]
"""Takes a message in; it is on disk once this has returned, and a repeated one is recognised by its ``update_id``."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a channel can do beyond what the optional protocols of its messenger say (``bot/ports/messenger.py``)."""

    edits: bool = True
    """Whether a message that was sent can become another; else only the end of a long piece of work is told."""
    local: bool = False
    """Whether whoever writes sits at this machine, and hands over files by their path."""
    mention: str = "{name}"
    """How a person of a group is named so that they are told of it, with ``{name}`` and ``{id}``."""


async def _nothing() -> None:
    """Nothing is left to close."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One platform, ready to run; ``name`` is the platform of its addresses."""

    name: str
    messenger: Messenger
    receive: Callable[[], Coroutine[Any, Any, None]]  # Any: a coroutine is not sent to
    """Receives messages until ``stop`` is called."""
    stop: Callable[[], None]
    close: Callable[[], Awaitable[None]] = _nothing
    """Closes connections, once no turn sends any more."""
    abilities: Abilities = Abilities()
    files: FileSource | None = None
    """Where the files of its messages lie."""
    roles: GroupRoles | None = None
    """Who runs its groups."""
    show_menu: Callable[[Address, str], Awaitable[None]] | None = None
    """Shows a chat the menu of commands in a language, "" for that of each reader; never raises."""
    tell_operator: Callable[[str], Awaitable[None]] | None = None
    """Sends the operator a sentence; :class:`~bot.errors.NotDelivered` asks to be tried again."""
    operator_at: Callable[[], Address | None] | None = None
    """Where the operator is told, ``None`` when nobody is named."""
    trouble: Callable[[], str] | None = None
    """What is wrong with it now, "" when nothing is."""
    remark: Callable[[], str] | None = None
    """What is worth knowing though nothing is wrong."""
    admits: Callable[[Address, int], Awaitable[bool]] = admit_everybody
    """Whether somebody, by id, may still talk to the bot at a place: what they asked for before ends else."""
    client: object = None
    """The client of its library, for features of just this channel."""
    everywhere: bool = False
    """Whether each of several workers receives; else the one that leads."""


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
