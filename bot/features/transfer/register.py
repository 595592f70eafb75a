"""Import and export: /import shows a file that is sent, begins by a button, and tells of it until the end; /export.

How far an import is stands in one message that is edited now and then.  It is marked before it is sent, so that a
restart never sends a second one.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import ClassVar, Final

import structlog

from adapters.archive.files import write_archive
from adapters.sqlite.archive import SqliteSnapshot, read_snapshot
from adapters.sqlite.database import Database
from adapters.sqlite.import_jobs import SqliteImportJobs
from adapters.sqlite.installation import ensure_export_key, ensure_installation
from bot.commands.formatting import escape, make_reply
from bot.commands.status import StatusLines
from bot.core.rights import May, Whose
from bot.errors import DeliveryUnknown, FileUnavailable, ImportRefused, NotDelivered, StorageUnavailable
from bot.features.transfer.importing import NOBODY
from bot.features.transfer.jobs import ChatImports, ImportLook, build_import_worker
from bot.files import InboundFile, OutboundFile
from bot.memory.scope import Installation, Scope
from bot.memory.secrets.redaction import Source, redact
from bot.messages import Address, ChatKind
from bot.ports.messenger import Messenger, RateLimitedMessenger
from bot.ports.system import CommandCall
from bot.ports.transfer import ArchiveHeader, ExportedFile, Exporter, ImportJob, JobState
from bot.runtime.app import App
from bot.runtime.channel import Abilities
from bot.turn import EVERYTHING, Reply, ReplyKind
from language.command_texts import ExportTexts, ImportTexts
from language.registry import choose_texts
from language.texts import Texts

_PEOPLE: Final = 8
"""People that are offered as the user; others can be named: ``/import as TOKEN NAME``."""
LARGEST: Final = 20
"""Megabytes that a bot may fetch: https://core.telegram.org/bots/api#getfile."""
_PAUSE_S: Final = 5.0
"""Between two edits: Telegram allows some twenty a minute in a group."""


@dataclass(frozen=True, slots=True)
class Import:
    """Shows what stands in a file, then imports it for whoever sent it.

    Into the memory of a chat its own person may import, into that of a group its admins and the owner.
    """

    door: ChatImports
    remembering: Callable[[], bool]
    may: May
    find_abilities: Callable[[str], Abilities]
    """Says what a platform can do."""

    name: ClassVar[str] = "import"

    async def run(self, call: CommandCall) -> Reply:
        """Return what stands in the file, or how an import goes on."""
        texts = call.texts.importing
        if not self.remembering() or not await self.may(self.name, call.message, call.scope, Whose.ALL):
            return make_reply(texts.owner_only if self.remembering() else texts.memory_off)
        match call.argument.split(maxsplit=2):
            case ["as", token, who]:
                return await self._begin(call, token, who, texts)
            case ["cancel", token]:
                job = await self.door.cancel(call.message, call.scope, token)
                return make_reply(texts.gone if job is None else describe_job(job, texts))
        file = call.message.file
        if file is not None:
            return await self.look(call, file)
        return await self._tell(call, texts)

    def _is_local(self, call: CommandCall) -> bool:
        return self.find_abilities(call.message.address.platform).local

    async def _tell(self, call: CommandCall, texts: ImportTexts) -> Reply:
        """Return how far the import of this memory is, or how one is begun."""
        job = await self.door.find(call.scope)
        if call.argument or job is None or job.state is JobState.SHOWN:
            return make_reply(texts.none, texts.usage_terminal if self._is_local(call) else texts.usage)
        return make_reply(describe_job(job, texts), buttons=((texts.cancel_button, f"/import cancel {job.token}"),))

    async def look(self, call: CommandCall, file: InboundFile) -> Reply:
        """Return what stands in a file, with the buttons that go on."""
        texts = call.texts
        open_job = await self.door.find(call.scope)
        if open_job is not None and open_job.state is JobState.WAITING:
            return make_reply(texts.importing.busy)
        try:
            found = await self.door.look(call.message, call.scope, file)
        except ImportRefused as error:
            return make_reply(
                texts.importing.refused.format(reason=escape(redact(str(error), Source.DOCUMENT).text, 400))
            )
        except FileUnavailable as error:
            too_large = error.why == "too_large"
            words = texts.importing
            if too_large:
                return make_reply(words.too_large.format(limit=LARGEST))
            return make_reply(words.not_fetched, words.usage_terminal if self._is_local(call) else "")
        return _show(found, texts, call)

    async def _begin(self, call: CommandCall, token: str, who: str, texts: ImportTexts) -> Reply:
        job = await self.door.begin(call.message, call.scope, token, () if who == NOBODY else (who,))
        if job is None:
            return make_reply(texts.gone)
        button = (texts.cancel_button, f"/import cancel {job.token}")
        return make_reply(texts.begun.format(name=escape(job.name, 80)), buttons=(button,))


