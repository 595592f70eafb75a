"""Reads rows from the pages of a damaged file where SQLite cannot walk any more.

A table is a tree of pages.  SQLite reaches its rows from the top alone, so that one destroyed upper page, or the page
that says where tables begin, hides all of them.  Here every page is looked at by itself: what it holds is told by its
own bytes (https://www.sqlite.org/fileformat2.html, the sections are named below).

Which pages belong to which table is said by the file's own list of them and by the copy beside it.  Pages that no table
leads to any more are given to the only table or index that has lost pages and whose rows look like theirs.
"""

import mmap
import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

Value = int | float | str | bytes | None
Record = tuple[Value, ...]

HEADER_BYTES: Final = 100
MAGIC: Final = b"SQLite format 3\x00"
_PAGE_BYTES: Final = 4096
"""SQLite's default since 2016; no Mneme has made another."""
_INNER_INDEX, _INNER_TABLE, _INDEX_ROWS, _TABLE_ROWS = 2, 5, 10, 13
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_WAL_MAGIC: Final = {0x377F0682: "<", 0x377F0683: ">"}
_UNREADABLE: Final = (IndexError, ValueError, struct.error)


@dataclass(frozen=True, slots=True)
class Cell:
    """What a page holds at one place: a row of a table (with its number), of an index (0), or the page below."""

    number: int
    record: Record | None
    below: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """The readable cells of a page, whether it belongs to a table (or to an index), and the last page below it."""

    of_table: bool
    inner: bool
    cells: tuple[Cell, ...]
    broken: int
    """Cells that could not be read."""
    last: int = 0

    @property
    def below(self) -> tuple[int, ...]:
        """The numbers of the pages below an inner page."""
        return (*(cell.below for cell in self.cells), self.last) if self.inner else ()


