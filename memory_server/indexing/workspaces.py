"""Open workspaces: opened at first use, shared by requests, closed when memory runs short; and a request's way in."""

import asyncio
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Executor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

import structlog

from memory_server.errors import ConfigInvalid, Corrupt, StorageUnavailable
from memory_server.storage.engines import Engine, Folder, Home, SqliteFile
from memory_server.storage.records import list_unlike
from memory_server.storage.workspace import Tenant, Workspace, act_for

T = TypeVar("T")


def choose_home(data_dir: Path, database_url: str) -> Home:
    """Return the home in the database, or in the data folder where none is named.

    Raises :class:`ConfigInvalid` for an address that is none, or where the driver is missing.
    """
    if not database_url:
        return Folder(data_dir / "workspaces")
    try:
        from memory_server.storage.postgres import Database  # noqa: PLC0415 - its driver is an optional dependency
    except ImportError as error:
        raise ConfigInvalid(
            "MEMORY_SERVER_STORAGE=postgres: psycopg must be installed where this runs "
            f"({sys.executable} -m pip install 'psycopg[binary]')"
        ) from error
    return Database(database_url)


@dataclass(slots=True)
class _Open:
    """An open workspace and how many requests are in it."""

    workspace: Workspace
    users: int = 0
    idle: asyncio.Event = field(default_factory=asyncio.Event)


class Workspaces:
    """All workspaces of a home; ``embedding`` is the model's name, a slash and its dimension.

    At most ``most_open`` stay open, and no more than ``memory_limit`` bytes of them, except those in use.
    ``on_close`` is told before a workspace is closed, so that what was built on it goes as well, ``on_open`` the name
    of one that was opened for a request: another server may have left something to be done in it.
    """

    def __init__(
        self, home: Home, embedding: str, executor: Executor, *, memory_limit: int, most_open: int,
        on_close: Callable[[Workspace], Awaitable[None]],
    ) -> None:  # fmt: skip
        self.on_open: Callable[[str], None] = lambda _: None
        self._home, self._embedding, self._executor = home, embedding, executor
        self._memory_limit, self._most_open, self._on_close = memory_limit, most_open, on_close
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._changing = WeakValueDictionary[str, asyncio.Lock]()
        """Held, each by its name, while a workspace is opened or closed, which waits while another server has it."""
        self._dropping: dict[str, asyncio.Event] = {}

    async def names(self) -> list[str]:
        """Return the names of all workspaces, open or not."""
        return await self._run(self._home.names)

    async def exists(self, name: str) -> bool:
        """Return whether there is a workspace of this name."""
        return await self._run(lambda: self._home.exists(name))

    async def list_set_aside(self, name: str = "") -> list[str]:
        """Return what damaged workspaces are kept under, of one workspace or of all."""
        return await self._run(lambda: self._home.list_set_aside(name))

    async def sweep(self) -> None:
        """Remove what a drop that was killed half-way left."""
        await self._run(self._home.sweep)

    @property
    def nbytes(self) -> int:
        """Memory that open workspaces hold, in bytes."""
        return sum(entry.workspace.nbytes for entry in self._open.values())

    @asynccontextmanager
    async def lease(self, name: str, *, create: bool = True, patient: bool = True) -> AsyncIterator[Workspace]:
        """Hold a workspace open.  One that does not exist is made, or (not ``create``) is an empty one in memory.

        Raises :class:`StorageUnavailable` where another server has it: at once for who is not ``patient``, as work is
        that is tried again by itself.
        """
        entry = await self._entered(name, create=create, patient=patient)
        if entry is None:
            workspace = await self._opened(name, SqliteFile(name, None))
            try:
                yield workspace
            finally:
                await self._on_close(workspace)
                workspace.close()
            return
        try:
            yield entry.workspace
        finally:
            entry.users -= 1
            if entry.users == 0:
                entry.idle.set()
                await self._put_away(name, entry)
            await self._shrink()

    async def drop(self, name: str) -> bool:
        """Keep everybody out, close a workspace once nobody is in it and delete it; ``False`` if there was none."""
        while (other := self._dropping.get(name)) is not None:
            await other.wait()
        gone = self._dropping[name] = asyncio.Event()
        try:
            while (entry := self._open.get(name)) is not None and entry.users:
                entry.idle.clear()
                await entry.idle.wait()
            async with self._hold(name):
                if name in self._open:
                    await self._close(name)
            return await self._run(lambda: self._home.drop(name))
        finally:
            del self._dropping[name]
            gone.set()

    async def close(self) -> None:
        """Close every workspace."""
        for name in list(self._open):
            async with self._hold(name):
                if name in self._open:
                    await self._close(name)
        await self._run(self._home.close)

    def _hold(self, name: str) -> asyncio.Lock:
        return self._changing.setdefault(name, asyncio.Lock())

    async def _entered(self, name: str, *, create: bool, patient: bool) -> _Open | None:
        """Return an open workspace with one more user, ``None`` if there is none and none is to be made."""
        # Looked at under the lock: between a look before and the opening it may go.
        while (going := self._dropping.get(name)) is not None:
            await going.wait()
        async with self._hold(name):
            entry = self._open.get(name)
            if entry is not None and entry.workspace.damaged:
                raise StorageUnavailable(f"the file of workspace {name} is damaged and about to be set aside")
            if entry is None:
                if not patient and await self._run(lambda: self._home.is_taken(name)):
                    raise StorageUnavailable(f"another memory server has the workspace {name} open")
                entry = await self._found(name, create=create)
                if entry is None:
                    return None
                self._open[name] = entry
                if patient:
                    self.on_open(name)
            entry.users += 1
            self._open.move_to_end(name)
            return entry

    async def _found(self, name: str, *, create: bool) -> _Open | None:
        """Open a workspace; a damaged one is set aside, and is then one that does not exist."""
        engine = self._home.engine(name)
        if await self.exists(name):
            try:
                return _Open(await self._opened(name, engine))
            except Corrupt as error:
                await self._set_aside(name, error)
        return _Open(await self._opened(name, engine)) if create else None

    async def _put_away(self, name: str, entry: _Open) -> None:
        """Close a workspace that was found damaged while it was used, and set its file aside."""
        if not entry.workspace.damaged:
            return
        async with self._hold(name):
            if self._open.get(name) is entry and not entry.users:
                await self._close(name)
                await self._set_aside(name, Corrupt("found while it was used"))

    async def _set_aside(self, name: str, reason: Corrupt) -> None:
        """Keep a damaged file, with its log, under another name; it is never deleted but with the workspace."""
        kept = await self._run(lambda: self._home.set_aside(name))
        structlog.get_logger().error("workspace_damaged", workspace=name, reason=str(reason), kept=kept)

    async def _opened(self, name: str, engine: Engine) -> Workspace:
        return await self._run(lambda: Workspace(name, engine, self._embedding, self._executor))

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def _shrink(self) -> None:
        if len(self._open) <= self._most_open and self.nbytes <= self._memory_limit:
            return
        for name in [name for name, entry in self._open.items() if not entry.users]:
            async with self._hold(name):
                if len(self._open) <= self._most_open and self.nbytes <= self._memory_limit:
                    break
                if name in self._open and not self._open[name].users:
                    await self._close(name)

    async def _close(self, name: str) -> None:
        entry = self._open.pop(name)
        await self._on_close(entry.workspace)
        await self._run(entry.workspace.close)