def _show(found: ImportLook, texts: Texts, call: CommandCall) -> Reply:
    words, survey, token, reading = texts.importing, found.survey, found.job.token, found.reading
    tokens = words.tokens_priced if reading.money else words.tokens
    zone = call.now.tzinfo
    first = texts.day(survey.first, zone) if survey.first else ""
    last = texts.day(survey.last, zone) if survey.last else ""
    head = words.survey.format(
        format=found.format, messages=survey.messages, chats=len(survey.chats), first=first, last=last
    )
    left_out = [
        words.left_out.format(what=words.reasons.get(reason.name, reason.name), count=count)
        for reason, count in survey.left_out.most_common()
    ]
    people = [f"- {escape(seen.name or seen.author, 60)}: {seen.messages}" for seen in survey.people[:_PEOPLE]]
    if len(survey.people) > _PEOPLE:
        people.append(f"- {words.more_people.format(count=len(survey.people) - _PEOPLE)}")
    lines = [
        head,
        words.archive.format(items=survey.memories) if survey.memories else "",
        "\n".join(people),
        "\n".join(left_out),
        tokens.format(tokens=f"{reading.tokens:,}", money=reading.money) if reading.tokens else "",
    ]
    cancel = (words.cancel_button, f"/import cancel {token}")
    if found.own is None:
        each = tuple(
            (f"{escape(seen.name or seen.author, 30)}", f"/import as {token} {seen.author}")
            for seen in survey.people[:_PEOPLE]
        )
        nobody = (words.nobody_button, f"/import as {token} {NOBODY}")
        return make_reply(*lines, words.who, buttons=(*each, nobody, cancel))
    who = found.own[0].author if found.own else NOBODY
    name = escape(found.own[0].name or found.own[0].author, 60) if found.own else ""
    told = words.own_export if found.ours else words.you.format(name=name) if name else ""
    start = (words.start_button, f"/import as {token} {who}")
    return make_reply(*lines, told, words.start, buttons=(start, cancel))


@dataclass(slots=True)
class ImportTelling:
    """Tells chats how far their imports are.

    ``texts`` returns the sentences in a chat's language, by the import's own; ``find_abilities`` what a platform can
    do: where an edit would be another line, only the end is told.
    """

    jobs: SqliteImportJobs
    messengers: Mapping[str, Messenger]
    texts: Callable[[ImportJob], ImportTexts]
    find_abilities: Callable[[str], Abilities]
    monotonic: Callable[[], float] = time.monotonic
    _messages: dict[str, int] = field(default_factory=dict)
    _told_at: float = 0.0

    async def __call__(self, job: ImportJob) -> None:
        """Show how an import stands; what cannot be sent now is told with the next step, or by ``/import``."""
        address, ended, now = job.address, job.state is not JobState.WAITING, self.monotonic()
        messenger = self.messengers.get(address.platform) if address is not None else None
        if address is None or messenger is None:
            return
        if not ended and (now - self._told_at < _PAUSE_S or not self.find_abilities(address.platform).edits):
            return
        self._told_at = now
        try:
            await self._show(messenger, address, replace(job, message_id=self._messages.get(job.token, job.message_id)))
        except (NotDelivered, DeliveryUnknown) as error:
            structlog.get_logger().warning("progress of an import not shown", cause=type(error).__name__)
        if ended:
            self._messages.pop(job.token, None)

    async def _show(self, messenger: Messenger, address: Address, job: ImportJob) -> None:
        text = describe_job(job, self.texts(job))
        if isinstance(messenger, RateLimitedMessenger):
            await messenger.reserve(address)
        if job.message_id:
            await messenger.send(address, text, draft_id=job.message_id)
        elif job.message_id is None or job.state is not JobState.WAITING:
            await self.jobs.show(job.token, 0)
            self._messages[job.token] = await messenger.send(address, text)
            await self.jobs.show(job.token, self._messages[job.token])


def describe_job(job: ImportJob, texts: ImportTexts) -> str:
    """Return how an import stands, in words."""
    name = job.name
    match job.state:
        case JobState.DONE:
            done = texts.done.format(name=name, added=job.added, known=job.known)
            return f"{done}\n{texts.forgotten.format(count=job.forgotten)}" if job.forgotten else done
        case JobState.REFUSED:
            return texts.refused.format(reason=job.reason)
        case JobState.CANCELLED:
            return texts.cancelled.format(name=name, added=job.added)
        case _:
            done_now = min(job.done, job.total)
            share = 100 * done_now // max(1, job.total)
            return texts.progress.format(name=name, done=done_now, total=job.total, share=share)


async def list_refused(jobs: SqliteImportJobs, call: CommandCall, texts: Texts) -> list[str]:
    """Return the line of /status about the last import of a memory, if that was refused."""
    last = await jobs.find_last(call.scope)
    if last is None or last.state is not JobState.REFUSED:
        return []
    return [texts.status.refused_import.format(name=escape(last.name), reason=escape(last.reason))]


