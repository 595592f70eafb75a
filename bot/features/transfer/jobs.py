"""Imports, asked for in a chat or in the terminal, and done one after the other beside the conversation.

What an import needs stands in the store and below the data folder, so that a restart goes on with it; what was stored
before is known again, and is there once.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from glob import glob
from itertools import islice
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import structlog

from adapters.imports.formats import Format
from adapters.sqlite.database import Database
from adapters.sqlite.import_jobs import SqliteImportJobs
from adapters.sqlite.imported import SqliteImports
from adapters.sqlite.installation import ensure_export_key, ensure_installation
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.core.pipeline import admit_everybody
from bot.errors import FileUnavailable, ImportRefused, StorageUnavailable
from bot.features.transfer.importing import ImportRules, Seen, Survey
from bot.features.transfer.source import ImportSource, name_file, open_source
from bot.files import InboundFile
from bot.memory.scope import Installation, Scope
from bot.memory.secrets.redaction import Source, redact
from bot.messages import Address, Author, InboundMessage
from bot.ports.chats import ChatSettings, ChatSettingsStore
from bot.ports.messenger import FileSource
from bot.ports.transfer import Imported, ImportJob, ImportProgress, ImportRequest, JobState
from bot.ports.usage import Reading, estimate_reading, find_prices
from bot.ports.when import Clock

_BATCH: Final = 50
"""Exchanges per transaction: a turn that is committed meanwhile waits for one of them, some 50 ms."""
_LOOK_S: Final = 1.0
"""How often new imports are looked for: another process may have added one."""
_SHOWN_S: Final = 86_400.0
"""How long a file waits for somebody to say that it be imported."""
_LARGEST_FILE: Final = 4_000_000_000
"""Bytes of a file that is handed over in the terminal; Telegram has a limit of its own."""


def place_file(folder: Path, job: ImportJob) -> Path:
    """Return where the file of an import lies."""
    return folder / f"{job.scope}-{job.token}" / job.name


async def build_import_worker(
    places: Folders,
    live: LiveSettings,
    database: Database,
    clock: Clock,
    *,
    added: Callable[[Scope], Awaitable[None]],
    tell: Callable[[ImportJob], Awaitable[None]],
    settings: ChatSettingsStore,
    admits: Callable[[Address, int], Awaitable[bool]] = admit_everybody,
    shared: bool = False,
) -> ImportWorker:
    """Return what does imports over a database that is open."""
    return ImportWorker(
        jobs=SqliteImportJobs(database, clock.now),
        store=SqliteImports(database, now=clock.now),
        folder=places.imports,
        live=live,
        key=await ensure_export_key(database),
        here=await ensure_installation(database, places.installation),
        added=added,
        tell=tell,
        settings=settings,
        admits=admits,
        shared=shared,
    )


@dataclass(frozen=True, slots=True)
class ImportWorker:
    """Does imports by the settings in force; ``key`` and ``here`` are those of this installation's own exports.

    Where the database is ``shared`` by several workers, each does those whose file it was handed.
    ``added`` is told of a memory that has grown, ``tell`` how far an import is, and its end.
    One ends, told to nobody, as soon as who asked for it in a chat is not let in there by ``admits``.
    """

    jobs: SqliteImportJobs
    store: SqliteImports
    folder: Path
    live: LiveSettings
    key: bytes
    here: Installation
    added: Callable[[Scope], Awaitable[None]]
    tell: Callable[[ImportJob], Awaitable[None]]
    settings: ChatSettingsStore
    admits: Callable[[Address, int], Awaitable[bool]] = admit_everybody
    shared: bool = False

    def open_file(self, job: ImportJob, path: Path) -> ImportSource:
        """Open the file of an import (blocking).  Raises :class:`~bot.errors.ImportRefused`."""
        zone, dates = find_zone(self.live), job.request.dates
        return open_source(path, job.name, scope=job.scope, key=self.key, here=self.here, zone=zone, dates=dates)

    async def run(self) -> None:
        """Do imports as they are asked for, until cancelled."""
        await self.sweep()
        while True:
            if not await self.work_once():
                await asyncio.sleep(_LOOK_S)
                while not await asyncio.to_thread(glob, "*-*", root_dir=self.folder):  # noqa: ASYNC110 - others hand in
                    await asyncio.sleep(_LOOK_S)

    async def work_once(self) -> bool:
        """Do the oldest import that waits to its end; ``False`` if none does.

        Raises :class:`~bot.errors.StorageUnavailable`; then it still waits.
        """
        job = await self.jobs.next(await asyncio.to_thread(self._list_here) if self.shared else None)
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
            await self.added(job.scope)  # before anybody is told of its end
            await self.jobs.end(job.token, JobState.DONE)
            found = replace(done, state=JobState.DONE)
        await asyncio.to_thread(shutil.rmtree, place_file(self.folder, job).parent, ignore_errors=True)
        if found is not None:
            structlog.get_logger().info("import ended", scope=job.scope.tag, state=found.state.name, added=found.added)
            if await self._is_admitted(found):
                await self.tell(found)
        return True

    async def _is_admitted(self, job: ImportJob) -> bool:
        """Whether who asked for it may still talk to the bot; what is imported in the terminal is the operator's."""
        return job.address is None or await self.admits(job.address, job.asker_id)

    async def _set_aside(self, job: ImportJob, reason: str) -> ImportJob | None:
        """End an import with a reason, which its chat is told and ``/import`` shows."""
        await self.added(job.scope)
        found, reason = await self.jobs.find(job.token), redact(reason, Source.DOCUMENT).text
        if found is None or not await self.jobs.end(job.token, JobState.REFUSED, reason):
            return found
        return replace(found, state=JobState.REFUSED, reason=reason)

    def _list_here(self) -> frozenset[str]:
        """Return the tokens of the imports whose files lie here."""
        return frozenset(folder.name.rpartition("-")[2] for folder in self.folder.glob("*-*"))

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
        rules = build_rules(self.live, job.scope, job.request)
        planned = source.plan(rules, believed=job.request.believed)
        progress = ImportProgress(job=job.token)
        while batch := await asyncio.to_thread(_take, planned):
            if not await self._is_admitted(job):
                await self.jobs.end(job.token, JobState.CANCELLED)
            done = await self.store.add(job.scope, batch, progress)  # refused where it was cancelled
            job = replace(
                job, done=job.done + done.size, added=job.added + done.added, forgotten=job.forgotten + done.forgotten
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


def build_rules(live: LiveSettings, scope: Scope, request: ImportRequest) -> ImportRules:
    """Return how a file is taken into a memory, by the settings in force."""
    settings = live.current
    return ImportRules(
        scope=scope,
        user=request.user,
        own=frozenset(request.own),
        idle=timedelta(minutes=settings.session.idle_minutes),
        min_length=settings.rag.index_min_length,
        indexing=live.uses_long_term_memory(),
        deriving=live.keeps_items(),
        zone=find_zone(live),
    )


def estimate_import(live: LiveSettings, survey: Survey) -> Reading:
    """Return what long-term memory's language model will read of an import, nothing where none does."""
    settings = live.current
    reads = live.uses_long_term_memory() and settings.llm.configured
    prices = find_prices(settings.list_features())
    return estimate_reading(survey.characters, settings.llm.model, prices) if reads else Reading()


def find_zone(live: LiveSettings) -> ZoneInfo | None:
    """Return the zone that times without one are told in, ``None`` for the machine's."""
    return ZoneInfo(live.time_zone()) if live.time_zone() else None


@dataclass(frozen=True, slots=True)
class ImportLook:
    """A file that was looked into; nothing of it is stored.

    ``own`` is who in it is surely the user, ``None`` where that has to be asked.  ``ours`` says that it is this
    installation's own export of this memory.  ``reading`` is about what a language model will be given to read.
    """

    job: ImportJob
    format: str
    survey: Survey
    own: tuple[Seen, ...] | None
    ours: bool
    reading: Reading


@dataclass(frozen=True, slots=True)
class ChatImports:
    """Takes files of one memory in, for whoever sent them, by the settings in force."""

    worker: ImportWorker
    live: LiveSettings
    sources: Mapping[str, FileSource]

    async def look(self, message: InboundMessage, scope: Scope, file: InboundFile) -> ImportLook:
        """Fetch a file and say what stands in it; it waits below the data folder for a word to begin.

        Raises :class:`~bot.errors.ImportRefused` for what cannot be imported, and
        :class:`~bot.errors.FileUnavailable`; then nothing is left of it.
        """
        worker, live = self.worker, self.live
        source = self.sources.get(message.address.platform)
        if source is None:
            raise FileUnavailable("files cannot be fetched here", why="unreachable")
        await self._drop_shown(scope)
        user = message.author
        job = ImportJob(
            token=secrets.token_hex(6),
            scope=scope,
            asker_id=user.id,
            name=name_file(file.name),
            request=ImportRequest(Author(user.id, user.name, user.trust)),
            total=0,
            address=message.address,
            language=message.language,
        )
        place = place_file(worker.folder, job)
        with _kept_only_whole(place):
            await source.fetch(file, place, limit=_LARGEST_FILE)
            opened = await asyncio.to_thread(worker.open_file, job, place)
            rules = build_rules(live, scope, job.request)
            survey = await asyncio.to_thread(opened.survey, rules, believed=opened.ours)
            job = replace(
                job, total=survey.messages + survey.memories, request=replace(job.request, believed=opened.ours)
            )
            await worker.jobs.add(job)
        own = _find_own(opened, survey, message)
        return ImportLook(job, opened.format.value, survey, own, opened.ours, estimate_import(live, survey))

    async def begin(self, message: InboundMessage, scope: Scope, token: str, own: tuple[str, ...]) -> ImportJob | None:
        """Have a file imported that was looked into by the same person; ``None`` if it is not there any more."""
        job = await self._find_own(message, scope, token)
        if job is None or job.state is not JobState.SHOWN:
            return None
        request = replace(job.request, own=own)
        begun = await self.worker.jobs.begin(token, request, job.total)
        return replace(job, request=request, state=JobState.WAITING) if begun else None

    async def cancel(self, message: InboundMessage, scope: Scope, token: str) -> ImportJob | None:
        """End an import of the same person, begun or not; ``None`` if it is over."""
        job = await self._find_own(message, scope, token)
        if job is None or not await self.worker.jobs.end(token, JobState.CANCELLED):
            return None
        if job.state is JobState.SHOWN:
            await self._drop_file(job)
        return replace(job, state=JobState.CANCELLED)

    async def find(self, scope: Scope) -> ImportJob | None:
        """Return the import of a memory that waits or is under way."""
        return await self.worker.jobs.find_open(scope)

    async def _find_own(self, message: InboundMessage, scope: Scope, token: str) -> ImportJob | None:
        job = await self.worker.jobs.find(token)
        mine = job is not None and job.scope == scope and message.author.id == job.asker_id
        return job if mine else None

    async def _drop_shown(self, scope: Scope) -> None:
        """Let go of a file that was shown before and never begun: another takes its place."""
        job = await self.find(scope)
        if (
            job is not None
            and job.state is JobState.SHOWN
            and await self.worker.jobs.end(job.token, JobState.CANCELLED)
        ):
            await self._drop_file(job)

    async def _drop_file(self, job: ImportJob) -> None:
        folder = place_file(self.worker.folder, job).parent
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


@contextmanager
def _kept_only_whole(place: Path) -> Iterator[None]:
    """Make the folder of a file, and delete it with the file where anything goes wrong."""
    try:
        place.parent.mkdir(mode=0o700, parents=True)
        yield
    except OSError as error:
        shutil.rmtree(place.parent, ignore_errors=True)
        raise StorageUnavailable(f"{place} cannot be written: {error.strerror}") from error
    except BaseException as error:
        shutil.rmtree(place.parent, ignore_errors=True)
        if isinstance(error, FileUnavailable) and error.why == "disk":  # ours: to send it again would not help
            raise StorageUnavailable(str(error)) from error
        raise


def _find_own(source: ImportSource, survey: Survey, message: InboundMessage) -> tuple[Seen, ...] | None:
    """Return who of a file is surely the one who sent it, ``None`` where they have to be asked."""
    if source.ours:
        return ()
    if source.format in {Format.CHATGPT, Format.CLAUDE}:
        return survey.people
    known = survey.authors.get(f"user{message.author.id}") if source.format is Format.TELEGRAM else None
    return (known,) if known is not None and message.address.platform == "telegram" else None
