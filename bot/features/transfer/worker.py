"""Does the imports that were asked for, one after the other, beside the conversation.

What an import needs stands in the store and below the data folder, so that a restart goes on with it; what was stored
before is known again, and is there once.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

import structlog

from bot.errors import ImportRefused, StorageUnavailable
from bot.features.transfer.importing import ImportRules
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import Source, redact
from bot.messages import Address
from bot.ports.chat_settings import ChatSettings, ChatSettingsStore
from bot.ports.conversation_import import Imported, ImportProgress, ImportStore
from bot.ports.import_jobs import ImportJob, ImportJobs, JobState

_BATCH: Final = 50
"""Exchanges per transaction: a turn that is committed meanwhile waits for one of them, some 50 ms."""
_LOOK_S: Final = 1.0
"""How often new imports are looked for: another process may have added one."""
_SHOWN_S: Final = 86_400.0
"""How long a file waits for somebody to say that it be imported."""


class Plannable(Protocol):
    """A file that was opened to be imported."""

    def plan(self, rules: ImportRules, *, believed: bool = False) -> Iterator[Imported]:
        """Yield what is to be stored of it.  Raises :class:`~bot.errors.ImportRefused`."""
        ...

    def list_settings(self, rules: ImportRules, *, believed: bool) -> Sequence[tuple[Address, ChatSettings]]:
        """Return what chats in it chose for themselves (blocking)."""
        ...


def place_file(folder: Path, job: ImportJob) -> Path:
    """Return where the file of an import lies."""
    return folder / f"{job.scope}-{job.token}" / job.name


@dataclass(frozen=True, slots=True)
class ImportWorker:
    """``open_file`` opens the file of an import (blocking), ``rules`` says how it is taken in.

    ``added`` is told of a memory that has grown, ``tell`` how far an import is, and its end.
    """

    jobs: ImportJobs
    store: ImportStore
    folder: Path
    open_file: Callable[[ImportJob, Path], Plannable]
    rules: Callable[[ImportJob], ImportRules]
    added: Callable[[Scope], None]
    tell: Callable[[ImportJob], Awaitable[None]]
    settings: ChatSettingsStore

    async def run(self) -> None:
        """Do imports as they are asked for, until cancelled."""
        await self.sweep()
        while True:
            if not await self.work_once():
                await asyncio.sleep(_LOOK_S)

    async def work_once(self) -> bool:
        """Do the oldest import that waits to its end; ``False`` if none does.

        Raises :class:`~bot.errors.StorageUnavailable`; then it still waits.
        """
        job = await self.jobs.next()
        if job is None:
            return False
        try:
            done = await self._store(job)
        except ImportRefused as error:
            found = await self._set_aside(job, str(error))
        except StorageUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - the edge of a worker that all chats share: one file ends one import
            structlog.get_logger().error("import set aside", scope=job.scope.tag, cause=type(error).__name__)
            found = await self._set_aside(job, f"it cannot be taken in ({type(error).__name__})")
        else:
            await self.jobs.end(job.token, JobState.DONE)
            found = replace(done, state=JobState.DONE)
        await asyncio.to_thread(shutil.rmtree, place_file(self.folder, job).parent, ignore_errors=True)
        self.added(job.scope)
        if found is not None:
            structlog.get_logger().info("import ended", scope=job.scope.tag, state=found.state.name, added=found.added)
            await self.tell(found)
        return True

    async def _set_aside(self, job: ImportJob, reason: str) -> ImportJob | None:
        """End an import with a reason, which its chat is told and ``/import`` shows."""
        found, reason = await self.jobs.find(job.token), redact(reason, Source.DOCUMENT).text
        if found is None or not await self.jobs.end(job.token, JobState.REFUSED, reason):
            return found
        return replace(found, state=JobState.REFUSED, reason=reason)

    async def sweep(self) -> None:
        """Delete files whose import has ended, or was never begun."""
        for folder in await asyncio.to_thread(lambda: list(self.folder.glob("*-*"))):
            job = await self.jobs.find(folder.name.rpartition("-")[2])
            age = time.time() - (await asyncio.to_thread(folder.stat)).st_mtime
            if job is None or job.state > JobState.WAITING:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            elif job.state is JobState.SHOWN and age > _SHOWN_S:
                await self.jobs.end(job.token, JobState.CANCELLED)
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _store(self, job: ImportJob) -> ImportJob:
        """Store what is new of a file, and return the import as it stands then."""
        source = await asyncio.to_thread(self.open_file, job, place_file(self.folder, job))
        rules = self.rules(job)
        planned = source.plan(rules, believed=job.request.believed)
        progress = ImportProgress(job=job.token)
        while batch := await asyncio.to_thread(_take, planned):
            done = await self.store.add(job.scope, batch, progress)
            job = replace(
                job,
                done=job.done + done.size,
                added=job.added + done.added,
                forgotten=job.forgotten + done.forgotten,
            )
            await self.tell(job)
        for address, told in await asyncio.to_thread(source.list_settings, rules, believed=job.request.believed):
            await self.settings.adjust(address, partial(_choose, told=told))
        return job


def _choose(now: ChatSettings, *, told: ChatSettings) -> ChatSettings:
    """Return what a chat has chosen here, else what it had chosen where the file comes from."""
    return told if now == ChatSettings() else now


def _take(planned: Iterator[Imported]) -> tuple[Imported, ...]:
    return tuple(islice(planned, _BATCH))
