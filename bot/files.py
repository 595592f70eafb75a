"""Files of a conversation: one that came with a message and can be fetched, and one that goes with a reply."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class InboundFile:
    """A file that came with a message.

    ``id`` is the platform's own, by which it is fetched; ``kind`` is what the message shows it as ("document", "voice",
    "photo" …).  ``name`` and ``media_type`` are the sender's word.
    """

    id: str
    kind: str
    name: str = ""
    media_type: str = ""
    size: int | None = None
    """Bytes, ``None`` where the platform does not say."""
    seconds: int | None = None
    """Length of a recording."""


@dataclass(frozen=True, slots=True)
class OutboundFile:
    """A file that goes with a reply: it lies below the data folder and is deleted once its delivery is settled."""

    path: Path
    name: str
    """What the chat sees it named."""
