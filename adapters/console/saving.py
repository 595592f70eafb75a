"""Files that the terminal chat is sent: saved under their name, beside what is there."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import sys
from abc import ABC, abstractmethod
from pathlib import Path

from bot.errors import NotDelivered
from bot.files import OutboundFile
from bot.messages import Address
from bot.ports.messenger import Mark


class FileSaver(ABC):
    """Sends files as both terminals do: saved in the folder ``received``, and their path shown."""

    received: Path

    @property
    def largest_file(self) -> int:
        """No disk holds more."""
        return sys.maxsize

    def is_caption(self, part: str) -> bool:
        """Return ``True``: the path stands below any text."""
        return True

    async def send_file(
        self, to: Address, file: OutboundFile, caption: str, mark: Mark, *, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        """Save it and show where it is."""
        await mark()
        saved = await asyncio.to_thread(save_file, file, self.received)
        return await self.show_file(to, saved, caption, buttons)

    @abstractmethod
    async def show_file(self, to: Address, saved: Path, caption: str, buttons: tuple[tuple[str, str], ...]) -> int:
        """Show the caption and where the file is, and return the message's id."""


def save_file(file: OutboundFile, folder: Path) -> Path:
    """Copy a file into a folder (made if missing) and return where it is; blocks.

    Nothing is overwritten: the second ``notes.md`` is ``notes-2.md``.  Others cannot read it.
    Raises :class:`~bot.errors.NotDelivered`.
    """
    wanted = Path(file.name)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in itertools.count(1):
            target = folder / (wanted.name if number == 1 else f"{wanted.stem}-{number}{wanted.suffix}")
            try:
                target.touch(mode=0o600, exist_ok=False)
            except FileExistsError:
                continue
            with target.open("wb") as copy, file.path.open("rb") as source:
                shutil.copyfileobj(source, copy)
            return target
    except OSError as error:
        raise NotDelivered(f"the file cannot be saved ({error.strerror})") from error
    raise AssertionError("the numbers never end")