class PageFile:
    """A file and the write-ahead log beside it, opened for reading; pages are numbered from 1.

    ``header`` is the first 100 bytes of the file as they were when it was whole, ``b""`` if nobody knows.
    """

    def __init__(self, path: Path, header: bytes = b"") -> None:
        with path.open("rb") as file:
            self._content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if header[:16] != MAGIC:
            header = self._content[:HEADER_BYTES]
        size, reserved = 0, 0
        if header[:16] == MAGIC:
            size, reserved = struct.unpack_from(">H2xB", header, 16)
            size = 65_536 if size == 1 else size
        if size not in {1 << power for power in range(9, 17)}:
            size, reserved = _PAGE_BYTES, 0
        self._size, self._usable = size, size - reserved
        log = path.with_name(f"{path.name}-wal")
        self._logged = read_log(log.read_bytes(), size) if log.exists() else {}
        self.count = max(-(-len(self._content) // size), *self._logged, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._content.close()

    def read(self, number: int, *, only_one: bool = False) -> Page | None:
        """Return a page of a tree, ``None`` for one that is none; ``only_one`` stops a page of rows at its first."""
        content = self._get(number)
        start = HEADER_BYTES if number == 1 else 0
        if not content or content[start] not in {_INNER_INDEX, _INNER_TABLE, _INDEX_ROWS, _TABLE_ROWS}:
            return None
        kind = content[start]
        inner, of_table = kind in {_INNER_INDEX, _INNER_TABLE}, kind in {_INNER_TABLE, _TABLE_ROWS}
        (count,) = struct.unpack_from(">H", content, start + 3)
        places = start + (12 if inner else 8)
        if places + 2 * count > self._usable:
            return None
        cells, broken = [], 0
        for place in struct.unpack_from(f">{count}H", content, places):
            try:
                if place < places + 2 * count:
                    raise ValueError("a cell inside the list of cells")
                cells.append(self._read_cell(content, place, kind))
            except _UNREADABLE:
                broken += 1
            if only_one and cells and not inner:
                break
        last = struct.unpack_from(">I", content, start + 8)[0] if inner else 0
        return Page(of_table, inner, tuple(cells), broken, last)

    def _get(self, number: int) -> bytes:
        """Return a page's bytes, ``b""`` for one that is not there as a whole."""
        if not 0 < number <= self.count:
            return b""
        content = self._logged.get(number) or self._content[(number - 1) * self._size : number * self._size]
        return content if len(content) == self._size else b""

    def _read_cell(self, content: bytes, place: int, kind: int) -> Cell:
        """Read one cell (section 1.6)."""
        below = number = 0
        if kind in {_INNER_INDEX, _INNER_TABLE}:
            (below,) = struct.unpack_from(">I", content, place)
            place += 4
        if kind == _INNER_TABLE:
            return Cell(read_varint(content, place)[0], None, below)
        length, place = read_varint(content, place)
        if kind == _TABLE_ROWS:
            number, place = read_varint(content, place)
        return Cell(
            number, decode_record(self._read_payload(content, place, length, of_table=kind == _TABLE_ROWS)), below
        )

    def _read_payload(self, content: bytes, place: int, length: int, *, of_table: bool) -> bytes:
        """Return a payload, its overflow pages included (section 1.7)."""
        usable = self._usable
        most = usable - 35 if of_table else (usable - 12) * 64 // 255 - 23
        least = (usable - 12) * 32 // 255 - 23
        here = length
        if length > most:
            here = least + (length - least) % (usable - 4)
            here = here if here <= most else least
        if not 0 <= length <= self.count * self._size or place + here > usable:
            raise ValueError("a cell that is longer than its page")
        pieces, missing = [content[place : place + here]], length - here
        following = struct.unpack_from(">I", content, place + here)[0] if missing else 0
        while missing:
            page = self._get(following)
            (following,) = struct.unpack_from(">I", page)
            pieces.append(page[4 : 4 + min(missing, usable - 4)])
            missing -= len(pieces[-1])
        if following:
            raise ValueError("a chain of pages that is too long")
        return b"".join(pieces)


def read_varint(content: bytes, place: int) -> tuple[int, int]:
    """Return the number of up to nine bytes at ``place``, signed, and the place behind it."""
    value = 0
    for index in range(place, place + 8):
        byte = content[index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004 - the last one
            return value, index + 1
    value = value << 8 | content[place + 8]
    return value - (1 << 64) if value >> 63 else value, place + 9


def decode_record(payload: bytes) -> Record:
    """Return the values of a row (section 2.1).

    Raises ``ValueError`` or ``IndexError`` for what is no row; bytes that are no text are replaced in it.
    """
    end, place = read_varint(payload, 0)
    at, values = end, list[Value]()
    while place < end:
        kind, place = read_varint(payload, place)
        value, at = _decode_value(payload, at, kind)
        values.append(value)
    if place != end or at != len(payload) or not values:
        raise ValueError("not a row")
    return tuple(values)


def _decode_value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in {0, 8, 9}:
        return (None if kind == 0 else kind - 8), at
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind == 7:  # noqa: PLR2004 - a float, as the table in section 2.1 numbers it
        return float(struct.unpack_from(">d", payload, at)[0]), at + 8
    if kind < 12:  # noqa: PLR2004 - reserved there, or negative
        raise ValueError("not a kind of value")
    end = at + (kind - 12) // 2
    if end > len(payload):
        raise ValueError("a value beyond its row")
    return (payload[at:end].decode(errors="replace") if kind % 2 else payload[at:end]), end


def read_log(log: bytes, size: int) -> dict[int, bytes]:
    """Return the pages of a write-ahead log as its last complete transaction left them (section 4)."""
    pages: dict[int, bytes] = {}
    if len(log) < 32 or (order := _WAL_MAGIC.get(struct.unpack_from(">I", log)[0])) is None:  # noqa: PLR2004 - its header
        return pages
    sums = _add_up(log[:24], (0, 0), order)
    if struct.unpack_from(">I", log, 8)[0] != size or struct.unpack_from(">2I", log, 24) != sums:
        return pages
    open_pages: dict[int, bytes] = {}
    for number, pages_after, salts, expected, content in _list_frames(log, size):
        sums = _add_up(content, _add_up(struct.pack(">2I", number, pages_after), sums, order), order)
        if salts != log[16:24] or expected != sums:
            break
        open_pages[number] = content
        if pages_after:
            pages.update(open_pages)
            open_pages.clear()
    return pages


def _list_frames(log: bytes, size: int) -> Iterator[tuple[int, int, bytes, tuple[int, int], bytes]]:
    for start in range(32, len(log) - 24 - size + 1, 24 + size):
        number, pages_after = struct.unpack_from(">2I", log, start)
        first, second = struct.unpack_from(">2I", log, start + 16)
        yield number, pages_after, log[start + 8 : start + 16], (first, second), log[start + 24 : start + 24 + size]


def _add_up(content: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = sums
    for even, odd in struct.iter_unpack(f"{order}2I", content):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


_TYPES: Final[dict[str, frozenset[type]]] = {
    "INTEGER": frozenset({int}),
    "INT": frozenset({int}),
    "REAL": frozenset({int, float}),
    "TEXT": frozenset({str}),
    "BLOB": frozenset({bytes}),
}
_NULL: Final[frozenset[type]] = frozenset({type(None)})
_ANY: Final[frozenset[type]] = frozenset({int, float, str, bytes, type(None)})
_LIST_OF_TREES: Final = 1
"""The page at which the list of tables and indexes begins."""


@dataclass(frozen=True, slots=True)
class Column:
    """A value of a row: what it may be, whether it may be missing at the end, whether it is the row's number."""

    name: str
    types: frozenset[type]
    optional: bool = False
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Tree:
    """A table or an index: ``columns`` in the order of the file; ``of_table``: rows are found by a number."""

    name: str
    columns: tuple[Column, ...]
    of_table: bool

    def fits(self, record: Record) -> bool:
        missing = self.columns[len(record) :]
        return (
            len(record) <= len(self.columns)
            and all(type(value) in column.types for value, column in zip(record, self.columns, strict=False))
            and all(column.optional for column in missing)
        )


@dataclass(slots=True)
class Found:
    """The pages of a tree; ``torn``: some of it could not be read, and pages may be missing."""

    pages: list[int] = field(default_factory=list)
    torn: bool = False


_LIST: Final = Tree(
    "sqlite_master",
    tuple(Column("", _TYPES[kind] | _NULL) for kind in ("TEXT", "TEXT", "TEXT", "INTEGER", "TEXT")),
    of_table=True,
)
"""Type, name, table, first page, statement."""


def list_trees(new: sqlite3.Connection) -> tuple[Tree, ...]:
    """Return the tables and indexes of a whole file."""
    rows = new.execute("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE rootpage > 0").fetchall()
    return tuple(_describe(new, *row) for row in rows)


def _describe(new: sqlite3.Connection, kind: str, name: str, table: str, sql: str | None) -> Tree:
    info = new.execute(
        'SELECT cid, name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)', (table,)
    ).fetchall()
    keys = sum(row[5] > 0 for row in info)
    clustered = kind == "table" and "WITHOUT ROWID" in (sql or "")
    columns = {}
    for cid, column, declared, required, default, key in info:
        is_number = declared == "INTEGER" and key == 1 and keys == 1 and kind == "table" and not clustered
        types = _TYPES.get(declared, _ANY)
        optional = default is not None or not required
        columns[cid] = Column(
            column,
            _NULL if is_number else types if required else types | _NULL,
            optional and not is_number and not key,
            is_number,
        )
    if kind == "table" and not clustered:
        return Tree(name, tuple(columns.values()), of_table=True)
    if clustered:
        (index,) = new.execute("SELECT name FROM pragma_index_list(?) WHERE origin = 'pk'", (table,)).fetchone()
    else:
        index = name
    order = new.execute("SELECT cid FROM pragma_index_xinfo(?) ORDER BY seqno", (index,)).fetchall()
    number = Column("rowid", _TYPES["INTEGER"])
    return Tree(name, tuple(columns.get(cid, number) for (cid,) in order), of_table=False)


class Forest:
    """The trees of a damaged file; ``roots`` says where they were when somebody last looked."""

    def __init__(self, file: PageFile, trees: tuple[Tree, ...], roots: dict[str, int]) -> None:
        self._file = file
        self._trees = {tree.name: tree for tree in trees}
        self.found = {tree.name: Found() for tree in trees}
        self._owned: set[int] = set()
        listed = Found()
        self._walk(_LIST, _LIST_OF_TREES, listed)
        said = {str(row[1]): row[3] for row in self._read_rows(_LIST, listed) if isinstance(row[3], int)}
        for name, tree in self._trees.items():
            found = self.found[name]
            found.torn = name in roots or listed.torn or not said  # else the file is older than this table
            for root in (said.get(name), roots.get(name)):
                if root is not None and (found.torn or not found.pages):
                    found.torn = False
                    self._walk(tree, root, found)
        self._adopt()

    def list_rows(self, name: str) -> Iterator[Record]:
        """Yield the rows of a table or index, each value in its column's place; numbers are filled in."""
        yield from self._read_rows(self._trees[name], self.found[name])

    def get_columns(self, name: str) -> tuple[str, ...]:
        """Return the names of what a row holds, in its order."""
        return tuple(column.name for column in self._trees[name].columns)

    def _walk(self, tree: Tree, root: int, found: Found) -> None:
        """Follow a tree down from a page and note what belongs to it."""
        waiting, seen = [root], set[int]()
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            page = self._file.read(number, only_one=True)
            if page is None or page.of_table != tree.of_table or not _suits(tree, page):
                found.torn = True
                continue
            if number not in self._owned:
                self._owned.add(number)
                found.pages.append(number)
            waiting.extend(page.below)

    def _adopt(self) -> None:
        torn = [self._trees[name] for name, found in self.found.items() if found.torn]
        for number in range(1, self._file.count + 1) if torn else ():
            if number in self._owned:
                continue
            page = self._file.read(number)
            if page is None or (page.inner and page.of_table) or not page.cells:
                continue
            fitting = [tree for tree in torn if tree.of_table == page.of_table and _suits(tree, page)]
            if len(fitting) == 1:
                self.found[fitting[0].name].pages.append(number)

    def _read_rows(self, tree: Tree, found: Found) -> Iterator[Record]:
        at = next((place for place, column in enumerate(tree.columns) if column.is_number), None)
        for number in found.pages:
            page = self._file.read(number)
            found.torn |= page is None or page.broken > 0
            for cell in page.cells if page is not None else ():
                if cell.record is None:
                    continue
                if not tree.fits(cell.record):
                    found.torn = True
                    continue
                yield cell.record if at is None else (*cell.record[:at], cell.number, *cell.record[at + 1 :])


def _suits(tree: Tree, page: Page) -> bool:
    """Return whether what can be read of a page looks like a tree's, or most of it where single rows are damaged."""
    rows = [cell.record for cell in page.cells if cell.record is not None]
    return 2 * sum(tree.fits(row) for row in rows) >= len(rows)
