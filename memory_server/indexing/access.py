"""A request's way to its workspace: opened, fit for the request and bound before a route runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from memory_server.indexing.workspaces import Workspaces
from memory_server.storage.records import list_unlike
from memory_server.storage.tenancy import Tenant, act_for
from memory_server.storage.workspace import Workspace

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


class Entry(Protocol):
    """Opens workspaces for requests."""

    def __call__(self, name: str, access: Access) -> AbstractAsyncContextManager[Bound]:
        """Bind a workspace for as long as the context lasts; raises :class:`RequestRefused` when it cannot be had."""
        ...


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
                raise RequestRefused(503, "the embedding model changed; run mneme memory-server reindex")
            if access.lightrag:
                await self.prepare(workspace)
            limit = EDGE_LIMIT if access.searches else None
            documents = access.documents
            if access.unlike:
                unlike = await workspace.read(lambda db: list_unlike(db, access.unlike))
                documents = unlike if documents is None else documents & unlike
            with act_for(Tenant(workspace, access.writes, documents, limit)):
                yield Bound(workspace.incarnation, documents is not None and not documents)
