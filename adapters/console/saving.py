"""Files that the terminal chat is sent: saved under their name, beside what is there."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

from bot.errors import NotDelivered
from bot.files import OutboundFile


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
