"""What ``mneme import`` tells: what stands in the file, whose words it takes for whose, and what came of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from adapters.console.plain import clean_for_terminal
from adapters.imports.formats import Format
from bot.core.prices import Reading
from bot.features.transfer.importing import Seen, Survey
from bot.ports.conversation_import import Speaks
from bot.runtime.installation import Memory

LISTED: Final = 20
"""People shown."""
NOBODY: Final = "nobody"


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
class Totals:
    """What came of an import."""

    added: int = 0
    known: int = 0
    forgotten: int = 0


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

    def finish(self, totals: Totals | None) -> None:
        """Print the result; ``None`` after a dry run."""
        console = Console(soft_wrap=True)
        if self.asked.as_json:
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
            "dryRun": totals is None,
            "added": totals.added if totals else 0,
            "known": totals.known if totals else 0,
            "forgotten": totals.forgotten if totals else 0,
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
