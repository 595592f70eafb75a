"""``mneme export`` and ``mneme import``: one memory as a file, and conversations and exports into one.

A file to import is read twice: first as a whole, so that what is broken is refused before anything is stored, and who
is who can be asked.  Then it is put below the data folder and into the list of imports, which a running Mneme works
off; where none runs, it is done here.  After a kill either goes on where it was.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.prompt import IntPrompt
from rich.table import Table

from adapters.console.plain import ADDRESS, clean_for_terminal
from adapters.imports.formats import Format
from adapters.sqlite.database import Database
from adapters.sqlite.import_jobs import SqliteImportJobs
from adapters.sqlite.installation import ensure_export_key, ensure_installation, read_export_key, read_installation
from adapters.sqlite.rows.codec import list_scope_tags
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.errors import ConfigInvalid, ImportRefused, StorageUnavailable
from bot.features.transfer.importing import NOBODY, Seen, Survey
from bot.features.transfer.jobs import build_import_worker, build_rules, estimate_import, find_zone, place_file
from bot.features.transfer.register import ScopeExporter
from bot.features.transfer.source import ImportSource, name_file, open_source
from bot.memory.scope import Scope
from bot.messages import Author
from bot.ports.transfer import ImportJob, ImportRequest, JobState, Speaks
from bot.ports.usage import Reading
from bot.ports.when import Clock
from bot.runtime.chat_rules import SystemClock, ZonedClock
from bot.runtime.installation import (
    Memory,
    choose_memory,
    choose_store,
    load_live_settings,
    only_mneme,
    open_chat_settings,
)

_LOOK_S: Final = 0.2
"""How often a running Mneme's progress is looked at."""
LISTED: Final = 20
"""People shown."""


async def run_export(
    places: Folders, *, scope: str | None, user: int | None, platform: str | None, out: Path | None
) -> None:
    """``mneme export``: write one memory to a file, also while Mneme runs.

    Raises :class:`~bot.errors.ConfigInvalid` where nothing says whose memory, or nothing is kept of it.
    """
    live = load_live_settings(places)
    database = choose_store(places, live.current)
    clock = ZonedClock(SystemClock(), live.time_zone)
    async with database:
        tags = await database.read(list_scope_tags)
        wanted = Scope(scope) if scope else choose_memory(live, user=user, platform=platform).scope
        installation = await ensure_installation(database, places.installation)
        exporter = ScopeExporter(database, places.exports, installation, clock.now)
        path = out or Path(f"mneme-{wanted.tag}-{clock.now():%Y-%m-%d}.zip")
        with Console(stderr=True).status(f"exporting {wanted}"):
            done = await exporter.write(wanted, path)
    if done is None:
        others = f"; there are: {', '.join(tags)} (--scope)" if tags else ": nobody has said anything yet"
        raise ConfigInvalid(f"nothing is kept of {wanted}{others}")
    table = Table(box=None, show_header=False)
    for kind, count in done.counts.items():
        table.add_row(kind, str(count))
    console = Console(soft_wrap=True)
    console.print(table)
    console.print(f"{done.path} ({done.size:,} bytes)", highlight=False)


