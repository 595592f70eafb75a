"""Tells which of the formats a file is in, by how it begins, and reads it.

A shape that no exporter writes ends the reading with the number of the message before which it stands, not with a
traceback: what was read until then is right.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from pathlib import Path
from typing import Final
from zipfile import BadZipFile
from zipfile import Path as ZippedPath

import orjson

from adapters.imports.assistants import read_chatgpt, read_claude, read_jsonl
from adapters.imports.dates import fill_dates
from adapters.imports.streaming import ExportPath, open_export
from adapters.imports.telegram import read_telegram
from adapters.imports.whatsapp import begins_as_whatsapp, read_whatsapp
from adapters.imports.zips import choose_entry
from bot.errors import ImportRefused
from bot.ports.conversation_import import Read

_ZIP: Final = b"PK\x03\x04"
_HEAD: Final = 65_536
"""Bytes in which a format shows itself."""


class Format(StrEnum):
    """What wrote a file."""

    TELEGRAM = "telegram"
    WHATSAPP = "whatsapp"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    JSONL = "jsonl"
    ITEMS = "items"
    """Structured memories that an earlier ``mneme export`` wrote: no conversation."""
    ARCHIVE = "mneme"
    """A whole memory from ``mneme export``: read by :mod:`adapters.archive`."""


def open_file(path: Path) -> ExportPath:
    """Return what is to be read of a file: of a zip the entry with the conversations, all of an export of ours.

    Raises :class:`~bot.errors.ImportRefused`.
    """
    with open_export(path) as file:
        zipped = file.read(len(_ZIP)) == _ZIP
    entry = choose_entry(path) if zipped else ""
    return ZippedPath(path, entry) if entry else path


def find_format(path: ExportPath) -> Format:
    """Return the format of what :func:`open_file` gave.

    Raises :class:`~bot.errors.ImportRefused` for what cannot be one of them.
    """
    with open_export(path) as file:
        head = file.read(_HEAD)
    begin = head.lstrip()
    lines = path.suffix.lower() == ".jsonl"
    if begin.startswith(_ZIP):
        return Format.ARCHIVE
    if lines and not begin:
        return Format.ITEMS  # of somebody without any
    if begin.startswith(b"{"):
        return _find_object(begin.split(b"\n", 1)[0], Format.JSONL if lines else Format.TELEGRAM)
    # a chat of WhatsApp may begin with a bracket, too: "[07.02.26, 14:30:05] Anna: …"
    if not begin.startswith(b"[") or begin[1:2].isdigit():
        return Format.WHATSAPP
    return Format.CLAUDE if b'"chat_messages"' in head else Format.CHATGPT


def looks_exported(path: Path) -> bool:
    """Return whether a file is surely an export of conversations (blocking): by names that nothing else has.

    :func:`find_format` is told that a file is one; here any file may come.
    """
    try:
        file = open_file(path)
        wanted = find_format(file)
        with open_export(file) as opened:
            head = opened.read(_HEAD)
    except (ImportRefused, OSError, BadZipFile, zlib.error):
        return False
    if wanted is Format.WHATSAPP:
        return begins_as_whatsapp(head.decode("utf-8-sig", "replace"))
    if wanted in _TOLD_BY:
        return all(name in head for name in _TOLD_BY[wanted])
    return wanted is Format.ARCHIVE


_TOLD_BY: Final = {
    Format.TELEGRAM: (b'"messages"', b'"from_id"'),
    Format.CHATGPT: (b'"mapping"', b'"create_time"'),
    Format.CLAUDE: (b'"chat_messages"', b'"sender"'),
    Format.JSONL: (b'"author"', b'"text"', b'"said_at"'),
    Format.ITEMS: (b'"fingerprint"', b'"provenance"'),
}
"""Names that stand at the beginning of each."""


def _find_object(line: bytes, otherwise: Format) -> Format:
    """Return the format of a file whose first line this is, ``otherwise`` where it is no object."""
    try:
        fields = orjson.loads(line)
    except ValueError:
        return otherwise
    if "fingerprint" in fields and "provenance" in fields:
        return Format.ITEMS
    return Format.TELEGRAM if "messages" in fields or "chats" in fields else Format.JSONL


def read_export(path: ExportPath, wanted: Format, zone: tzinfo | None, dates: str = "") -> Iterator[Read]:
    """Yield what stands in a file; ``zone`` is that of times without one, ``None`` the machine's.

    ``dates`` says whether a file of WhatsApp writes "dmy", "mdy" or "ymd", "" to let the file tell it.

    Raises :class:`~bot.errors.ImportRefused`.
    """
    readers: dict[Format, Callable[[], Iterator[Read]]] = {
        Format.TELEGRAM: lambda: read_telegram(path, zone),
        Format.WHATSAPP: lambda: read_whatsapp(path, zone, dates),
        Format.CHATGPT: lambda: read_chatgpt(path),
        Format.CLAUDE: lambda: read_claude(path),
        Format.JSONL: lambda: read_jsonl(path),
    }
    number = 0
    try:
        for found in fill_dates(readers[wanted](), datetime.now(UTC)):
            number += 1
            yield found
    except (BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise ImportRefused(f"{path.name} is damaged in its zip, behind message {number}") from error
    except (AttributeError, TypeError, KeyError, ValueError) as error:
        raise ImportRefused(f"{path.name}: what follows message {number} is not written as {wanted} does it") from error
