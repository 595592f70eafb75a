"""``mneme import``: conversations from elsewhere into the memory of one person.

A file is read twice: first as a whole, so that what is broken is refused before anything is stored, and who is who can
be asked; then in batches, each stored whole or not at all.  After a kill the same command goes on where it was.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from itertools import islice
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.prompt import IntPrompt
from rich.table import Table

from adapters.clock import SystemClock, ZonedClock
from adapters.console.plain import ADDRESS, clean_for_terminal
from adapters.imports.formats import Format, find_format, read_export
from adapters.sqlite.database import Database
from adapters.sqlite.exchange_indexes import build_indexes
from adapters.sqlite.imported_exchanges import SqliteImports
from bot.compose.administration import import_memories
from bot.compose.building import load_live_settings
from bot.compose.lock import only_mneme
from bot.compose.whose_memory import Memory, choose_memory
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.core.importing import ImportRules, Seen, Survey, plan_exchanges
from bot.errors import ConfigInvalid, ImportRefused
from bot.ports.conversation_import import ImportedExchange, Speaks
from bot.turn import Author

_BATCH: Final = 200
"""Exchanges per transaction."""
_LISTED: Final = 20
"""People shown."""
_NOBODY: Final = "nobody"


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What was asked for on the command line; ``None`` where nothing was said."""

    file: Path
    scope: str | None = None
    who: str | None = None
    user: int | None = None
    platform: str | None = None
    dry_run: bool = False
    as_json: bool = False


@dataclass(slots=True)
class Totals:
    """What came of an import."""

    added: int = 0
    known: int = 0
    forgotten: int = 0


async def run_import(places: Folders, request: ImportRequest) -> None:
    """Import a file, or say what would be imported.

    Raises :class:`~bot.errors.ImportRefused` for the file and :class:`~bot.errors.ConfigInvalid` while another Mneme
    uses the folder.
    """
    wanted = find_format(request.file)
    if wanted is Format.ITEMS:
        if request.dry_run or request.who or request.user is not None or request.platform:
            raise ImportRefused(f"{request.file.name} holds memories from mneme export: these take --scope alone")
        await import_memories(places, request.file, request.scope)
        return
    if request.scope:
        raise ImportRefused("--scope is for memories from mneme export; say whose memory with --user or --platform")
    live = load_live_settings(places)
    if not live.is_remembering():
        raise ConfigInvalid("memory.enabled is false: nothing can be remembered; set it to true")
    zone = ZoneInfo(live.time_zone()) if live.time_zone() else None
    survey = _survey(request.file, wanted, zone)
    memory = choose_memory(live, user=request.user, platform=request.platform)
    own = _choose_own(survey, wanted, memory, request)
    report = Report(request, wanted, survey, memory, own)
    if not request.as_json:
        report.show()
    totals = None
    if not request.dry_run:
        if own is None:
            raise ImportRefused(_ask_on_command_line(survey))
        with only_mneme(places):
            totals = await _store(places, live, report, zone)
    report.finish(totals)


def _survey(file: Path, wanted: Format, zone: tzinfo | None) -> Survey:
    survey = Survey()
    with Console(stderr=True).status("reading"):
        for found in read_export(file, wanted, zone):
            survey.note(found)
    if not survey.messages:
        raise ImportRefused(f"{file.name} holds no message that could be imported, read as {wanted}")
    return survey


def _choose_own(survey: Survey, wanted: Format, memory: Memory, request: ImportRequest) -> tuple[Seen, ...] | None:
    """Return who in the file is the user, ``()`` for nobody; ``None`` where it was not said and nobody can be asked."""
    if request.who == _NOBODY:
        return ()
    if request.who is not None:
        found = survey.find_people(request.who)
        if len(found) == 1:
            return found
        problem = "is nobody" if not found else "are several people: give the id of one"
        raise ImportRefused(f"“{request.who}” {problem} in {request.file.name}.  {_ask_on_command_line(survey)}")
    if wanted in {Format.CHATGPT, Format.CLAUDE}:
        return survey.people
    known = survey.authors.get(f"user{memory.user.id}") if wanted is Format.TELEGRAM else None
    if known is not None and memory.platform == "telegram":
        return (known,)
    if request.as_json or not sys.stdin.isatty():
        return None
    console, people = Console(stderr=True), survey.people[:_LISTED]
    console.print("Who of these is you?  Their words become yours, all others' stay theirs.")
    for number, seen in enumerate((None, *people)):
        console.print(f"  {number}  {_describe(seen) if seen else 'none of them'}", highlight=False)
    chosen = IntPrompt.ask("You are", console=console, choices=[str(n) for n in range(len(people) + 1)])
    return () if chosen == 0 else (people[chosen - 1],)


