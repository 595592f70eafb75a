"""Reads rows straight from the leaf pages of an SQLite file whose upper pages are destroyed.

Losing one inner page would otherwise lose every row below it.  Written after the file format's description
(https://www.sqlite.org/fileformat2.html, sections 1.6 and 2.1); what does not make sense is passed over.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

Value = int | float | str | bytes | None

_LEAF: Final = 0x0D
_HEADER: Final = 8
_LONGEST: Final = 64 << 20
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_CONSTANTS: Final[dict[int, Value]] = {0: None, 8: 0, 9: 1}


class _Nonsense(Exception):
    """These bytes are no row."""


@dataclass(frozen=True, slots=True)
class LeafRow:
    """A row of some table: its number and its columns in order; the column that is the number reads ``None``."""

    rowid: int
    values: tuple[Value, ...]


def leaf_rows(path: Path, page_size: int = 4096) -> Iterator[LeafRow]:
    """Yield every row on every table leaf page of the file, in the order of the pages."""
    with path.open("rb") as file:
        pages = _Pages(file.read(), page_size)
    for number in range(1, pages.count + 1):
        yield from pages.rows(number)


@dataclass(frozen=True, slots=True)
class _Pages:
    content: bytes
    size: int

    @property
    def count(self) -> int:
        return len(self.content) // self.size

    def page(self, number: int) -> bytes:
        if not 1 <= number <= self.count:
            raise _Nonsense
        return self.content[(number - 1) * self.size : number * self.size]

    def rows(self, number: int) -> Iterator[LeafRow]:
        page = self.page(number)
        start = 100 if number == 1 else 0
        if page[start] != _LEAF:
            return
        (cells,) = struct.unpack_from(">H", page, start + 3)
        if start + _HEADER + 2 * cells > self.size:
            return
        for position in struct.unpack_from(f">{cells}H", page, start + _HEADER):
            try:
                yield self._row(page, position)
            except (_Nonsense, IndexError, struct.error, UnicodeDecodeError):
                continue

    def _row(self, page: bytes, position: int) -> LeafRow:
        length, position = _varint(page, position)
        rowid, position = _varint(page, position)
        if length > _LONGEST:
            raise _Nonsense
        return LeafRow(rowid, tuple(_columns(self._payload(page, position, length))))

    def _payload(self, page: bytes, position: int, length: int) -> bytes:
        """Return a row's bytes, following its overflow pages."""
        most = self.size - 35
        least = (self.size - 12) * 32 // 255 - 23
        here = length
        if length > most:
            here = least + (length - least) % (self.size - 4)
            here = here if here <= most else least
        payload = page[position : position + here]
        if length > here:
            (following,) = struct.unpack_from(">I", page, position + here)
            seen: set[int] = set()
            while len(payload) < length:
                if following in seen:
                    raise _Nonsense
                seen.add(following)
                overflow = self.page(following)
                payload += overflow[4 : 4 + length - len(payload)]
                (following,) = struct.unpack_from(">I", overflow)
        if len(payload) != length:
            raise _Nonsense
        return payload


def _columns(payload: bytes) -> Iterator[Value]:
    header, position = _varint(payload, 0)
    body = header
    while position < header:
        kind, position = _varint(payload, position)
        size = _INTEGERS.get(kind, 8 if kind == 7 else max(0, (kind - 12) // 2))  # noqa: PLR2004 - the format's number
        if body + size > len(payload):
            raise _Nonsense
        yield _value(kind, payload[body : body + size])
        body += size


def _value(kind: int, raw: bytes) -> Value:
    if kind in _CONSTANTS:
        return _CONSTANTS[kind]
    if kind in _INTEGERS:
        return int.from_bytes(raw, "big", signed=True)
    if kind == 7:  # noqa: PLR2004 - the format's number for a float
        return float(struct.unpack(">d", raw)[0])
    if kind < 12:  # noqa: PLR2004 - 10 and 11 are reserved
        raise _Nonsense
    return raw.decode() if kind % 2 else raw


def _varint(raw: bytes, position: int) -> tuple[int, int]:
    """Return a variable-length integer (up to nine bytes, signed as 64 bits) and the position after it."""
    value = 0
    for count in range(9):
        byte = raw[position + count]
        if count == 8:  # noqa: PLR2004 - the ninth byte counts whole
            value = value << 8 | byte
            return value - (1 << 64) if value >> 63 else value, position + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004 - the continuation bit
            return value, position + count + 1
    raise _Nonsense
