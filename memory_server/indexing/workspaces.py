"""Open workspaces: opened at first use, shared by requests, closed when memory runs short; and a request's way in."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Executor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import structlog

from memory_server.errors import Corrupt, DocumentRejected, StorageUnavailable
from memory_server.storage.records import list_unlike
from memory_server.storage.workspace import Tenant, Workspace, act_for

SUFFIX = ".sqlite3"
_BESIDE = ("-wal", "-shm", "-journal")


@dataclass(slots=True)
class _Open:
    """An open workspace and how many requests are in it."""

    workspace: Workspace
    users: int = 0
    idle: asyncio.Event = field(default_factory=asyncio.Event)


class Workspaces:
    """All workspaces of a data folder; ``embedding`` is the model's name, a slash and its dimension.

    At most ``most_open`` stay open, and no more than ``memory_limit`` bytes of them, except those in use.
    ``on_close`` is told before a workspace is closed, so that what was built on it goes as well.
    """

    def __init__(
        self, folder: Path, embedding: str, executor: Executor, *, memory_limit: int, most_open: int,
        on_close: Callable[[Workspace], Awaitable[None]],
    ) -> None:  # fmt: skip
        self._folder, self._embedding, self._executor = folder, embedding, executor
        self._memory_limit, self._most_open, self._on_close = memory_limit, most_open, on_close
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._changing = asyncio.Lock()
        self._dropping: dict[str, asyncio.Event] = {}
        self._aside = folder / "damaged"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def names(self) -> list[str]:
        """Return the names of all workspaces on disk."""
        return sorted(_name(path) for path in self._folder.glob(f"*{SUFFIX}"))

    def exists(self, name: str) -> bool:
        """Return whether a workspace is on disk."""
        return self._path(name).exists()

    @property
    def nbytes(self) -> int:
        """Memory that open workspaces hold, in bytes."""
        return sum(entry.workspace.nbytes for entry in self._open.values())

    @asynccontextmanager
    async def lease(self, name: str, *, create: bool = True) -> AsyncIterator[Workspace]:
        """Hold a workspace open.  One that does not exist is made, or (not ``create``) is an empty one in memory."""
        entry = await self._entered(name, create=create)
        if entry is None:
            workspace = await self._opened(name, None)
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

    def sweep(self) -> None:
        """Remove what a drop that was killed half-way left: log files without their workspace."""
        for suffix in _BESIDE:
            for path in self._folder.glob(f"*{SUFFIX}{suffix}"):
                if not Path(str(path).removesuffix(suffix)).exists():
                    path.unlink(missing_ok=True)

    async def drop(self, name: str) -> bool:
        """Close a workspace once nobody is in it and delete its files; ``False`` if there was none."""
        async with self._alone(name):
            return await asyncio.get_running_loop().run_in_executor(self._executor, self._unlink, name)

    async def rename(self, name: str, to: str) -> bool:
        """Give a workspace another name once nobody is in it; ``False`` if there is none.

        Raises :class:`DocumentRejected` when there is one of that name, :class:`StorageUnavailable` when the disk
        refuses.
        """
        if name == to:
            raise DocumentRejected(f"the workspace is called {to} already")
        first, second = sorted((name, to))
        async with self._alone(first), self._alone(second):
            if not self.exists(name):
                return False
            if self.exists(to):
                raise DocumentRejected(f"there is a workspace {to} already")
            # What a crash left in the log belongs to the old name: opening and closing copies it home.
            opened = await self._opened(name, self._path(name))
            await asyncio.get_running_loop().run_in_executor(self._executor, self._move, opened, to)
            return True

    @asynccontextmanager
    async def _alone(self, name: str) -> AsyncIterator[None]:
        """Keep everybody out of a workspace, which is closed once those in it are done."""
        while (other := self._dropping.get(name)) is not None:
            await other.wait()
        gone = self._dropping[name] = asyncio.Event()
        try:
            while (entry := self._open.get(name)) is not None and entry.users:
                entry.idle.clear()
                await entry.idle.wait()
            async with self._changing:
                if name in self._open:
                    await self._close(name)
            yield
        finally:
            del self._dropping[name]
            gone.set()

    async def close(self) -> None:
        """Close every workspace."""
        async with self._changing:
            for name in list(self._open):
                await self._close(name)

    async def _entered(self, name: str, *, create: bool) -> _Open | None:
        """Return an open workspace with one more user, ``None`` if there is none and none is to be made.

        Looked at once nobody is dropping it, and under the lock: between a look before and the opening it may go.
        """
        while (going := self._dropping.get(name)) is not None:
            await going.wait()
        async with self._changing:
            entry = self._open.get(name)
            if entry is not None and entry.workspace.damaged:
                raise StorageUnavailable(f"the file of workspace {name} is damaged and about to be set aside")
            if entry is None:
                entry = await self._found(name, create=create)
            if entry is None:
                return None
            self._open[name] = entry
            entry.users += 1
            self._open.move_to_end(name)
            return entry

    async def _found(self, name: str, *, create: bool) -> _Open | None:
        """Open a workspace's file; a damaged one is set aside, and is then one that does not exist."""
        path = self._path(name)
        if path.exists():
            try:
                return _Open(await self._opened(name, path))
            except Corrupt as error:
                await self._set_aside(name, error)
        return _Open(await self._opened(name, path)) if create else None

    async def _put_away(self, name: str, entry: _Open) -> None:
        """Close a workspace that was found damaged while it was used, and set its file aside."""
        if not entry.workspace.damaged:
            return
        async with self._changing:
            if self._open.get(name) is entry and not entry.users:
                await self._close(name)
                await self._set_aside(name, Corrupt("found while it was used"))

    async def _set_aside(self, name: str, reason: Corrupt) -> None:
        """Keep a damaged file, with its log, under another name; it is never deleted but with the workspace."""
        kept = await asyncio.get_running_loop().run_in_executor(self._executor, self._move_aside, name)
        structlog.get_logger().error("workspace_damaged", workspace=name, reason=str(reason), kept=kept)

    def _move_aside(self, name: str) -> str:
        path, stamp = self._path(name), datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        target = self._aside / f"{path.name.removesuffix(SUFFIX)}.damaged-{stamp}{SUFFIX}"
        try:
            self._aside.mkdir(mode=0o700, exist_ok=True)
            for suffix in ("", *_BESIDE):
                if Path(f"{path}{suffix}").exists():
                    Path(f"{path}{suffix}").rename(f"{target}{suffix}")
        except OSError as error:
            raise StorageUnavailable(f"the damaged file of {name} cannot be set aside: {error.strerror}") from error
        return target.name

    def set_aside(self, name: str = "") -> list[str]:
        """Return the names of damaged files that were kept, of one workspace or of all."""
        head = f"{self._path(name).name.removesuffix(SUFFIX)}.damaged-" if name else ""
        return sorted(path.name for path in self._aside.glob(f"*{SUFFIX}") if path.name.startswith(head))

    async def _opened(self, name: str, path: Path | None) -> Workspace:
        run = asyncio.get_running_loop().run_in_executor
        return await run(self._executor, lambda: Workspace(name, path, self._embedding, self._executor))

    async def _shrink(self) -> None:
        if len(self._open) <= self._most_open and self.nbytes <= self._memory_limit:
            return
        async with self._changing:
            for name in [name for name, entry in self._open.items() if not entry.users]:
                if len(self._open) <= self._most_open and self.nbytes <= self._memory_limit:
                    break
                if not self._open[name].users:
                    await self._close(name)

    async def _close(self, name: str) -> None:
        entry = self._open.pop(name)
        await self._on_close(entry.workspace)
        await asyncio.get_running_loop().run_in_executor(self._executor, entry.workspace.close)

    def _unlink(self, name: str) -> bool:
        path = self._path(name)
        existed = path.exists()
        try:
            for file in (path, *(self._aside / kept for kept in self.set_aside(name))):
                for suffix in ("", *_BESIDE):
                    Path(f"{file}{suffix}").unlink(missing_ok=True)
        except OSError as error:
            raise StorageUnavailable(f"the files of workspace {name} cannot be removed: {error.strerror}") from error
        return existed

    def _move(self, opened: Workspace, to: str) -> None:
        opened.close()
        path = self._path(opened.name)
        if Path(f"{path}-wal").exists():
            raise StorageUnavailable(f"the log of workspace {opened.name} is in use by another program")
        try:
            path.rename(self._path(to))
        except OSError as error:
            raise StorageUnavailable(f"workspace {opened.name} cannot be renamed: {error.strerror}") from error

    def _path(self, name: str) -> Path:
        """Return the file of a workspace; capitals are marked, as some file systems ignore them."""
        return self._folder / ("".join(f"-{c.lower()}" if c.isupper() else c for c in name) + SUFFIX)