async def run_import(places: Folders, asked: ImportCommand) -> None:
    """Import a file, or say what would be imported.

    Raises :class:`~bot.errors.ImportRefused` for the file and :class:`~bot.errors.ConfigInvalid` where nothing says
    whose memory it goes to.
    """
    live = load_live_settings(places, keep=not asked.dry_run)
    source, memory = await asyncio.to_thread(_open, places, live, asked, await _read_key(places, live))
    if asked.scope and source.archive is None:
        raise ImportRefused("--scope is for exports of Mneme; say whose memory with --user or --platform")
    if asked.trust and source.archive is None:
        raise ImportRefused("--trust is for exports of Mneme: other files say nothing of trust")
    if not live.is_remembering():
        raise ConfigInvalid("memory.enabled is false: nothing can be remembered; set it to true")
    everybody = build_rules(live, memory.scope, ImportRequest(memory.user))
    with Console(stderr=True).status("reading"):
        survey = await asyncio.to_thread(source.survey, everybody, believed=True)
    own = _choose_own(survey, source, memory, asked)
    wanted = _build_request(source, memory, own or (), asked)
    survey = (
        await asyncio.to_thread(source.survey, build_rules(live, memory.scope, wanted), believed=wanted.believed)
        if source.archive is not None
        else survey
    )
    reading = estimate_import(live, survey)
    report = Report(asked, source.format, survey, memory, own, wanted.believed or source.ours, reading)
    if not asked.as_json:
        report.show()
    done = None
    if not asked.dry_run:
        if own is None:
            raise ImportRefused(ask_on_command_line(survey))
        job = ImportJob(
            secrets.token_hex(8),
            memory.scope,
            memory.user.id,
            name_file(asked.file.name),
            wanted,
            survey.messages + survey.memories,
        )
        done = await _do(places, live, job, asked.file)
    report.finish(done)


async def _read_key(places: Folders, live: LiveSettings) -> bytes:
    """Return the key of this installation's exports, b"" where there is none; a file is not waited for."""
    if not live.current.storage.url:
        return await asyncio.to_thread(read_export_key, places.database)
    async with choose_store(places, live.current) as database:
        return await ensure_export_key(database)


def _open(places: Folders, live: LiveSettings, asked: ImportCommand, key: bytes) -> tuple[ImportSource, Memory]:
    """Return the file, and the memory it goes to: an export of our own goes back to where it came from."""
    here, zone = read_installation(places.installation), find_zone(live)
    free = asked.scope is None and asked.user is None and asked.platform is None

    def open_for(scope: Scope) -> ImportSource:
        name = asked.file.name
        return open_source(asked.file, name, scope=scope, key=key, here=here, zone=zone, dates=asked.dates)

    memory = choose_memory(live, user=asked.user, platform=asked.platform)
    if asked.scope:
        memory = replace(memory, scope=Scope(asked.scope))
    source = open_for(memory.scope)
    if source.archive is not None and free and not source.ours:
        home = source.archive.manifest.header.scope
        again = open_for(home)
        if again.ours:
            return again, replace(memory, scope=home)
    return source, memory


def _build_request(source: ImportSource, memory: Memory, own: tuple[Seen, ...], asked: ImportCommand) -> ImportRequest:
    name = own[0].name if own and memory.platform != ADDRESS.platform else ""
    user = Author(memory.user.id, name or memory.user.name, memory.user.trust)
    return ImportRequest(user, tuple(seen.author for seen in own), asked.dates, asked.trust or source.ours)


def _choose_own(survey: Survey, source: ImportSource, memory: Memory, asked: ImportCommand) -> tuple[Seen, ...] | None:
    """Return who in the file is the user, ``()`` for nobody; ``None`` where it was not said and nobody can be asked."""
    if asked.who == NOBODY or (source.ours and asked.who is None):
        return ()
    if asked.who is not None:
        found = survey.find_people(asked.who)
        if len(found) == 1:
            return found
        problem = "is nobody" if not found else "are several people: give the id of one"
        raise ImportRefused(f"“{asked.who}” {problem} in {asked.file.name}.  {ask_on_command_line(survey)}")
    if source.format in {Format.CHATGPT, Format.CLAUDE}:
        return survey.people
    known = survey.authors.get(f"user{memory.user.id}") if source.format is Format.TELEGRAM else None
    if known is not None and memory.platform == "telegram":
        return (known,)
    return None if asked.as_json or not sys.stdin.isatty() else _ask(survey)


def _ask(survey: Survey) -> tuple[Seen, ...]:
    console, people = Console(stderr=True), survey.people[:LISTED]
    console.print("Who of these is you?  Their words become yours, all others' stay theirs.")
    for number, seen in enumerate((None, *people)):
        console.print(f"  {number}  {describe(seen) if seen else 'none of them'}", highlight=False)
    chosen = IntPrompt.ask("You are", console=console, choices=[str(n) for n in range(len(people) + 1)])
    return () if chosen == 0 else (people[chosen - 1],)


