"""Import and export: adds their commands and jobs to Mneme."""

from adapters.sqlite.import_jobs import SqliteImportJobs
from adapters.sqlite.installation import ensure_installation
from bot.commands.status import StatusLines
from bot.features.transfer.commands import Import, ImportTelling, list_refused
from bot.features.transfer.exporting import Export, ScopeExporter
from bot.features.transfer.jobs import ChatImports, build_import_worker
from bot.memory.scope import Scope
from bot.ports.transfer import Exporter, ImportJob
from bot.runtime.app import App
from language.command_texts import ImportTexts
from language.registry import choose_texts


async def register(app: App) -> None:
    """Add imports and exports to Mneme."""
    installation = await ensure_installation(app.database, app.places.installation)
    exporter = ScopeExporter(app.database, app.places.exports, installation, app.clock.now)
    jobs = SqliteImportJobs(app.database, app.clock.now)

    def choose(job: ImportJob) -> ImportTexts:
        return choose_texts(job.language, app.settings.current.language).importing

    async def grow(scope: Scope) -> None:
        app.wake(scope)
        for refresh in app.added.refresh:
            await refresh()

    worker = await build_import_worker(
        app.places,
        app.settings,
        app.database,
        app.clock,
        added=grow,
        tell=ImportTelling(jobs, app.messengers, choose, app.find_abilities),
        settings=app.chat_settings,
        admits=app.rules.is_admitted,
        shared=app.leases is not None,
    )

    chat = ChatImports(worker, app.settings, app.file_sources)
    app.provide(Exporter, exporter)
    app.provide(SqliteImportJobs, jobs)
    app.added.commands += [
        Export(exporter, app.may, app.find_abilities),
        Import(chat, app.rules.is_remembering, app.may, app.find_abilities),
    ]
    app.added.menu += [Export.name, Import.name]
    app.added.jobs["imports"] = worker
    app.added.status.append(StatusLines("imports", lambda call, texts: list_refused(jobs, call, texts)))
