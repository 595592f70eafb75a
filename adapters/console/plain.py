"""Terminal chat for scripts: one message per input line, answers on standard output, nothing else there.

The terminal is one user with one chat; it has no message ids and no rate limits: a printed answer is delivered.

Files in a terminal: the user hands them over by their path, and gets them saved under their name.

Only a message of the terminal can name a path: what Telegram sends has ids of its own and its own source.
"""

from __future__ import annotations

import asyncio
import itertools
import mimetypes
import re
import shutil
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO
from urllib.parse import unquote, urlsplit

from bot.errors import DeliveryUnknown, FileUnavailable, NotDelivered
from bot.files import InboundFile, OutboundFile
from bot.memory.items import Trust
from bot.memory.sanitise import clean, remove_directions
from bot.messages import Address, Author, InboundMessage, MessageKind
from bot.ports.messenger import Mark
from language import detect_languages

_ADDING: Final = re.compile(r"/docs[ \t]++add[ \t]++(?P<path>[^\n]++)\Z")
if TYPE_CHECKING:  # most run without a terminal
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

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


@dataclass(frozen=True, slots=True)
class PlainReceiver:
    """Reads lines until the end of input.

    ``accept`` journals and starts a message; ``wait_until_answered`` returns when its answer is out,
    ``wait_until_settled`` (``--settle``) when the message is indexed in long-term memory.
    """

    accept: Callable[[InboundMessage], Awaitable[None]]
    wait_until_answered: Callable[[], Awaitable[None]]
    wait_until_settled: Callable[[], Awaitable[None]] | None
    messages: ConsoleMessages
    source: BinaryIO = field(default_factory=lambda: sys.stdin.buffer)

    async def run(self) -> None:
        """Return at the end of input, when every line is answered."""
        while raw := await asyncio.to_thread(self.source.readline):
            message = self.messages.build(raw.decode("utf-8", errors="replace"))
            if not message.text and message.file is None:
                continue
            await self.accept(message)
            await self.wait_until_answered()
            if self.wait_until_settled is not None:
                await self.wait_until_settled()


_COMMAND = re.compile(r"^\s*/\w+")

ADDRESS = Address(platform="console", bot_id=0, chat_id=1)
AUTHOR = Author(id=1, name="", trust=Trust.OWNER)


@dataclass(slots=True)
class ConsoleMessages:
    """Builds messages from lines; ``now`` is the aware local time, ``language`` the tag to begin with, "" if unknown.

    Ids of updates grow over restarts because they are taken from the clock.  A terminal does not tell its reader's
    language: the lines do, and what tells none, as a bare command or "ok", is answered in that of the line before.
    """

    now: Callable[[], datetime]
    language: str = ""
    _last_id: int = field(default_factory=time.time_ns)

    def build(self, text: str) -> InboundMessage:
        """Return the line as a message with an id that was never used before."""
        self._last_id = max(self._last_id + 1, time.time_ns())
        handed = read_handed_file(text)
        file, text = (None, text) if handed is None else (handed.file, handed.caption)
        said = _COMMAND.sub("", text)
        likely = detect_languages(said)
        if any(map(str.isalpha, said)) and (len(likely) == 1 or not self.language):
            self.language = likely[0].code
        return InboundMessage(
            address=ADDRESS,
            update_id=self._last_id,
            message_id=self._last_id,
            author=AUTHOR,
            text=clean(text).strip(),
            sent_at=self.now(),
            kind=MessageKind.TEXT if file is None else MessageKind.UNSUPPORTED,
            attachment=None if file is None else file.kind,
            file_name="" if file is None else file.name,
            file=file,
            language=self.language,
        )

    def press(self, data: str, message_id: int) -> InboundMessage:
        return replace(self.build(""), text=data, message_id=message_id, kind=MessageKind.BUTTON)


PROMPT = "mneme> "
_INDENT = " " * len(PROMPT)


class PlainDraft:
    """Scripts get whole answers: a draft shows nothing."""

    message_id: int | None = None

    async def update(self, text: str) -> bool:
        return False


