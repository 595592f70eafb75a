"""Adds it to Mneme."""

from __future__ import annotations

from adapters.sqlite.import_jobs import SqliteImportJobs
from adapters.sqlite.installation import ensure_installation
from bot.commands.status import StatusLines
from bot.core.rights import Whose
from bot.features.transfer.chat_imports import ChatImports
from bot.features.transfer.export_command import Export
from bot.features.transfer.exporting import ScopeExporter
from bot.features.transfer.import_command import Import
from bot.features.transfer.jobs import build_import_worker, build_telling
from bot.features.transfer.telling import describe_job, list_refused
from bot.ports.command import CommandCall
from bot.ports.exporter import Exporter
from bot.ports.import_jobs import ImportJobs
from bot.runtime.app import App


async def register(app: App) -> None:
    """Add imports and exports to Mneme."""
    installation = await ensure_installation(app.database, app.places.installation)
    exporter = ScopeExporter(app.database, app.places.exports, installation, app.clock.now)
    jobs = SqliteImportJobs(app.database, app.clock.now)

    def edits(platform: str) -> bool:
        return app.find_abilities(platform).edits

    def is_local(platform: str) -> bool:
        return app.find_abilities(platform).local

    worker = await build_import_worker(
        app.places,
        app.settings,
        app.database,
        app.clock,
        added=lambda scope: app.wake(scope),  # noqa: PLW0108 - looked up when it is called: it is set later
        tell=build_telling(app.database, app.clock, app.messengers, lambda: app.settings.current().language, edits),
        settings=app.chat_settings,
    )

    async def may(call: CommandCall) -> bool:
        return await app.may(call.name, call.message, call.scope, Whose.ALL)

    chat = ChatImports(worker, app.settings, app.file_sources)
    app.provide(Exporter, exporter)
    app.provide(ImportJobs, jobs)
    app.added.commands += [
        Export(app.voice, exporter, may, is_local),
        Import(app.voice, chat, app.rules.is_remembering, may, describe_job, is_local),
    ]
    app.added.menu += [Export.name, Import.name]
    app.added.jobs["imports"] = worker
    app.added.status.append(StatusLines("imports", lambda call, texts: list_refused(jobs, call, texts)))
