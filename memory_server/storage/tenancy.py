"""The tenant of a call: bound to the request in a context variable, resolved where data is touched.

LightRAG passes no tenant through its calls, and a value handed through layers can be forgotten.  A context variable is
inherited by every task of a request and by nothing else; the storages take the open workspace from it and compare its
name with the one they were made for, so a mix-up raises instead of reading another chat's memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from memory_server.errors import ScopeMissing

if TYPE_CHECKING:
    from memory_server.storage.workspace import Workspace


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
