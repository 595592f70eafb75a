"""Streams the objects of a large JSON file one by one: memory is bounded by the largest object, not by the file.

A file that is cut off, nested too deeply or in another encoding is refused with the place where it broke.
Control characters are read in the two ways in which exporters write them and JSON does not: as they are, and, by
Telegram Desktop, with an x and two digits where JSON has a u and four.

Dates are read here, too: an export may say any, and one far away puts a message at the wrong end of a memory for good.
No service that is read is older than 1970, and nobody writes tomorrow; a message whose moment cannot be true is given
that of its neighbour in the chat.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path, PurePath
from typing import IO, Any, Final
from zipfile import Path as ZippedPath

from bot.errors import ImportRefused
from bot.ports.transfer import ExportedMessage, LeftOut, Read

Json = Any  # parsed JSON, checked field by field
ExportFile = Path | ZippedPath
"""A file, or an entry of a zip that was looked at by :mod:`adapters.imports.zips`."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Several files of one zip that are read one after the other: parts of an export, or its chats."""

    files: tuple[ZippedPath, ...]

    @property
    def name(self) -> str:
        return PurePath(str(self.files[0].root.filename)).name


ExportPath = ExportFile | Bundle

DEEPEST: Final = 40
"""Levels of nesting; exports have about ten."""
_LONGEST: Final = 4_000_000
"""Characters of one string; the longest message of any of the services has far fewer."""

_LARGEST: Final = 100_000_000
"""Bytes, about, that one message or one conversation with an assistant takes while it is read."""
_EVENT: Final = 64
"""Bytes that a value takes beside its characters."""

_PIECE: Final = 8192
"""Bytes parsed at once: every level in one piece costs its whole path before anybody can count the levels."""

_LONGEST_BYTES: Final = 8_000_000
"""Bytes of one value: the parser holds all of it, and looks at it again with every piece, before it can be measured."""


_ESCAPE: Final = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|[^x])", re.DOTALL)
_ESCAPE_BYTES: Final = 4
_BLANKED: Final = bytes.maketrans(bytes({*range(32)} - {9, 10, 13}), b" " * 29)
"""Control characters that stand in a file as they are, other than tab and line ends."""


class _Watched:
    """A file that refuses to go on when so much was read since the last value that one alone must be that long.

    What it gives is JSON where the file is but for its control characters.
    """

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._name = name
        self._held = b""
        self.unheard = 0

    def read(self, size: int = -1) -> bytes:
        """Return the next piece.  Raises :class:`ImportRefused`."""
        mended = b""
        while not mended and (piece := self._file.read(size)):
            self.unheard += len(piece)
            if self.unheard > _LONGEST_BYTES:
                raise ImportRefused(
                    f"{self._name} has one value of more than {_LONGEST_BYTES} bytes before byte {self._file.tell()}"
                )
            mended = self._mend(piece)
        if not mended:  # the end of the file
            mended, self._held = self._held, b""
        return mended

    def _mend(self, piece: bytes) -> bytes:
        """Return what can be handed on; an escape that the piece cuts waits for the next one."""
        piece = (self._held + piece).translate(_BLANKED)
        begin = piece.rfind(b"\\", max(0, len(piece) - _ESCAPE_BYTES + 1))
        run = begin + 1 - len(piece[: begin + 1].rstrip(b"\\"))
        long = _ESCAPE_BYTES if piece[begin + 1 : begin + 2] == b"x" else 2
        cut = begin if run % 2 and len(piece) - begin < long else len(piece)
        piece, self._held = piece[:cut], piece[cut:]
        return _ESCAPE.sub(_write_escape, piece) if b"\\x" in piece else piece


def _write_escape(found: re.Match[bytes]) -> bytes:
    return b"\\u00" + found[1] if found[1] else found[0]