def _name(path: Path) -> str:
    head, *rest = path.name.removesuffix(SUFFIX).split("-")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


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

    ``incarnation`` is "none" if it does not exist, "" where there is no such thing; ``empty`` says that the request
    may see nothing of it.
    """

    incarnation: str
    empty: bool = False


Entry = Callable[[str, Access], AbstractAsyncContextManager[Bound]]
"""Binds a workspace for as long as the context lasts; raises :class:`RequestRefused` when it cannot be had."""


@dataclass(frozen=True, slots=True)
class SqliteEntry:
    """Workspaces that are files; ``prepare`` opens the LightRAG of one."""

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


class Background(ABC):
    """Work on workspaces, at most one task for each: what is woken while it runs runs once more."""

    def __init__(self) -> None:
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._more: set[str] = set()
        self._stopped = False

    def wake(self, name: str) -> None:
        """Look into a workspace soon; returns at once."""
        if self._stopped:
            return
        if name in self._busy:
            self._more.add(name)
            return
        self._busy[name] = asyncio.create_task(self._attend(name), name=f"index {name}")

    async def wait_until_idle(self) -> None:
        """Return once nothing is being indexed and nothing is due; what waits for a retry may be left."""
        while self._busy:
            await asyncio.wait(list(self._busy.values()))

    async def stop(self) -> None:
        """Let the documents being indexed be finished or dropped, and end."""
        self._stopped = True
        for task in self._busy.values():
            task.cancel()
        await asyncio.gather(*self._busy.values(), return_exceptions=True)

    @abstractmethod
    async def _work(self, name: str) -> float | None:
        """Do what is due in a workspace, without errors; return after how many seconds to look again, if ever."""
        ...

    async def _attend(self, name: str) -> None:
        again: float | None = None
        try:
            again = await self._work(name)
        finally:
            del self._busy[name]
            if name in self._more:
                self._more.discard(name)
                self.wake(name)
            elif again is not None and not self._stopped:
                asyncio.get_running_loop().call_later(max(0.05, again), self.wake, name)