@dataclass(slots=True)
class PlainMessenger(TerminalMessenger):
    """Prints each answer after ``mneme> ``, continuation lines indented, and flushes.

    Files are saved in the folder ``received``, and their paths printed.
    """

    out: TextIO = field(default_factory=lambda: sys.stdout)
    received: Path = Path()
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        text = PROMPT + strip_marks(clean_for_terminal(part)).replace("\n", "\n" + _INDENT)
        for label, data in buttons:
            text += f"\n{_INDENT}[{clean_for_terminal(label)}] {clean_for_terminal(data)}"
        try:
            replace_unencodable(self.out)
            self.out.write(text + "\n")
            self.out.flush()
        except (OSError, ValueError) as error:
            raise DeliveryUnknown(f"the terminal is gone: {error}") from error
        return next(self._ids)

    async def show_file(self, to: Address, saved: Path, caption: str, buttons: tuple[tuple[str, str], ...]) -> int:
        return await self.send(to, f"{caption}\n[{saved}]".lstrip("\n"), buttons=buttons)

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> PlainDraft:
        return PlainDraft()


_SEQUENCE: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,256}+[ -/]{0,16}+(?:[@-~]|\Z)"  # CSI: colours, cursor, clear
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]{0,4096}+(?:\x07|\x1b\\|\x9c|\x1b?\Z)"  # OSC, DCS
    r"|\x1b(?:[ -/]{1,4}+[0-~]?|[0-~])?"
)
"""ECMA-48, 5.4 and 5.6, with the strings that xterm ends with BEL; at the end of the text also begun ones."""


def clean_for_terminal(text: str) -> str:
    """Return ``text`` without anything that a terminal obeys; letters, line ends, tabs and emoji stay.

    Escape sequences set a terminal's title and clipboard and clear its screen, marks of direction reorder what stands
    on a line.  They are taken out whole, also where a streamed answer has only half of one so far.
    """
    return remove_directions(clean(_SEQUENCE.sub("", text)))


def replace_unencodable(out: TextIO) -> None:
    """Let ``out`` replace what its encoding lacks, instead of failing and losing the answer."""
    reconfigure = getattr(out, "reconfigure", None)  # only text streams over bytes have an encoding to lack something
    if reconfigure is not None:
        reconfigure(errors="replace")


def delete_typed_lines(path: Path) -> None:
    """Delete the history of typed lines: nobody can tell which of them hold what was erased."""
    path.unlink(missing_ok=True)


@cache
def load_reader() -> MarkdownIt:
    """Return what reads Markdown."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - see above

    return MarkdownIt().enable("strikethrough")


_MARKS: Final = frozenset({"strong_open", "strong_close", "em_open", "em_close", "s_open", "s_close"})


def strip_marks(text: str) -> str:
    """Return a Markdown text without marks of bold, italics, code and escapes; a link is followed by its address.

    What begins a line (bullets, numbers, quotations), code blocks and tables stay as they are written.
    """
    lines = text.split("\n")
    for token in load_reader().parse(text):
        if token.type != "inline" or token.map is None:
            continue
        plain = "".join(_list_plain(token.children or [])).split("\n")
        written = token.content.split("\n")
        if len(plain) != len(written):
            continue
        for number, (shown, source) in enumerate(zip(plain, written, strict=True), start=token.map[0]):
            if source and number < len(lines) and lines[number].rstrip().endswith(source.rstrip()):
                prefix = lines[number].rstrip().removesuffix(source.rstrip())
                lines[number] = (prefix.lstrip("#").lstrip() if prefix.startswith("#") else prefix) + shown
    return "\n".join(lines)


def _list_plain(children: list[Token]) -> Iterator[str]:
    address = ""
    label: list[str] = []
    for child in children:
        match child.type:
            case "link_open":
                address, label = str(child.attrGet("href") or ""), []
            case "link_close":
                if address and address not in {"".join(label), f"http://{''.join(label)}"}:
                    yield f" ({address})"
                address = ""
            case "softbreak" | "hardbreak":
                yield "\n"
            case kind if kind not in _MARKS:
                label.append(child.content)
                yield child.content
