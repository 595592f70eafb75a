"""The owner of a memory: the one value that every memory call must carry.

A scope is derived from a message in exactly one place (:func:`build_scope`) and turned into the name of a LightRAG
workspace in exactly one place (:meth:`Installation.workspace`).
Both are injective: two chats can never share a name by accident, nor two bots on one memory server.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.errors import ConfigInvalid, ScopeMissing


class ScopeKind(StrEnum):
    """The kind of owner of a memory."""

    USER = "user"
    CHAT = "chat"
    TOPIC = "topic"
    SHARED = "shared"


NUMBERS: Final = (1 << 32) - 1
"""How many things of one kind a scope may have."""


def to_number(id_: int) -> int:
    """Return the number that people see of an id: its lower 32 bits, which count within a scope; the upper name it."""
    return id_ & NUMBERS


_TAG = re.compile(r"(?:(?:[a-oq-z]|p[a-z0-9]+_)(?:u|cn?|tn?)|s_)[a-z0-9_]+")
_PERSONAL = re.compile(r"(?:[a-oq-z]|p[a-z0-9]+_)u")
_SHORT = {"telegram": "t", "console": "c"}
_PLATFORM = re.compile(r"[a-z0-9]+")
_SHARED_NAME = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_INSTALLATION = re.compile(r"[a-z][a-z0-9]{15}")


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """The owner of a memory, as a validated name.

    ``tag`` holds only ``[a-z0-9_]``, so that it can stand in a file name, a LightRAG workspace and an HTTP header
    unchanged: ``tu42`` is the Telegram user 42, ``tcn100123`` the group -100123, ``ttn100123_7`` topic 7 of it,
    ``s_family`` the shared memory "family", ``cu0`` the terminal; ``pteams_u42`` user 42 of another platform.
    """

    tag: str

    def __post_init__(self) -> None:
        if not _TAG.fullmatch(self.tag):
            raise ScopeMissing(f"not a memory scope: {self.tag!r}; every memory call must say whose memory it is")

    @property
    def shared(self) -> bool:
        """Whether several chats speak into it by its name."""
        return self.tag.startswith("s_")

    @property
    def personal(self) -> bool:
        """Whether it is one person's, whichever chats they speak in."""
        return _PERSONAL.match(self.tag) is not None and not self.shared

    def __str__(self) -> str:
        return self.tag


@dataclass(frozen=True, slots=True)
class Installation:
    """One Mneme among those that may share a memory server.

    ``name`` is random, made once and as old as the installation's database: a letter and 15 letters or digits, so that
    no name is the beginning of another.  Tags are the same everywhere (each terminal's is ``cu1``), names are not.
    """

    name: str

    def __post_init__(self) -> None:
        if not _INSTALLATION.fullmatch(self.name):
            raise ConfigInvalid(f"not the name of an installation: {self.name!r}")

    def workspace(self, scope: Scope) -> str:
        """Return the name of a scope's workspace, at most 64 letters, digits and underscores: ``<name>_<tag>``."""
        return f"{self.name}_{scope.tag}"


def build_scope(
    kind: ScopeKind, *, platform: str, user_id: int, chat_id: int, topic_id: int | None = None, shared: str = ""
) -> Scope:
    """Return the scope of a message: the only place where one is made from ids.

    ``platform`` keeps the ids of two platforms apart: "telegram" and "console" by a letter, others by their name.
    A topic scope outside a topic is the chat's.  Raises :class:`ScopeMissing` for an unusable shared or platform name.
    """
    if not _PLATFORM.fullmatch(platform):
        raise ScopeMissing(f"a platform needs a name of lower-case letters and digits, got {platform!r}")
    prefix = _SHORT.get(platform) or f"p{platform}_"
    match kind:
        case ScopeKind.USER:
            return Scope(f"{prefix}u{_encode_sign(user_id)}")
        case ScopeKind.TOPIC if topic_id is not None:
            return Scope(f"{prefix}t{_encode_sign(chat_id)}_{topic_id}")
        case ScopeKind.CHAT | ScopeKind.TOPIC:
            return Scope(f"{prefix}c{_encode_sign(chat_id)}")
        case ScopeKind.SHARED:
            if not _SHARED_NAME.fullmatch(shared):
                raise ScopeMissing(f"a shared memory needs a name of lower-case letters and digits, got {shared!r}")
            return Scope(f"s_{shared}")


def _encode_sign(number: int) -> str:
    return f"n{-number}" if number < 0 else str(number)
