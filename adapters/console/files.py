"""Files in a terminal: the user hands them over by their path, and gets them saved under their name.

Only a message of the terminal can name a path: what Telegram sends has ids of its own and its own source.
"""

import asyncio
import itertools
import mimetypes
import re
import shutil
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from bot.errors import FileUnavailable, NotDelivered
from bot.files import InboundFile, OutboundFile
from bot.messages import Address
from bot.ports.messenger import Mark

_ADDING: Final = re.compile(r"/docs[ \t]++add[ \t]++(?P<path>[^\n]++)\Z")
_IMPORTING: Final = re.compile(r"/import[ \t]++(?!(?:as|cancel)[ \t])(?P<path>[^\n]++)\Z")
_PATH: Final = re.compile(r"(?:/[^/\n]++/|~/|\.{1,2}/|file:///)[^\n]++\Z")
"""What may be a path by itself; one step below the root could be a command."""
_FIRST: Final = re.compile(r"""(?P<path>'[^'\n]++'|"[^"\n]++"|(?:\\.|[^\\\s'"])++)[ \t]++(?P<caption>\S[^\n]*+)\Z""")
"""A path that ends where its quotation or its first blank does, and what is said beside it."""
_QUOTED: Final = re.compile(r"""(?P<mark>['"])(?P<inside>.++)(?<=(?P=mark))\Z""")
_ESCAPED: Final = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class HandedFile:
    """A file that a line hands over, and what the line says beside its path: "" or a caption as in any chat."""

    file: InboundFile
    caption: str = ""


def read_handed_file(line: str) -> HandedFile | None:
    """Return the file that a line hands over: ``/docs add PATH``, ``/import PATH``, or a path that is there.

    Behind the path its caption may stand; what asks for the import is the caption ``/import``.
    Quotes, backslashes and ``file://`` are read as terminals write them when a file is dropped on them.
    A path that a command names and that is not there is a file that cannot be fetched, so that the chat hears of it.
    """
    line = line.strip()
    commanded = _ADDING.match(line) or _IMPORTING.match(line)
    prefix = "/import" if line.startswith("/import") else ""
    named = commanded["path"] if commanded is not None else line
    first = _FIRST.match(named)
    for written, caption in ((named, ""), (first["path"], first["caption"]) if first is not None else ("", "")):
        plain = _unquote(written)
        path = _find(plain) if commanded is not None or _PATH.match(plain) else None
        if path is not None:
            return HandedFile(_describe(path), f"{prefix} {caption}".strip())
    if commanded is None:
        return None
    plain = _unquote(named)
    return HandedFile(InboundFile(id=plain, kind="document", name=Path(plain).name), prefix)


def _describe(path: Path) -> InboundFile:
    media_type = mimetypes.guess_type(path.name)[0] or ""
    return InboundFile(id=str(path), kind="document", name=path.name, media_type=media_type, size=path.stat().st_size)


class LocalFiles:
    """The port :class:`~bot.ports.messenger.FileSource` for the terminal: ids are paths."""

    async def fetch(self, file: InboundFile, into: Path, *, limit: int) -> int:
        return await asyncio.to_thread(_copy, Path(file.id), into, limit)


def _copy(path: Path, into: Path, limit: int) -> int:
    try:
        if not path.is_file():
            raise FileUnavailable("there is no such file", why="gone")
        size = path.stat().st_size
        if size > limit:
            raise FileUnavailable(f"the file has more than {limit // 1_000_000} MB", why="too_large")
        shutil.copyfile(path, into)
    except OSError as error:
        raise FileUnavailable(f"the file cannot be read: {error.strerror}", why="unreachable") from error
    return size


def _find(written: str) -> Path | None:
    """Return the whole path of the file that is there, ``None`` without one."""
    try:
        path = Path(written).expanduser().absolute()
        return path if path.is_file() else None
    except (OSError, ValueError, RuntimeError):  # too long, a NUL inside, a user that does not exist
        return None


def _unquote(written: str) -> str:
    quoted = _QUOTED.match(written.strip())
    if quoted is not None:
        return quoted["inside"][:-1]
    if written.startswith("file:///"):
        return unquote(urlsplit(written).path)
    return _ESCAPED.sub(r"\1", written.strip())


class TerminalMessenger(ABC):
    """What both terminals do alike: text in one piece, files saved in the folder ``received`` and their path shown."""

    received: Path

    @property
    def largest_file(self) -> int:
        """No disk holds more."""
        return sys.maxsize

    def parts(self, text: str) -> tuple[str, ...]:
        return (text.strip() or "…",)

    def is_caption(self, part: str) -> bool:
        """Return ``True``: the path stands below any text."""
        return True

    async def send_file(
        self, to: Address, file: OutboundFile, caption: str, mark: Mark, *, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
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
