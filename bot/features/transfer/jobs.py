"""Joins the parts that do imports: in a running Mneme, and in a terminal beside none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from adapters.sqlite.archive import ensure_export_key
from adapters.sqlite.database import Database
from adapters.sqlite.import_jobs import SqliteImportJobs
from adapters.sqlite.imported import SqliteImports
from adapters.sqlite.installation import ensure_installation
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.core.prices import Reading, estimate_reading
from bot.features.transfer.importing import ImportRules, Survey
from bot.features.transfer.source import ImportSource, open_source
from bot.features.transfer.telling import ImportTelling
from bot.features.transfer.worker import ImportWorker
from bot.memory.scope import Scope
from bot.ports.chat_settings import ChatSettingsStore
from bot.ports.clock import Clock
from bot.ports.import_jobs import ImportJob, ImportJobs, ImportRequest
from bot.ports.messenger import Messenger
from bot.runtime.prices import build_prices
from language.registry import choose_texts


async def build_import_worker(
    places: Folders,
    live: LiveSettings,
    database: Database,
    clock: Clock,
    *,
    added: Callable[[Scope], None],
    tell: Callable[[ImportJob], Awaitable[None]],
    settings: ChatSettingsStore,
) -> ImportWorker:
    """Return what does imports over a database that is open."""
    key = await ensure_export_key(database)
    installation = await ensure_installation(database, places.installation)

    def open_file(job: ImportJob, path: Path) -> ImportSource:
        dates, zone = job.request.dates, find_zone(live)
        return open_source(path, job.name, scope=job.scope, key=key, here=installation, zone=zone, dates=dates)

    return ImportWorker(
        jobs=build_import_jobs(database, clock),
        store=SqliteImports(database, now=clock.now),
        folder=places.imports,
        open_file=open_file,
        rules=lambda job: build_rules(live, job.scope, job.request),
        added=added,
        tell=tell,
        settings=settings,
    )


def build_telling(
    database: Database,
    clock: Clock,
    messengers: Mapping[str, Messenger],
    default: Callable[[], str],
    edits: Callable[[str], bool],
) -> ImportTelling:
    """Return what tells chats how far their imports are, in their language, else in the ``default``."""
    jobs = build_import_jobs(database, clock)
    return ImportTelling(jobs, messengers, lambda job: choose_texts(job.language, default()).importing, edits)


def build_import_jobs(database: Database, clock: Clock) -> ImportJobs:
    """Return the imports that a store keeps."""
    return SqliteImportJobs(database, clock.now)


def build_rules(live: LiveSettings, scope: Scope, request: ImportRequest) -> ImportRules:
    """Return how a file is taken into a memory, by the settings in force."""
    settings = live.current()
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
    settings = live.current()
    reads = live.uses_long_term_memory() and settings.llm.configured
    prices = build_prices(settings.costs)
    return estimate_reading(survey.characters, settings.llm.model, prices) if reads else Reading()


def find_zone(live: LiveSettings) -> ZoneInfo | None:
    """Return the zone that times without one are told in, ``None`` for the machine's."""
    return ZoneInfo(live.time_zone()) if live.time_zone() else None
