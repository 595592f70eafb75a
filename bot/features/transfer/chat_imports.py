"""Imports and exports asked for in a chat, joined: fetching, looking into a file, the list of imports, who may."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from adapters.imports.formats import Format
from bot.config.live import LiveSettings
from bot.errors import FileUnavailable, ImportRefused, StorageUnavailable
from bot.features.transfer.door import ImportLook
from bot.features.transfer.importing import Seen, Survey
from bot.features.transfer.jobs import build_rules, estimate_import
from bot.features.transfer.source import ImportSource, name_file
from bot.features.transfer.worker import ImportWorker, place_file
from bot.files import InboundFile
from bot.memory.scope import Scope
from bot.messages import Author, InboundMessage
from bot.ports.files import FileSource
from bot.ports.import_jobs import ImportJob, ImportRequest, JobState

_LARGEST: Final = 4_000_000_000
"""Bytes of a file that is handed over in the terminal; Telegram has a limit of its own."""


@dataclass(frozen=True, slots=True)
class ChatImports:
    """The port :class:`~bot.features.transfer.door.ImportDoor` of the settings in force."""

    worker: ImportWorker
    live: LiveSettings
    sources: Mapping[str, FileSource]

    async def look(self, message: InboundMessage, scope: Scope, file: InboundFile) -> ImportLook:
        """Fetch a file and say what stands in it."""
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
            await source.fetch(file, place, limit=_LARGEST)
            opened = await asyncio.to_thread(worker.open_file, job, place)
            if not isinstance(opened, ImportSource) or opened.format is Format.ITEMS:
                raise ImportRefused(f"{job.name} holds memories of an earlier version: import it in the terminal")
            rules = build_rules(live, scope, job.request)
            survey = await asyncio.to_thread(opened.survey, rules, believed=opened.ours)
            job = replace(
                job,
                total=survey.messages + survey.memories,
                request=replace(job.request, believed=opened.ours),
            )
            await worker.jobs.add(job)
        own = _find_own(opened, survey, message)
        return ImportLook(job, opened.format.value, survey, own, opened.ours, estimate_import(live, survey))

    async def begin(self, message: InboundMessage, scope: Scope, token: str, own: tuple[str, ...]) -> ImportJob | None:
        """Have a file imported that was looked into by the same person."""
        job = await self._find_own(message, scope, token)
        if job is None or job.state is not JobState.SHOWN:
            return None
        request = replace(job.request, own=own)
        begun = await self.worker.jobs.begin(token, request, job.total)
        return replace(job, request=request, state=JobState.WAITING) if begun else None

    async def cancel(self, message: InboundMessage, scope: Scope, token: str) -> ImportJob | None:
        """End an import of the same person, begun or not."""
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
    except BaseException:
        shutil.rmtree(place.parent, ignore_errors=True)
        raise


def _find_own(source: ImportSource, survey: Survey, message: InboundMessage) -> tuple[Seen, ...] | None:
    """Return who of a file is surely the one who sent it, ``None`` where they have to be asked."""
    if source.ours:
        return ()
    if source.format in {Format.CHATGPT, Format.CLAUDE}:
        return survey.people
    known = survey.authors.get(f"user{message.author.id}") if source.format is Format.TELEGRAM else None
    return (known,) if known is not None and message.address.platform == "telegram" else None