async def _do(places: Folders, live: LiveSettings, job: ImportJob, file: Path) -> ImportJob:
    """Have a file imported by whoever may, and return what came of it.

    Raises :class:`~bot.errors.ImportRefused` where it was refused, or cancelled by somebody else.
    """
    clock = ZonedClock(SystemClock(), live.time_zone)
    async with choose_store(places, live.current) as database:
        jobs = SqliteImportJobs(database, clock.now)
        job = await _hand_in(places, jobs, job, file)
        with _show_bar() as bar:
            task = bar.add_task("importing", total=job.total)
            ended = await _finish(
                places, live, database, clock, jobs, job, lambda done: bar.update(task, completed=done)
            )
    if ended.state is not JobState.DONE:
        raise ImportRefused(f"{job.name}: {ended.reason or 'it was cancelled'}")
    return ended


async def _hand_in(places: Folders, jobs: SqliteImportJobs, job: ImportJob, file: Path) -> ImportJob:
    """Put the file below the data folder and its import into the list; one that waits already is gone on with."""
    waiting = await jobs.find_open(job.scope)
    same = waiting is not None and (waiting.name, waiting.request, waiting.total) == (job.name, job.request, job.total)
    if waiting is not None and same and waiting.state is JobState.WAITING:
        return waiting
    await jobs.add(job)
    place = place_file(places.imports, job)
    try:
        await asyncio.to_thread(_copy, file, place)
    except OSError as error:
        await jobs.end(job.token, JobState.CANCELLED)
        await asyncio.to_thread(shutil.rmtree, place.parent, ignore_errors=True)
        raise StorageUnavailable(f"{file.name} cannot be copied to {place.parent}: {error.strerror}") from error
    await jobs.begin(job.token, job.request, job.total)
    return job


def _copy(file: Path, place: Path) -> None:
    place.parent.mkdir(mode=0o700, parents=True)
    shutil.copyfile(file, place)
    place.chmod(0o600)


async def _finish(
    places: Folders,
    live: LiveSettings,
    database: Database,
    clock: Clock,
    jobs: SqliteImportJobs,
    job: ImportJob,
    show: Callable[[int], None],
) -> ImportJob:
    """Wait until a running Mneme has done the import; where none runs, do it here."""

    async def tell(now: ImportJob) -> None:
        if now.token == job.token:
            show(now.done)

    async def grow(_: Scope) -> None:
        """Tell nobody: no chat is open here."""

    _, settings = await open_chat_settings(database)
    worker = await build_import_worker(places, live, database, clock, added=grow, tell=tell, settings=settings)
    while (now := await jobs.find(job.token)) is not None and now.state is JobState.WAITING:
        show(now.done)
        try:
            with only_mneme(places, patience_s=0.0):
                await worker.work_once()
        except ConfigInvalid:  # a Mneme runs: it sees the import and does it
            await asyncio.sleep(_LOOK_S)
    if now is None:
        raise ImportRefused(f"{job.name}: its memory was erased meanwhile")
    return now