def _ask_on_command_line(survey: Survey) -> str:
    people = ", ".join(f"{_name(seen)} ({seen.author})" for seen in survey.people[:_LISTED])
    return f"Say who is you with --as NAME_OR_ID, or --as {_NOBODY}.  In the file: {people}"


def _name(seen: Seen) -> str:
    return clean_for_terminal(seen.name or seen.author)


def _describe(seen: Seen) -> str:
    return escape(f"{_name(seen)} ({clean_for_terminal(seen.author)}), {seen.messages} messages")


@dataclass(frozen=True, slots=True)
class Report:
    """Tells what stands in the file and what came of it."""

    request: ImportRequest
    wanted: Format
    survey: Survey
    memory: Memory
    own: tuple[Seen, ...] | None

    def show(self) -> None:
        """Print what was found."""
        console, survey = Console(stderr=not self.request.dry_run), self.survey
        table = Table(box=None, show_header=False)
        table.add_column(style="dim")
        table.add_column(overflow="fold")
        table.add_row("file", escape(f"{self.request.file.name} ({self.wanted})"))
        table.add_row("messages", f"{survey.messages} in {len(survey.chats)} chats, {survey.forwards} of them forwards")
        if survey.first and survey.last:
            table.add_row("dates", f"{survey.first:%Y-%m-%d} to {survey.last:%Y-%m-%d}")
        for seen in survey.people[:_LISTED]:
            mine = self.own is not None and seen in self.own
            table.add_row("you" if mine else "person", _describe(seen))
        if len(survey.people) > _LISTED:
            table.add_row("", f"and {len(survey.people) - _LISTED} more people")
        for reason, count in survey.left_out.most_common():
            table.add_row("left out", f"{count} {reason}")
        table.add_row(
            "into", f"the memory of {self.memory.described} ({self.memory.scope}); others: --user, --platform"
        )
        console.print(table)
        if self.own is None and self.request.dry_run:
            console.print(escape(_ask_on_command_line(survey)), soft_wrap=True)

    def finish(self, totals: Totals | None) -> None:
        """Print the result; ``None`` after a dry run."""
        console = Console(soft_wrap=True)
        if self.request.as_json:
            console.print_json(json.dumps(self._to_json(totals)))
        elif totals is None:
            console.print("nothing was written: this was a dry run")
        else:
            forgotten = f", {totals.forgotten} forgotten on purpose stay so" if totals.forgotten else ""
            console.print(
                f"{totals.added} imported, {totals.known} were there already{forgotten}.  Search by words finds them "
                "now; search by meaning as soon as Mneme runs and has read them.",
                highlight=False,
            )

    def _to_json(self, totals: Totals | None) -> dict[str, Any]:  # Any: JSON
        survey = self.survey
        return {
            "file": self.request.file.name,
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
            "leftOut": {reason.name: count for reason, count in survey.left_out.items()},
            "memory": self.memory.scope.tag,
            "dryRun": totals is None,
            "added": totals.added if totals else 0,
            "known": totals.known if totals else 0,
            "forgotten": totals.forgotten if totals else 0,
        }


async def _store(places: Folders, live: LiveSettings, report: Report, zone: tzinfo | None) -> Totals:
    settings, own = live.current(), report.own or ()
    name = own[0].name if own and report.memory.platform != ADDRESS.platform else ""
    rules = ImportRules(
        scope=report.memory.scope,
        user=Author(report.memory.user.id, name, report.memory.user.trust),
        own=frozenset(seen.author for seen in own),
        idle=timedelta(minutes=settings.session.idle_minutes),
        min_length=settings.rag.index_min_length,
        indexing=live.uses_long_term_memory(),
        deriving=live.keeps_items(),
        zone=zone,
    )
    planned = plan_exchanges(read_export(report.request.file, report.wanted, zone), rules)
    totals, session_id = Totals(), 0
    database = Database(places.database)
    await database.open()
    try:
        store = SqliteImports(database, indexes=build_indexes(), now=ZonedClock(SystemClock(), live.time_zone).now)
        bar = Progress(
            TextColumn("importing"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        with bar:
            task = bar.add_task("importing", total=report.survey.messages)
            while batch := await asyncio.to_thread(_take, planned):
                done = await store.add(rules.scope, batch, session_id)
                session_id = done.session_id
                totals.added += done.added
                totals.known += done.known
                totals.forgotten += done.forgotten
                bar.advance(task, len(batch))
    finally:
        await database.close()
    return totals


def _take(planned: Iterator[ImportedExchange]) -> tuple[ImportedExchange, ...]:
    return tuple(islice(planned, _BATCH))
