"""Looks into zip archives: what is too large, or swells when it is unpacked, is refused before any of it is read.

What is read of an entry never exceeds the size that its directory tells (``zipfile`` ends there), so that checking
what is told bounds what is read.
"""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath
from typing import Final

from bot.errors import ImportRefused

_LARGEST_DIRECTORY: Final = 4_000_000
"""Bytes of the list of entries: some ten thousand of them; all of it is held in memory."""
_LARGEST: Final = 4_000_000_000
"""Bytes of one entry, unpacked."""
_SWELLS: Final = 250
"""How many times its packed size an entry may have; text that people write shrinks to a tenth."""
_FREE: Final = 10_000_000
"""Bytes of an entry that may swell as it likes."""
_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 22 + 65_536
_WHOLE_END: Final = 22
_IN_ZIP64: Final = 0xFFFFFFFF

MANIFEST: Final = "manifest.json"
TURNS: Final = "data/turns.jsonl"


def list_entries(path: Path) -> dict[str, zipfile.ZipInfo]:
    """Return the entries of a zip by name.  Raises :class:`~bot.errors.ImportRefused`."""
    try:
        _check_directory(path)
        with zipfile.ZipFile(path) as archive:
            entries = {info.filename: info for info in archive.infolist() if not info.is_dir()}
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise ImportRefused(f"{path.name} is damaged, or no zip that can be read") from error
    return entries


def choose_entry(path: Path) -> str:
    """Return the entry of a zip that holds the conversations, "" for an export of ours.

    Raises :class:`~bot.errors.ImportRefused` where there is none, or it is not fit to be read.
    """
    entries = list_entries(path)
    ours = MANIFEST in entries and TURNS in entries
    wanted = (MANIFEST, TURNS) if ours else _find_conversations(entries)
    if not wanted:
        raise ImportRefused(
            f"{path.name} holds no conversations: no result.json, conversations.json, chat of WhatsApp, nor an export"
        )
    for name in entries if ours else wanted:
        _check_entry(path, entries[name])
    return "" if ours else wanted[0]


def _find_conversations(entries: dict[str, zipfile.ZipInfo]) -> tuple[str, ...]:
    """Return the first entry that looks like one, nearest to the top."""
    names = sorted(entries, key=lambda name: (name.count("/"), name))
    for wanted in ("result.json", "conversations.json"):
        found = next((name for name in names if PurePosixPath(name).name == wanted), None)
        if found is not None:
            return (found,)
    texts = [name for name in names if name.lower().endswith(".txt")]
    lines = [name for name in names if name.lower().endswith(".jsonl")]
    return tuple((texts or lines)[:1])


def _check_entry(path: Path, info: zipfile.ZipInfo) -> None:
    if info.flag_bits & 1:
        raise ImportRefused(f"{path.name} is locked with a password: unpack it first")
    if info.file_size > _LARGEST:
        raise ImportRefused(f"{path.name}: {info.filename} has {info.file_size:,} bytes, more than {_LARGEST:,}")
    if info.file_size > _FREE and info.file_size > _SWELLS * max(1, info.compress_size):
        raise ImportRefused(
            f"{path.name}: {info.filename} swells from {info.compress_size:,} to {info.file_size:,} bytes, as no "
            "conversation does"
        )


def _check_directory(path: Path) -> None:
    """Refuse a zip whose directory of entries is vast: reading it would hold every entry in memory."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - _END_BYTES))
        tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _WHOLE_END:
        raise ImportRefused(f"{path.name} is damaged, or no zip: it has no end")
    told = int.from_bytes(tail[at + 12 : at + 16], "little")
    if told == _IN_ZIP64 or told > _LARGEST_DIRECTORY:
        raise ImportRefused(f"{path.name} holds more files than an export has")
