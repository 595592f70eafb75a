"""The worker that indexes what waits, in every workspace, for as long as the server lives.

One document at a time per workspace, a few workspaces side by side, each for a few documents; then it goes to the end
of the line, so that one that was given a thousand keeps nobody waiting.  Nothing is kept in memory but the names of
workspaces that have work: after a crash the same documents wait in the same order.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Protocol

import structlog

from memory_server.errors import DocumentRejected, MemoryServerError, ModelRefused, Temporary, locate_error
from memory_server.indexing import document_queue
from memory_server.indexing.workspaces import Workspaces
from memory_server.storage.workspace import Workspace

TURN = 8
"""Documents of one workspace that are indexed before the next workspace is served."""
PAUSE_S = 1.0
"""Seconds without a try in a workspace when vectors, model or disk are out of reach."""


class Indexer(Protocol):
    """Indexes one document."""

    async def index(self, workspace: Workspace, doc_id: str) -> bool:
        """Index a waiting document; ``False`` if there is nothing to do."""
        ...


class Worker:
    """Drains the inboxes; :meth:`wake` says that a workspace has work."""

    def __init__(self, workspaces: Workspaces, indexer: Indexer, *, attempts: int, side_by_side: int = 4) -> None:
        self._workspaces, self._indexer, self._attempts = workspaces, indexer, attempts
        self._slots = asyncio.Semaphore(side_by_side)
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._more: set[str] = set()
        self._stopped = False
        self.indexing: dict[str, str] = {}
        """The document being indexed, by workspace."""

    def wake(self, name: str) -> None:
        """Look into a workspace soon; returns at once."""
        if self._stopped:
            return
        if name in self._busy:
            self._more.add(name)
            return
        self._busy[name] = asyncio.create_task(self._drain(name), name=f"index {name}")

    async def resume(self, names: Sequence[str]) -> None:
        """Wake every workspace: after a restart nobody knows which have work."""
        for name in names:
            self.wake(name)
            await asyncio.sleep(0)

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

    async def _drain(self, name: str) -> None:
        again: float | None = None
        try:
            left = True
            while left:
                async with self._slots:  # those who wait are served in the order in which they came
                    left, again = await self._turn(name)
        except Temporary as error:
            again = time.time() + 5
            structlog.get_logger().warning("workspace_unavailable", workspace=name, error=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - the worker's edge: one workspace's failure must not end the others' indexing
            structlog.get_logger().error("indexing_stopped", workspace=name, error=locate_error(error))
        finally:
            del self._busy[name]
            if name in self._more:
                self._more.discard(name)
                self.wake(name)
            elif again is not None and not self._stopped:
                asyncio.get_running_loop().call_later(max(0.05, again - time.time()), self.wake, name)

    async def _turn(self, name: str) -> tuple[bool, float | None]:
        """Index a few documents; return whether more are due now, and when the next retry is if none are."""
        for _ in range(TURN):
            self._more.discard(name)
            # Not made here: one that is dropped meanwhile must not come back.
            async with self._workspaces.lease(name, create=False) as workspace:
                if workspace.stale:
                    return False, None
                doc_id, due = await workspace.read(lambda db: document_queue.find_next_document(db, time.time()))
                if doc_id is None:
                    return False, due
                if not await self._index(workspace, doc_id):
                    return False, time.time() + PAUSE_S
        return True, None

    async def _index(self, workspace: Workspace, doc_id: str) -> bool:
        """Index a document, or note why not; ``False`` when it was nothing about the document: the next fares alike."""
        started = time.monotonic()
        self.indexing[workspace.name] = doc_id
        log = structlog.get_logger().bind(workspace=workspace.name, document=doc_id)
        try:
            await self._indexer.index(workspace, doc_id)
        except DocumentRejected as error:
            await document_queue.postpone(workspace, doc_id, str(error), counts=True, most=1)
            log.warning("document_rejected")
        except (Temporary, ModelRefused) as error:
            await document_queue.postpone(workspace, doc_id, str(error), counts=False, most=self._attempts)
            log.warning("indexing_postponed", error=type(error).__name__)
            return False
        except Exception as error:  # noqa: BLE001 - the worker's edge: a document that breaks the indexer is retried, then set aside
            reason = str(error) if isinstance(error, MemoryServerError) else f"indexing failed: {type(error).__name__}"
            dead = await document_queue.postpone(workspace, doc_id, reason, counts=True, most=self._attempts)
            log.error("indexing_failed", set_aside=dead, error=locate_error(error))  # noqa: TRY400 - a traceback quotes texts
        else:
            log.info("document_indexed", milliseconds=round((time.monotonic() - started) * 1000))
        finally:
            self.indexing.pop(workspace.name, None)
        return True