def _show_bar() -> Progress:
    return Progress(
        TextColumn("importing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


@dataclass(frozen=True, slots=True)
class ImportCommand:
    """What was asked for on the command line; ``None`` where nothing was said."""

    file: Path
    scope: str | None = None
    who: str | None = None
    user: int | None = None
    platform: str | None = None
    dry_run: bool = False
    as_json: bool = False
    dates: str = ""
    trust: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """Tells what stands in the file and what came of it."""

    asked: ImportCommand
    wanted: Format
    survey: Survey
    memory: Memory
    own: tuple[Seen, ...] | None
    believed: bool = False
    reading: Reading = field(default_factory=Reading)

    def show(self) -> None:
        """Print what was found."""
        console, survey = Console(stderr=not self.asked.dry_run), self.survey
        table = Table(box=None, show_header=False)
        table.add_column(style="dim")
        table.add_column(overflow="fold")
        table.add_row("file", escape(f"{self.asked.file.name} ({self.wanted})"))
        table.add_row("messages", f"{survey.messages} in {len(survey.chats)} chats, {survey.forwards} of them forwards")
        if survey.first and survey.last:
            table.add_row("dates", f"{survey.first:%Y-%m-%d} to {survey.last:%Y-%m-%d}")
        for seen in survey.people[:LISTED]:
            mine = self.own is not None and seen in self.own
            table.add_row("you" if mine else "person", describe(seen))
        if len(survey.people) > LISTED:
            table.add_row("", f"and {len(survey.people) - LISTED} more people")
        if survey.memories:
            table.add_row("memories", str(survey.memories))
        if self.believed:
            table.add_row("", "everything comes back as it was: authors, trust and history as the file says")
        if self.reading.tokens:
            money = f": about {self.reading.money}, without what it writes" if self.reading.money else ""
            table.add_row(
                "cost", f"long-term memory gives about {self.reading.tokens:,} tokens to its language model{money}"
            )
        for reason, count in survey.left_out.most_common():
            table.add_row("left out", f"{count} {reason}")
        table.add_row(
            "into", f"the memory of {self.memory.described} ({self.memory.scope}); others: --user, --platform"
        )
        console.print(table)
        if self.own is None and self.asked.dry_run:
            console.print(escape(ask_on_command_line(survey)), soft_wrap=True)

    def finish(self, done: ImportJob | None) -> None:
        """Print the result; ``None`` after a dry run."""
        console = Console(soft_wrap=True)
        if self.asked.as_json:
            console.print_json(json.dumps(self._to_json(done)))
        elif done is None:
            console.print("nothing was written: this was a dry run")
        else:
            forgotten = f", {done.forgotten} forgotten on purpose stay so" if done.forgotten else ""
            console.print(
                f"{done.added} imported, {done.known} were there already{forgotten}.  Search by words finds them "
                "now; search by meaning as soon as Mneme runs and has read them.",
                highlight=False,
            )

    def _to_json(self, done: ImportJob | None) -> dict[str, Any]:  # Any: JSON
        survey = self.survey
        return {
            "file": self.asked.file.name,
            "format": self.wanted,
            "messages": survey.messages,
            "chats": len(survey.chats),
            "forwards": survey.forwards,
            "first": survey.first.isoformat() if survey.first else None,
            "last": survey.last.isoformat() if survey.last else None,
            "people": [
                {
                    "id": seen.author,
                    "name": seen.name,
                    "messages": seen.messages,
                    "you": self.own is not None and seen in self.own,
                }
                for seen in survey.people
            ],
            "assistantMessages": sum(
                seen.messages for seen in survey.authors.values() if seen.speaks is Speaks.ASSISTANT
            ),
            "memories": survey.memories,
            "tokens": self.reading.tokens,
            "money": self.reading.money,
            "leftOut": {reason.name: count for reason, count in survey.left_out.items()},
            "memory": self.memory.scope.tag,
            "dryRun": done is None,
            "added": done.added if done else 0,
            "known": done.known if done else 0,
            "forgotten": done.forgotten if done else 0,
        }


def ask_on_command_line(survey: Survey) -> str:
    """Return the question who of a file is the user, with those who are in it."""
    people = ", ".join(f"{_name(seen)} ({seen.author})" for seen in survey.people[:LISTED])
    return f"Say who is you with --as NAME_OR_ID, or --as {NOBODY}.  In the file: {people}"


def _name(seen: Seen) -> str:
    return clean_for_terminal(seen.name or seen.author)


def describe(seen: Seen) -> str:
    """Return a person of a file on one line."""
    return escape(f"{_name(seen)} ({clean_for_terminal(seen.author)}), {seen.messages} messages")