MADE_BY: Final = "mneme 0.1.0"
LEFT_OUT: Final = {
    "the chronicle's derived lines": "made again from the turns; those that a model worded stand with their turn",
    "search indexes and vectors": "made again from the turns and memories",
    "what a model read of two messages": "read anew with each question; words tell it elsewhere",
    "long-term memory": "made again from the turns",
    "explanations of answers (/why)": "they say how an answer came about, and go with their answers",
    "messages on their way": "they are the business of this installation",
}
_KEPT_S: Final = 86_400.0
_ATTEMPTS: Final = 3
"""Exports of a memory of which something is erased meanwhile, before giving up."""
_MEGABYTE: Final = 1_000_000
_LARGEST_EXPORT: Final = 50
"""Megabytes that a bot may send: https://core.telegram.org/bots/api#senddocument."""


@dataclass(frozen=True, slots=True)
class ScopeExporter:
    """The port :class:`~bot.ports.transfer.Exporter` over the one database."""

    database: Database
    folder: Path
    installation: Installation
    now: Callable[[], datetime]

    async def export(self, scope: Scope) -> ExportedFile | None:
        """Write all of a scope below the data folder; exports of it that nobody fetched for a day go."""
        now = self.now()
        await asyncio.to_thread(self._drop_old, scope, now)
        return await self.write(scope, self.folder / f"{scope.tag}-{now:%Y%m%d-%H%M%S}.zip")

    async def write(self, scope: Scope, path: Path) -> ExportedFile | None:
        """Write all of a scope to a file of any place; ``None`` if nothing was ever kept of it.

        A file that was written while something of the scope was erased may hold it, and is written again.
        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        key = await ensure_export_key(self.database)
        for _ in range(_ATTEMPTS):
            epoch = await self._read_epoch(scope)
            if epoch is None:
                return None
            done = await asyncio.to_thread(self._write, scope, path, key)
            if await self._read_epoch(scope) == epoch:
                return done
            await asyncio.to_thread(path.unlink, missing_ok=True)
        raise StorageUnavailable(f"{scope} is being erased from; export it again in a moment")

    async def _read_epoch(self, scope: Scope) -> int | None:
        row = await self.database.fetch_one("SELECT epoch FROM scopes WHERE tag = ?", (scope.tag,))
        return None if row is None else int(row[0])

    def _drop_old(self, scope: Scope, now: datetime) -> None:
        for file in self.folder.glob(f"{scope.tag}-*.zip"):
            if now.timestamp() - file.stat().st_mtime > _KEPT_S:
                file.unlink(missing_ok=True)

    def _write(self, scope: Scope, path: Path, key: bytes) -> ExportedFile:
        header = ArchiveHeader(scope, self.installation.name, self.now().replace(microsecond=0), MADE_BY, LEFT_OUT)

        def write(snapshot: SqliteSnapshot) -> ExportedFile:
            manifest = write_archive(path, header, snapshot, key)
            files = {name: entry for name, entry in manifest.files.items() if name.startswith("data/")}
            counts = {Path(name).stem: entry.lines for name, entry in files.items()}
            return ExportedFile(path, path.stat().st_size, counts)

        return read_snapshot(self.database, scope, write)


@dataclass(frozen=True, slots=True)
class Export:
    """Writes the export of the caller's scope and sends it.

    What several people share is handed out by those who run the group, and is asked for twice where everybody will see
    it.  A private memory that is used in a group is not sent there.
    """

    exporter: Exporter
    may: May
    find_abilities: Callable[[str], Abilities]
    """Says what a platform can do: who sits at this machine is told where the file lies."""

    name: ClassVar[str] = "export"
    CONFIRMED: ClassVar[str] = "yes"

    async def run(self, call: CommandCall) -> Reply:
        """Return the file, or why there is none."""
        texts = call.texts.exporting
        alone = call.message.chat_kind is ChatKind.DIRECT
        if not alone and call.scope.personal:
            return make_reply(texts.private)
        if not await self.may(self.name, call.message, call.scope, Whose.ALL):
            return make_reply(texts.owner_only)
        if not alone and call.argument.strip().casefold() != self.CONFIRMED:
            button = (texts.confirm_button, f"/{self.name} {self.CONFIRMED}")
            return make_reply(texts.confirm, buttons=(button,), about=(EVERYTHING,))
        done = await self.exporter.export(call.scope)
        return make_reply(texts.nothing) if done is None else self._hand_over(call, done, texts)

    def _hand_over(self, call: CommandCall, done: ExportedFile, texts: ExportTexts) -> Reply:
        size = f"{done.size / _MEGABYTE:.1f}"
        ready = texts.ready.format(turns=done.counts.get("turns", 0), items=done.counts.get("items", 0), size=size)
        if self.find_abilities(call.message.address.platform).local:
            return make_reply(ready, texts.written.format(path=done.path))
        if done.size > _LARGEST_EXPORT * _MEGABYTE:
            return make_reply(texts.too_large.format(size=size, limit=_LARGEST_EXPORT, scope=call.scope))
        name = f"mneme-{call.scope}-{call.now:%Y-%m-%d}.zip"
        return Reply(ready, ReplyKind.COMMAND, file=OutboundFile(done.path, name))


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