def open_export(path: ExportFile) -> IO[bytes]:
    """Return the file, behind its byte order mark.  Raises :class:`ImportRefused`."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise ImportRefused(f"{path.name} cannot be read: {error.strerror}") from error
    begin = file.read(4)
    if begin.startswith((b"\xff\xfe", b"\xfe\xff")):
        file.close()
        raise ImportRefused(f"{path.name} is UTF-16: save it as UTF-8")
    file.seek(3 if begin.startswith(b"\xef\xbb\xbf") else 0)
    return file


def read_events(path: ExportFile) -> Iterator[tuple[str, str, Json]]:
    """Yield prefix, event and value of everything in a file.  Raises :class:`ImportRefused`."""
    import ijson  # noqa: PLC0415 - for who imports

    depth = 0
    with open_export(path) as file:
        watched = _Watched(file, path.name)
        try:
            for prefix, event, value in ijson.parse(watched, use_float=True, buf_size=_PIECE):
                watched.unheard = 0
                depth += (event in {"start_map", "start_array"}) - (event in {"end_map", "end_array"})
                if depth > DEEPEST:
                    raise ImportRefused(f"{path.name} is nested more than {DEEPEST} levels deep at byte {file.tell()}")
                if event == "string" and len(value) > _LONGEST:
                    raise ImportRefused(f"{path.name} has a text of {len(value)} characters near byte {file.tell()}")
                yield prefix, event, value
        except ijson.IncompleteJSONError as error:
            raise ImportRefused(
                f"{path.name} ends too early, or is no JSON, before byte {file.tell()}; export it again: {_tell(error)}"
            ) from error
        except (ijson.JSONError, UnicodeDecodeError, ValueError) as error:
            raise ImportRefused(f"{path.name} is no valid JSON before byte {file.tell()}: {_tell(error)}") from error


def _tell(error: Exception) -> str:
    """Return the first line of what the parser says: behind it stands a piece of the file."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0]


def build_objects(path: ExportFile, wanted: frozenset[str], noted: frozenset[str]) -> Iterator[tuple[str, Json]]:
    """Yield what stands under the given prefixes, in file order.

    Of ``wanted`` each object comes whole; of ``noted`` each scalar, and ``None`` where an object begins.
    """
    import ijson  # noqa: PLC0415 - see above

    builder, until, size = None, "", 0
    for prefix, event, value in read_events(path):
        if builder is not None:
            builder.event(event, value)
            size += _EVENT + (len(value) if event in {"string", "map_key"} else 0)
            if size > _LARGEST:
                raise ImportRefused(f"{path.name} has one object of more than {_LARGEST} bytes; split the file")
            if prefix == until and event == "end_map":
                yield until, builder.value
                builder = None
        elif event == "start_map" and prefix in wanted:
            builder, until, size = ijson.ObjectBuilder(), prefix, 0
            builder.event(event, value)
        elif prefix in noted and event in {"string", "number", "boolean", "start_map"}:
            yield prefix, None if event == "start_map" else value


NEVER: Final = datetime.min.replace(tzinfo=UTC)
"""The moment of a message that tells none, or one that no calendar has."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_AHEAD: Final = timedelta(days=1)
_WAITING: Final = 1_000
"""Messages at the beginning of a chat that wait for the first one with a date."""


def read_moment(value: Any, zone: tzinfo | None = UTC) -> datetime:  # Any: a field of an export
    """Return the moment of seconds since 1970 (as a number or as text) or of an ISO 8601 text, else ``NEVER``.

    ``zone`` is that of a text without one, ``None`` the machine's.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return NEVER
    try:
        return datetime.fromtimestamp(float(value), UTC)
    except (ValueError, OverflowError, OSError):
        pass
    try:
        return put_in_zone(datetime.fromisoformat(str(value)), zone)
    except ValueError:
        return NEVER


def put_in_zone(clock: datetime, zone: tzinfo | None) -> datetime:
    """Return the moment when a clock on the wall showed this; one that has a zone keeps its moment."""
    try:
        aware = clock.replace(tzinfo=zone) if clock.tzinfo is None and zone is not None else clock
        return aware.astimezone(UTC) if clock.tzinfo is not None else aware.astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return NEVER


def is_possible(moment: datetime, now: datetime) -> bool:
    """Return whether a message can have been written then."""
    return _EPOCH < moment <= now + _AHEAD


def fill_dates(found: Iterable[Read], now: datetime) -> Iterator[Read]:
    """Yield what was read; a message without a possible date takes that of the one before it in its chat.

    The first ones of a chat take that of the first one behind them; where there is none, they are left out.
    """
    chat, last, waiting = "", NEVER, list[ExportedMessage]()
    for read in found:
        if isinstance(read, LeftOut):
            yield read
            continue
        if read.chat != chat:
            yield from [LeftOut.NO_DATE] * len(waiting)
            chat, last, waiting = read.chat, NEVER, []
        if is_possible(read.said_at, now):
            last = read.said_at
            yield from (replace(early, said_at=last) for early in waiting)
            waiting = []
            yield read
        elif last != NEVER:
            yield replace(read, said_at=last)
        elif len(waiting) < _WAITING:
            waiting.append(read)
        else:
            yield LeftOut.NO_DATE
    yield from [LeftOut.NO_DATE] * len(waiting)
