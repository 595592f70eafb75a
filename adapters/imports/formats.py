"""Tells which of the formats a file is in, by how it begins, and reads it.

A shape that no exporter writes ends the reading with the number of the message before which it stands, not with a
traceback: what was read until then is right.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from pathlib import Path
from typing import Final
from zipfile import BadZipFile
from zipfile import Path as ZippedPath

import orjson

from adapters.imports.messengers import read_chatgpt, read_claude, read_discord, read_jsonl, read_messenger, read_slack
from adapters.imports.streaming import Bundle, ExportFile, ExportPath, fill_dates, open_export
from adapters.imports.telegram import read_telegram
from adapters.imports.whatsapp import begins_as_whatsapp, read_whatsapp
from adapters.imports.zips import PEOPLE, choose_entries, name_foreign
from bot.errors import ImportRefused
from bot.ports.transfer import Read

_ZIP: Final = b"PK\x03\x04"
_HEAD: Final = 65_536
"""Bytes in which a format shows itself."""


class Format(StrEnum):
    """What wrote a file."""

    TELEGRAM = "telegram"
    WHATSAPP = "whatsapp"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    DISCORD = "discord"
    """A channel, or several, of DiscordChatExporter."""
    MESSENGER = "messenger"
    """Messenger or Instagram: they write the same."""
    SLACK = "slack"
    JSONL = "jsonl"
    ARCHIVE = "mneme"
    """A whole memory from ``mneme export``: read by :mod:`adapters.archive`."""


def open_file(path: Path) -> ExportPath:
    """Return what is to be read of a file: of a zip what holds the conversations, all of an export of ours.

    Raises :class:`~bot.errors.ImportRefused`.
    """
    with open_export(path) as file:
        zipped = file.read(len(_ZIP)) == _ZIP
    names = choose_entries(path) if zipped else ()
    if not names:
        return path
    root = ZippedPath(path)
    files = tuple(root / name for name in names)
    return files[0] if len(files) == 1 else Bundle(files)


def find_format(path: ExportPath) -> Format:
    """Return the format of what :func:`open_file` gave.

    Raises :class:`~bot.errors.ImportRefused` for what cannot be one of them.
    """
    if isinstance(path, Bundle):
        slack = any(file.name in PEOPLE for file in path.files)
        return Format.SLACK if slack else find_format(path.files[0])
    with open_export(path) as file:
        head = file.read(_HEAD)
    if head.startswith(_ZIP):
        return Format.ARCHIVE
    if path.suffix.lower() == ".jsonl":
        return _find_object(head.lstrip().split(b"\n", 1)[0], Format.JSONL)
    return _find_by_head(path.name, head)


def _find_by_head(name: str, head: bytes) -> Format:
    begin = head.lstrip()
    told = (wanted for wanted, names in _TOLD_BY.items() if all(each in head for each in names))
    if begin[:1] in {b"{", b"["} and (wanted := next(told, None)) is not None:
        return wanted
    if begins_as_whatsapp(head.decode("utf-8-sig", "replace")):
        return Format.WHATSAPP
    if foreign := name_foreign(name, head):
        raise ImportRefused(foreign)
    if begin.startswith(b"{"):
        return _find_object(begin.split(b"\n", 1)[0], Format.TELEGRAM)
    # a chat of WhatsApp may begin with a bracket, too: "[07.02.26, 14:30:05] Anna: …"
    return Format.CHATGPT if begin.startswith(b"[") and not begin[1:2].isdigit() else Format.WHATSAPP


def looks_exported(path: Path) -> bool:
    """Return whether a file is surely an export of conversations (blocking): by names that nothing else has.

    :func:`find_format` is told that a file is one; here any file may come.
    """
    try:
        file = open_file(path)
        wanted = find_format(file)
        with open_export(file.files[-1] if isinstance(file, Bundle) else file) as opened:
            head = opened.read(_HEAD)
    except (ImportRefused, OSError, BadZipFile, zlib.error):
        return False
    if wanted is Format.WHATSAPP:
        return begins_as_whatsapp(head.decode("utf-8-sig", "replace"))
    if wanted in _TOLD_BY:
        return all(name in head for name in _TOLD_BY[wanted])
    return wanted in {Format.ARCHIVE, Format.SLACK}


_TOLD_BY: Final = {
    Format.DISCORD: (b'"guild"', b'"channel"', b'"messages"'),
    Format.MESSENGER: (b'"participants"', b'"messages"'),
    Format.CHATGPT: (b'"mapping"', b'"create_time"'),
    Format.CLAUDE: (b'"chat_messages"', b'"sender"'),
    Format.TELEGRAM: (b'"messages"', b'"from_id"'),
    Format.JSONL: (b'"author"', b'"text"', b'"said_at"'),
}
"""Names that stand at the beginning of each."""


def _find_object(line: bytes, otherwise: Format) -> Format:
    """Return the format of a file whose first line this is, ``otherwise`` where it is no object."""
    try:
        fields = orjson.loads(line)
    except ValueError:
        return otherwise
    return Format.TELEGRAM if "messages" in fields or "chats" in fields else Format.JSONL


def read_export(path: ExportPath, wanted: Format, zone: tzinfo | None, dates: str = "") -> Iterator[Read]:
    """Yield what stands in a file; ``zone`` is that of times without one, ``None`` the machine's.

    ``dates`` says whether a file of WhatsApp writes "dmy", "mdy" or "ymd", "" to let the file tell it.

    Raises :class:`~bot.errors.ImportRefused`.
    """
    number = 0
    try:
        for found in fill_dates(_read(path, wanted, zone, dates), datetime.now(UTC)):
            number += 1
            yield found
    except (BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise ImportRefused(f"{path.name} is damaged in its zip, behind message {number}") from error
    except (AttributeError, TypeError, KeyError, ValueError) as error:
        raise ImportRefused(f"{path.name}: what follows message {number} is not written as {wanted} does it") from error


def _read(path: ExportPath, wanted: Format, zone: tzinfo | None, dates: str) -> Iterator[Read]:
    files: Sequence[ExportFile] = path.files if isinstance(path, Bundle) else (path,)
    readers: dict[Format, Callable[[ExportFile], Iterator[Read]]] = {
        Format.TELEGRAM: lambda file: read_telegram(file, zone),
        Format.WHATSAPP: lambda file: read_whatsapp(file, zone, dates),
        Format.CHATGPT: read_chatgpt,
        Format.CLAUDE: read_claude,
        Format.DISCORD: read_discord,
        Format.MESSENGER: read_messenger,
        Format.JSONL: read_jsonl,
    }
    if wanted is Format.SLACK:
        yield from read_slack(files)
        return
    for file in reversed(files) if wanted is Format.MESSENGER else files:  # its first file is the newest
        yield from readers[wanted](file)
