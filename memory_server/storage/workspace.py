"""One workspace: the connection that writes, the one that reads and its vectors in memory; and whose turn it is.

An entity's mentions lie together, so that reading one entity is reading one place; a document's mentions are then a
dozen places, each a page of the log and later one of the file, and the more entities there are the fewer share a page.
Hence two tables per kind behind one view (``compaction.sql``): the recent one in the order of arrival, small enough to
be read as a whole, and the settled one in the order of lookup: a log-structured merge tree (O'Neil et al., 1996) with
two levels.  Every recent chunk has a higher number than every settled one.

LightRAG passes no tenant through its calls, and a value handed through layers can be forgotten.  A context variable is
inherited by every task of a request and by nothing else; the storages take the open workspace from it and compare its
name with the one they were made for, so a mix-up raises instead of reading another chat's memory.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import structlog

from memory_server.errors import Corrupt, ScopeMissing, StorageUnavailable
from memory_server.storage.engines import BROKEN, Engine
from memory_server.storage.vector_index import Vector, VectorIndex

T = TypeVar("T")


def for_each_table(statement: str, tables: Iterable[str]) -> Mapping[str, str]:
    """Return a statement by table: the name of each in place of ``TABLE``, the rest as it is."""
    return MappingProxyType({table: statement.replace("TABLE", table) for table in tables})


VECTOR_TABLES = ("chunks", "entities", "relationships")
WINDOWS = "windows"
"""The table of what chunks say beyond the first window of their model."""
WINDOW_BITS = 16
PUT_VECTOR = for_each_table(
    "INSERT INTO vectors_TABLE (no, id, meta, v) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (no) DO UPDATE SET id = excluded.id, meta = excluded.meta, v = excluded.v",
    VECTOR_TABLES,
)
DROP_VECTOR = for_each_table("DELETE FROM vectors_TABLE WHERE no = ?", VECTOR_TABLES)
DROP_VECTORS = for_each_table("DELETE FROM vectors_TABLE", (*VECTOR_TABLES, WINDOWS))
VECTOR_NUMBERS = for_each_table("SELECT no FROM vectors_TABLE", (*VECTOR_TABLES, WINDOWS))
ALL_VECTORS = for_each_table("SELECT no, v FROM vectors_TABLE ORDER BY no", (*VECTOR_TABLES, WINDOWS))
VERIFIED_BYTES = 48 << 20
"""Files up to this size are checked page by page when the server starts (some 100 ms); others when they are used."""


@dataclass(slots=True)
class Transaction:
    """A write in progress: the connection, and the vector rows to change in memory once it is committed."""

    db: sqlite3.Connection
    vectors: dict[str, dict[int, Vector | None]] = field(default_factory=dict)

    def note(self, key: str, value: str) -> None:
        """Keep a value under a key of the workspace, in place of the one before."""
        ask = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        self.db.execute(ask, (key, value))

    def put_vector(
        self, table: str, no: int, vector: Vector, *, row_id: str | None = None, meta: str | None = None
    ) -> None:
        self.db.execute(PUT_VECTOR[table], (no, row_id, meta, vector.astype(np.float16).tobytes()))
        self.vectors.setdefault(table, {})[no] = vector

    def put_chunk(self, no: int, windows: Sequence[Vector]) -> None:
        """Insert or replace the vectors of a chunk: one for each window that its model reads, at least one."""
        self._drop_windows(no)
        self.put_vector("chunks", no, windows[0])
        for place, vector in enumerate(windows[1 : 1 << WINDOW_BITS], 1):
            number = no << WINDOW_BITS | place
            row = (number, vector.astype(np.float16).tobytes())
            self.db.execute("INSERT INTO vectors_windows (no, v) VALUES (?, ?)", row)
            self.vectors.setdefault(WINDOWS, {})[number] = vector

    def drop_vector(self, table: str, no: int) -> None:
        """Remove a row of a vector table, and what finds it."""
        if table == "chunks":
            self._drop_windows(no)
        self.db.execute(DROP_VECTOR[table], (no,))
        self.db.execute("DELETE FROM vector_ids WHERE ns = ? AND no = ?", (table, no))
        self.vectors.setdefault(table, {})[no] = None

    def _drop_windows(self, chunk: int) -> None:
        ask = "DELETE FROM vectors_windows WHERE no > ? AND no < ? RETURNING no"
        gone = self.db.execute(ask, (chunk << WINDOW_BITS, (chunk + 1) << WINDOW_BITS)).fetchall()
        if gone:
            self.vectors.setdefault(WINDOWS, {}).update({no: None for (no,) in gone})


class Workspace:
    """An open workspace.  Reads run beside writes; writes run one after another.

    Both raise :class:`StorageUnavailable` when the engine refuses and :class:`Corrupt` when the file is damaged.
    """

    def __init__(self, name: str, engine: Engine, embedding: str, executor: Executor) -> None:
        self.name, self._engine, self._executor = name, engine, executor
        self.mutating = asyncio.Lock()
        """Held by whoever reads, computes and writes back: indexing one document, erasing, re-embedding."""
        self.freed = False
        """Whether LightRAG's interface has changed the graph since the log was emptied: it may hold what is gone."""
        self._writing = asyncio.Lock()
        self._committing = threading.Lock()
        """Held while the writer is used: a write goes on when its caller is cancelled, and must end before a close."""
        self._reading = threading.Lock()
        self._loading = threading.Lock()
        """Keeps a commit from falling between reading the vectors and having them in memory."""
        self._indexes: dict[str, VectorIndex] = {}
        self._closed = False
        self._writer = engine.connect(writes=True, renewed=self._forget_vectors)
        try:
            engine.migrate(self._writer)
            stored = self._kept("embedding", embedding)
            self.incarnation = self._kept("incarnation", uuid4().hex) if engine.lasting else "none"
            """Random, as old as the rows: another one says that what this one held is gone.  "none" in memory."""
        except BROKEN as error:
            self._writer.close()
            raise engine.explain(error) from error
        self.embedding = embedding
        self.stale = stored != embedding
        """The vectors are another model's: they can be neither searched nor added to before a reindex."""
        self._dimension = int(stored.rsplit("/", 1)[1])
        self._reader = engine.connect(writes=False, renewed=self._forget_vectors)
        self.damaged = False
        """Whether SQLite has found the file damaged; :class:`Workspaces` sets it aside once nobody is in it."""

    @property
    def nbytes(self) -> int:
        """Memory held: vectors and both page caches, in bytes."""
        return sum(index.nbytes for index in self._indexes.values()) + 4_000_000

    async def read(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``ask`` on a connection that cannot write, in a worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._read, ask)

    async def write(self, change: Callable[[Transaction], T]) -> T:
        """Run ``change`` in one transaction, committed and fsynced when this returns; all of it or nothing.

        A cancelled call has committed or not, and never leaves a transaction open.
        """
        return await asyncio.shield(asyncio.ensure_future(self._between_writes(partial(self._write, change))))

    def index(self, table: str) -> VectorIndex:
        """Return the vectors of a table, loading them at first use (call it inside :meth:`read`)."""
        with self._loading:
            if (index := self._indexes.get(table)) is None:
                index = VectorIndex(self._dimension)
                rows = self._reader.execute(ALL_VECTORS[table])
                index.put((no, np.frombuffer(blob, np.float16).astype(np.float32)) for no, blob in rows)
                self._indexes[table] = index
            return index

    def renewed(self) -> None:
        """Take the running model's vectors from now on; those of the other one are gone."""
        self.stale = False
        self._dimension = int(self.embedding.rsplit("/", 1)[1])
        self._forget_vectors()

    async def verify(self) -> None:
        """Raise :class:`Corrupt` if SQLite finds the file damaged, as far as a look at the start can cost."""
        if self.incarnation != "none" and await self.read(self._engine.measure) <= VERIFIED_BYTES:
            await self.read(self._check)

    def find_damage(self, db: sqlite3.Connection) -> str:
        """Return what is wrong with the file, "" if it is well (call it inside :meth:`read`)."""
        return self._engine.find_damage(db)

    def _check(self, db: sqlite3.Connection) -> None:
        if damage := self.find_damage(db):
            self.damaged = True
            raise Corrupt(f"the file of workspace {self.name} is damaged: {damage.splitlines()[-1]}")

    async def checkpoint(self) -> None:
        """Copy the log home and empty it, so that no erased byte stays in it; waits for readers and the writer."""
        await asyncio.shield(asyncio.ensure_future(self._between_writes(self._empty_log)))

    def close(self) -> None:
        """Close both connections once they are not in use; the last one empties the log."""
        with self._committing, self._reading:
            self._closed = True
            self._reader.close()
            self._writer.close()
            self._indexes.clear()

    def _kept(self, key: str, made: str) -> str:
        """Return what the file has under a key, put there now if it has nothing yet."""
        self._writer.execute("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (key, made))
        found: str = self._writer.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0]
        return found

    def _read(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        with self._reading:
            try:
                return ask(self._reader)
            except BROKEN as error:
                raise self._failed(error) from error

    async def _between_writes(self, act: Callable[[], T]) -> T:
        async with self._writing:
            return await asyncio.get_running_loop().run_in_executor(self._executor, act)

    def _empty_log(self) -> None:
        with self._committing, self._reading:
            try:
                emptied = self._engine.empty_log(self._writer)
            except BROKEN as error:
                raise self._failed(error) from error
        if not emptied:
            raise StorageUnavailable(f"the log of workspace {self.name} is in use by another program")

    def _write(self, change: Callable[[Transaction], T]) -> T:
        with self._committing:
            if self._closed:
                raise StorageUnavailable(f"workspace {self.name} is closed")
            return self._commit(change)

    def _commit(self, change: Callable[[Transaction], T]) -> T:
        transaction = Transaction(self._writer)
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                result = change(transaction)
                compact(self._writer)
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise
        except BROKEN as error:
            raise self._failed(error) from error
        with self._loading:
            for table, changes in transaction.vectors.items():
                if (index := self._indexes.get(table)) is not None:
                    index.put(changes.items())
        return result

    def _forget_vectors(self) -> None:
        with self._loading:
            self._indexes.clear()

    def _failed(self, error: sqlite3.Error | UnicodeDecodeError) -> StorageUnavailable | Corrupt:
        explained = self._engine.explain(error)
        self.damaged |= isinstance(explained, Corrupt)
        return explained


@dataclass(frozen=True, slots=True)
class Tenant:
    """The workspace of a request and what the request may do there.

    ``documents`` (document ids) hides every other document from reads; ``edge_limit`` bounds how many relations of one
    entity a query expands (newest first), ``None`` expands all.  ``asked`` receives the vector of the question, once
    it is known.
    """

    workspace: Workspace
    writable: bool = True
    documents: frozenset[str] | None = None
    edge_limit: int | None = None
    asked: list[npt.NDArray[np.float32]] = field(default_factory=list)


_CURRENT: ContextVar[Tenant] = ContextVar("memory_server_tenant")


@contextmanager
def act_for(tenant: Tenant) -> Iterator[None]:
    """Bind ``tenant`` to everything that runs inside, tasks started there included."""
    token = _CURRENT.set(tenant)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current() -> Tenant:
    """Return the bound tenant; raises :class:`ScopeMissing` when nobody said whose memory this is."""
    tenant = _CURRENT.get(None)
    if tenant is None:
        raise ScopeMissing("memory was touched outside a request for a workspace")
    return tenant


def note_question(vector: npt.NDArray[np.float32]) -> None:
    """Note the vector of the running request's question, if it has none yet."""
    tenant = _CURRENT.get(None)
    if tenant is not None and not tenant.asked:
        tenant.asked.append(vector)


def tenant_of(workspace: str, *, write: bool = False) -> Tenant:
    """Return the bound tenant if it is ``workspace`` and may do this; raises :class:`ScopeMissing` otherwise."""
    tenant = current()
    if tenant.workspace.name != workspace:
        raise ScopeMissing("a storage handle of one workspace was used in a request for another")
    if write and not tenant.writable:
        raise ScopeMissing("a write through a read-only handle")
    return tenant


MOST_RECENT = 2048
"""Rows in a recent table before they settle: those of 200 exchanges, read as a whole in a tenth of a millisecond."""

_COUNT_RECENT = for_each_table("SELECT count(*) FROM TABLE_recent", ("mentions", "edge_mentions"))
_DROP_RECENT = for_each_table("DELETE FROM TABLE_recent", ("mentions", "edge_mentions"))
_READ_RECENT = {
    "mentions": "SELECT node, chunk, i, kind FROM mentions_recent ORDER BY 1, 2",
    "edge_mentions": "SELECT edge, chunk, i, keywords, weight FROM edge_mentions_recent ORDER BY 1, 2",
}
_COMPACT = {
    "mentions": "INSERT INTO mentions_settled (node, chunk, i, kind) VALUES (?, ?, ?, ?)",
    "edge_mentions": "INSERT INTO edge_mentions_settled (edge, chunk, i, keywords, weight) VALUES (?, ?, ?, ?, ?)",
}


def compact(db: sqlite3.Connection) -> None:
    """Move the rows of a recent table that holds too many, within the open transaction."""
    for table, count in _COUNT_RECENT.items():
        (held,) = db.execute(count).fetchone()
        if held > MOST_RECENT:
            rows = db.execute(_READ_RECENT[table]).fetchall()
            # One statement a row: INSERT ... SELECT would copy every page it touches to a journal of its own.
            db.executemany(_COMPACT[table], rows)
            db.execute(_DROP_RECENT[table])


_TEXTS = "SELECT json_extract(value, '$.file_path'), json_extract(value, '$.content') FROM kv WHERE ns = 'full_docs'"


def read_stored_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of every document below a data folder; a workspace that cannot be read is passed over."""
    for path in sorted((folder / "workspaces").glob("*.sqlite3")):
        try:
            with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as opened:
                yield from ((str(name), str(text)) for name, text in opened.execute(_TEXTS))
        except (sqlite3.Error, UnicodeDecodeError):
            structlog.get_logger().warning("workspace not readable", file=path.name)