DAMAGED = "the workspace file was found damaged; it is set aside, and the workspace begins anew with the next request"
EDGE_LIMIT = 12
"""Relations of one entity that a query expands: a hub has thousands, and LightRAG would read all of them."""


class RequestRefused(Exception):
    """An answer given before any route is asked."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


@dataclass(frozen=True, slots=True)
class Access:
    """What a request wants: to write, to search (in ``documents`` only, if given), LightRAG's own routes.

    ``creates`` says that it puts something in: only then a workspace that does not exist is made.  ``unlike`` is a
    pattern of SQLite's ``GLOB``: documents whose file name fits it are not searched.
    """

    writes: bool
    searches: bool
    lightrag: bool
    documents: frozenset[str] | None = None
    creates: bool = False
    unlike: str = ""


@dataclass(frozen=True, slots=True)
class Bound:
    """A workspace bound to a request.

    ``incarnation`` is "none" if it does not exist; ``empty`` says that the request
    may see nothing of it.
    """

    incarnation: str
    empty: bool = False


Entry = Callable[[str, Access], AbstractAsyncContextManager[Bound]]
"""Binds a workspace for as long as the context lasts; raises :class:`RequestRefused` when it cannot be had."""


@dataclass(frozen=True, slots=True)
class WorkspaceEntry:
    """Binds by opening; ``prepare`` opens the LightRAG of a workspace."""

    workspaces: Workspaces
    prepare: Callable[[Workspace], Awaitable[object]]

    @asynccontextmanager
    async def __call__(self, name: str, access: Access) -> AsyncIterator[Bound]:
        """Lease the workspace and bind it."""
        async with self.workspaces.lease(name, create=access.creates) as workspace:
            if workspace.stale and access.searches:
                raise RequestRefused(503, "the embedding model changed; the workspace is about to be indexed again")
            if access.lightrag:
                await self.prepare(workspace)
            limit = EDGE_LIMIT if access.searches else None
            documents = access.documents
            if access.unlike:
                unlike = await workspace.read(lambda db: list_unlike(db, access.unlike))
                documents = unlike if documents is None else documents & unlike
            with act_for(Tenant(workspace, access.writes, documents, limit)):
                yield Bound(workspace.incarnation, documents is not None and not documents)
