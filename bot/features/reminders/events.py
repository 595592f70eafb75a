"""Times that hang on an event of which its author has told when it is: "remind me an hour before the dentist".

What they said last of it counts, if it tells exactly one time to come.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import time
from functools import cache
from typing import Final

from bot.features.reminders.requests import ReminderRequests, Request
from bot.memory.answering.agenda import tells_past
from bot.memory.answering.changes import find_changes
from bot.memory.answering.evidence import Evidence, find_aliases, list_statements, list_utterances
from bot.memory.answering.recollection import recall_said
from bot.memory.concepts import STOP_WORDS, find_concept, is_alike, list_concepts
from bot.memory.items import Recalled
from bot.memory.learning.speech_acts import wants_reminder
from bot.memory.patterns import bound_repetitions
from bot.ports.memory_store import Timeline
from bot.ports.when import Plan, WhenProblem, WhenReading
from language import languages
from language.patterns import compile_at_use
from language.words import split_words

_MOST_WORDS: Final = 5
"""Of an event's name, articles included."""
_CLAUSE: Final = re.compile(r"[,;:]\s")
_AT_ONCE: Final = 100
_PAGES: Final = 5
"""What was told of an event more than 500 messages ago is not looked for."""


@dataclass(frozen=True, slots=True)
class EventTimes:
    """Reads requests whose time hangs on an event."""

    timeline: Timeline
    requests: ReminderRequests

    async def read(self, sentence: str, reading: WhenReading, request: Request) -> WhenReading:
        """Return what a request says with the time of the event in it; unknown, it is the problem of the reading."""
        matches = ((pattern.search(sentence), said) for pattern, said in _compile())
        found, said = next(((match, said) for match, said in matches if match), (None, ""))
        if found is None:
            return reading
        told = await self._list_told(request)
        words = found["event"].split()
        for most in range(min(_MOST_WORDS, len(words)), 0, -1):
            named = [find_concept(word) for word in split_words(" ".join(words[:most])) if word not in STOP_WORDS]
            ends = next(iter(split_words(words[most - 1])), "") in STOP_WORDS
            dated = None if ends or not named else self._find_dated(named, told, request)
            if dated is not None:
                plan = self._find_now(named, *dated, told, request)
                before = None if plan is None else self._read_before(sentence, found, said, most, plan, request)
                return before or replace(reading, plan=None, problem=WhenProblem.EVENT)
        return replace(reading, plan=None, problem=WhenProblem.EVENT)

    def _read_before(
        self, sentence: str, found: re.Match[str], said: str, most: int, event: Plan, request: Request
    ) -> WhenReading | None:
        """Return what a request says with the day of its event written in it, or the hour where it needs that."""
        behind, words = said.format(span=found["span"]), found["event"].split()
        for at in (f"{event.local:%Y-%m-%d}", "" if event.assumed else f"{event.local:%Y-%m-%d %H:%M}"):
            whole = f"{sentence[: found.start()]}{at}, {behind} {' '.join(words[most:])}"
            read = self.requests.read(whole, request)
            if at and read.plan is not None and read.plan.local < event.local and _names_day(read.plan, event, at):
                return replace(read, text=read.text or " ".join(words[:most]))
        return None

    def _find_dated(self, named: list[str], told: Sequence[Evidence], request: Request) -> tuple[Evidence, Plan] | None:
        """Return the last sentence that has all the words of an event and tells one time, with that."""
        for piece in told:
            clauses = [each for each in (*_CLAUSE.split(piece.text), piece.text) if _has_all(named, each)]
            if (plan := self._read_plan(clauses, piece, request)) is not None:
                return piece, plan
        return None

    def _find_now(
        self, named: list[str], piece: Evidence, plan: Plan, told: Sequence[Evidence], request: Request
    ) -> Plan | None:
        """Return when an event is to come by what has changed it since; ``None`` where that is over, or not known."""
        spoken = [each.source for each in told]
        later = find_changes(" ".join(named), (piece,), spoken, find_aliases(tuple(spoken))).get(0)
        now: Plan | None = plan
        if later is not None and later.sure:
            same = _has_all(named, later.piece.text)  # "the Harpers come on the 11th" may be of anything of theirs
            now = self._read_plan((later.piece.text,), later.piece, request) if same else None
        elif any(self._tells_other(each, named[:1], plan, request) for each in told if each.follows(piece)):
            now = None
        return now if now is not None and now.local.date() >= self.requests.find_today(request) else None

    def _tells_other(self, later: Evidence, named: list[str], plan: Plan, request: Request) -> bool:
        """Return whether what was said later names the same, and another day."""
        other = self._read_plan((later.text,), later, request) if _has_all(named, later.text) else None
        return other is not None and other.local.date() != plan.local.date()

    def _read_plan(self, texts: Sequence[str], piece: Evidence, request: Request) -> Plan | None:
        """Return the first time that any of these words of a message tells, seen from when that was said."""
        said_at = piece.source.said_at or request.message.sent_at
        plans = (self.requests.read_said(each, said_at, request).plan for each in texts)
        return next((each for each in plans if each and each.repetition is None and not each.passes), None)

    async def _list_told(self, request: Request) -> list[Evidence]:
        """Return what the author said that tells anything, sentence by sentence, the newest first."""
        theirs: list[Recalled] = []
        page = await self.timeline.read(request.scope, size=_AT_ONCE)
        for _ in range(_PAGES):
            theirs += [
                recall_said(each.uid, each.user_text, each.author.id, each.author.name, each.said_at)
                for each in page.exchanges
                if each.author.id == request.message.author.id and each.user_text and not each.synthetic
            ]
            if page.older is None:
                break
            page = await self.timeline.read(request.scope, before=page.older, size=_AT_ONCE)
        spoken = list_utterances(tuple(theirs), request.message.find_reader(request.scope))
        stated = (Evidence(text, said) for said in spoken for text in list_statements(said))
        return [each for each in stated if not wants_reminder(each.text) and not tells_past(each.text)]


def _has_all(named: list[str], text: str) -> bool:
    there = list_concepts(text)
    return all(any(is_alike(one, other) for other in there) for one in named)


def _names_day(read: Plan, event: Plan, at: str) -> bool:
    """Whether a time before an event is of another day where only the day of the event was said."""
    return ":" in at or (read.local.date() < event.local.date() and read.local.time() != time())


@cache
def _compile() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (compile_at_use(rf"(?<!\w){bound_repetitions(pattern)}", re.IGNORECASE), said)
        for each in languages()
        for pattern, said in each.schedule.before_event.items()
    )
