"""Which pages of a damaged file belong to which table, and the rows that stand on them.

Where the tables begin is said by the file's own list of them and by the copy beside it.  Pages that no table leads to
any more are given to the only table or index that has lost pages and whose rows look like theirs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from adapters.sqlite.recovery.pages import Page, PageFile, Record

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
        """Return whether a row can be one of this tree."""
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
        """Give pages that no tree leads to a tree."""
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
