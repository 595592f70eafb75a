"""Files of a conversation: one that came with a message and can be fetched, and one that goes with a reply.

And how any file is written that is to be there as a whole or not at all.
"""

import asyncio
import os
import secrets
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_UNNAMEABLE: Final = frozenset('\\/:*?"<>|')
_LONGEST_NAME: Final = 120
"""Characters; file systems take 255 bytes."""


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
class Picture:
    """A picture for the model to look at, in memory alone; ``name`` is what it is called where its sender gave none."""

    media_type: str
    content: bytes = field(repr=False)
    name: str = ""


@dataclass(frozen=True, slots=True)
class OutboundFile:
    """A file that goes with a reply: it lies below the data folder and is deleted once its delivery is settled."""

    path: Path
    name: str
    """What the chat sees it named."""


def name_outbound(folder: Path, name: str) -> OutboundFile:
    """Return a file yet to be written, under a path in ``folder`` (made if missing) that nobody else has.

    ``folder`` is :attr:`bot.config.folders.Folders.outgoing`: what no reply refers to is removed from it.
    Raises ``OSError``.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return OutboundFile(folder / secrets.token_hex(16), clean_file_name(name))


def write_outbound(folder: Path, name: str, content: bytes) -> OutboundFile:
    """Return a file with this content, on the disk when this returns.  Blocks; raises ``OSError``."""
    file = name_outbound(folder, name)
    write_whole(file.path, content)
    return file


def write_whole(path: Path, content: bytes) -> None:
    """Put a file on the disk in place of the one before, for its owner only; all of it or, raising ``OSError``, none.

    Blocks; the folder is made if missing.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def clean_file_name(name: str) -> str:
    """Return a name that every file system and every chat takes: no path, no control characters, not too long."""
    kept = "".join("_" if sign in _UNNAMEABLE or not sign.isprintable() else sign for sign in name).strip(". ")
    stem, dot, ending = kept.rpartition(".")
    if not dot:
        return kept[:_LONGEST_NAME] or "file"
    return f"{stem[: max(1, _LONGEST_NAME - len(ending) - 1)]}.{ending}"[:_LONGEST_NAME]


class Incoming:
    """The folder of files on their way in: each is deleted once it is read, and all of them at the start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def sweep(self) -> None:
        """Delete what a kill has left behind; to be called before anything is taken in."""
        for path in self._folder.glob("*"):
            path.unlink(missing_ok=True)

    @asynccontextmanager
    async def make_room(self) -> AsyncIterator[Path]:
        """Give a path that nothing has, and delete what lies there afterwards."""
        await asyncio.to_thread(self._folder.mkdir, mode=0o700, parents=True, exist_ok=True)
        path = self._folder / secrets.token_hex(16)
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)
