"""The port WhenReader: the language that explains most of a sentence's time reads it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Final

from adapters.when.calendar import find_zones, read_anything
from adapters.when.collecting import NotATime
from adapters.when.patterns import (
    Cluster,
    Part,
    Patterns,
    find_parts,
    group_parts,
    list_patterns,
    list_requests,
    list_unread,
)
from adapters.when.resolving import Resolved, resolve
from bot.memory.sanitise import remove_directions
from bot.ports.when import Plan, WhenProblem, WhenReading

_LOOKED_AT: Final = 600
"""Characters of a sentence: who says when does so briefly."""
_HOURS: Final = frozenset(("", *map(str, range(1, 24))))
"""Of a day in figures, without a zero before them."""
_SPACES: Final = re.compile(r"\s+")
_DIGIT: Final = re.compile(r"\d")
_CLAUSE: Final = re.compile(r"[,;.!?:–—]|(?<=\s)-(?=\s)")
_READ_ALONE: Final = 8
"""Parts of which every run is tried: a sentence that asks for one reminder has fewer."""
_WORD_BEGINS: Final = re.compile(r"(?<!\S)\S")
_OFFERED: Final = 2
"""Times that are offered where a sentence may mean several."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A language's reading: the more ``covered``, the better it knows the words."""

    reading: WhenReading
    covered: int


class LanguageWhenReader:
    """Reads with the words of every language that is installed."""

    def may_ask(self, text: str) -> bool:
        """Return whether the words of a request stand in ``text``: a look that costs next to nothing."""
        return any(
            each.asks.search(text) or each.orders.search(text) or (each.tail.search(text) and each.whom.search(text))
            for each in list_requests()
        )

    def read(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading:
        """Return the reading of the language that knows most of the words; ``languages`` win a tie, in order."""
        line = _SPACES.sub(" ", remove_directions(text[:_LOOKED_AT])).strip()
        found = [_read(line, patterns, now) for patterns in _order(languages)]
        best = max(found, key=lambda one: one.covered, default=None)
        return WhenReading(line, problem=WhenProblem.NO_TIME) if best is None else best.reading

    def find_zone(self, name: str, now: datetime, language: str) -> tzinfo | None:
        """Return the zone of a city that stands for one in the tz database, or in CLDR under its name."""
        return next(iter(find_zones(name, language, now)), None)

    def read_alone(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading | None:
        """Return the reading of a text that is a time from its beginning to its end."""
        reading = self.read(text, now, languages)
        over = reading if reading.problem is WhenProblem.PAST and reading.past is None and not reading.text else None
        if reading.problem is not WhenProblem.NO_TIME and over is None:
            return reading if not reading.text else None
        line = _SPACES.sub(" ", remove_directions(text[:_LOOKED_AT])).strip(" .!")
        if line.isascii() and line.isdecimal():  # an hour, or nothing: no month, and no year
            return self.read(f"{line}:00", now, languages) if line.lstrip("0") in _HOURS else None
        local = now.replace(tzinfo=None)
        if _DIGIT.search(line) is None and over is None:
            return None
        for patterns in _order(languages):
            at = read_anything(line, patterns.code, local)
            if at is not None and at > local:
                return WhenReading("", Plan(at))
            if at is not None:
                return WhenReading("", problem=WhenProblem.PAST, past=at)
        return over


def _order(languages: Sequence[str]) -> list[Patterns]:
    every = list_patterns()
    wanted = [patterns for code in languages for patterns in every if patterns.code == code]
    return [*dict.fromkeys(wanted), *(patterns for patterns in every if patterns not in wanted)]


def _read(line: str, patterns: Patterns, now: datetime) -> _Found:
    line = patterns.compounds.sub(lambda found: f"{found[0]} ", line)
    request, rest, asked = _split_request(line, patterns, now)
    parts = find_parts(
        rest,
        patterns,
        now,
        timer=patterns.timers.search(request) is not None,
        repeating=patterns.repeating.search(request) is not None,
    )
    left = _strip(_cut(rest, parts, patterns), patterns)
    covered = len(request) + sum(part.end - part.start for part in parts)
    resolved = _resolve(rest, parts, patterns, now, morning=patterns.wakes.search(request) is not None)
    if resolved is None:
        vague = bool(parts) or next(list_unread(rest, parts, patterns), None) is not None
        reading = WhenReading(_strip(rest, patterns), problem=WhenProblem.NO_TIME, asked=asked, vague=vague)
        return _Found(reading, covered)
    if resolved.problem in (WhenProblem.EVENT, WhenProblem.AMBIGUOUS) and len(group_parts(rest, parts, patterns)) > 1:
        left = _strip(rest, patterns)
    reading = _tell(resolved, left)
    return _Found(replace(reading, asked=asked and patterns.told.match(left) is None), covered)


def _resolve(rest: str, parts: Sequence[Part], patterns: Patterns, now: datetime, *, morning: bool) -> Resolved | None:
    """Return what all parts say together; where they do not agree, or something is left, the times to choose from.

    ``None`` where nothing tells a time.
    """
    together = Cluster(tuple(parts))
    if not together.tells:
        return None
    try:
        resolved = resolve(together, patterns, now, morning=morning)
    except NotATime:
        return _offer_each(group_parts(rest, parts, patterns), patterns, now, morning=morning)
    if resolved.problem is None and next(list_unread(rest, parts, patterns), None) is not None:
        return replace(resolved, problem=WhenProblem.AMBIGUOUS)
    return resolved


def _offer_each(clusters: Sequence[Cluster], patterns: Patterns, now: datetime, *, morning: bool) -> Resolved | None:
    """Return what the groups say one by one, as times to choose from; ``None`` where none says any."""
    plans: list[Plan] = []
    for cluster in clusters:
        taken: set[Part] = set()
        for alone in _list_runs(cluster.parts):
            if taken.isdisjoint(alone.parts) and alone.tells:
                try:
                    found = resolve(alone, patterns, now, morning=morning).plans
                except NotATime:
                    continue
                plans += found
                taken |= set(alone.parts)
    chosen = tuple(dict.fromkeys(plans))[:_OFFERED]
    return Resolved(chosen, WhenProblem.AMBIGUOUS) if chosen else None


def _list_runs(parts: Sequence[Part]) -> Iterator[Cluster]:
    """Yield the parts that stand beside each other, the longest runs first."""
    few = parts[:_READ_ALONE]
    for length in range(len(few), 0, -1):
        for start in range(len(few) - length + 1):
            yield Cluster(tuple(few[start : start + length]))


def _split_request(line: str, patterns: Patterns, now: datetime) -> tuple[str, str, bool]:
    """Return the words that ask for a reminder, "" for none, the rest of the sentence, and whether it asks.

    Words that stand in the middle of a sentence ask only in the imperative, or behind a time: "I told her to remind me"
    asks for nothing.
    """
    words = patterns.request
    if lead := patterns.lead.match(line):
        return lead["asked"], line[lead.end() :], patterns.told.match(line[lead.end() :].lstrip(" ,")) is None
    polite = patterns.polite.match(line)
    if (tail := words.tail.search(line)) and polite and words.whom.search(polite[0]):
        return tail[0], line[polite.end() :], True
    if inner := words.imperative.search(line):
        before, after = line[: inner.start()], line[inner.end() :]
        asked = words.hinders.search(before) is None and patterns.told.match(after.lstrip(" ,")) is None
        return inner[0], f"{_cut_polite(before, patterns)} {after.lstrip()}", asked
    if (inner := words.asks.search(line)) and _is_time(line[: inner.start()], patterns, now):
        after = line[inner.end() :]
        return inner[0], f"{line[: inner.start()]}{after}", patterns.told.match(after.lstrip(" ,")) is None
    if order := words.orders.search(line):
        clause = _CLAUSE.split(line[: order.start()])[-1]
        return order[0], f"{line[: order.start()]}{line[order.end() :]}", words.subjects.search(clause) is None
    return "", line, False


def _cut_polite(before: str, patterns: Patterns) -> str:
    """Return what stands before a request without "could you please" at its end."""
    starts = (found.start() for found in _WORD_BEGINS.finditer(before))
    return next((before[:at].rstrip() for at in starts if patterns.polite.fullmatch(before, at)), before)


def _is_time(text: str, patterns: Patterns, now: datetime) -> bool:
    """Whether a text is a time from its beginning to its end: what stands before a request that is one."""
    clusters = group_parts(text, find_parts(text, patterns, now), patterns)
    return (
        len(clusters) == 1
        and patterns.fillers.fullmatch(text, 0, clusters[0].parts[0].start) is not None
        and patterns.fillers.fullmatch(text, clusters[0].parts[-1].end) is not None
    )


def _tell(resolved: Resolved, text: str) -> WhenReading:
    if resolved.problem is WhenProblem.AMBIGUOUS:
        return WhenReading(text, problem=resolved.problem, options=resolved.plans)
    if resolved.problem is not None or not resolved.plans:
        return WhenReading(text, problem=resolved.problem or WhenProblem.NO_TIME, past=resolved.past)
    return WhenReading(text, resolved.plans[0])


def _cut(rest: str, parts: Sequence[Part], patterns: Patterns) -> str:
    """Return the sentence without the time, and without the words that tie it to the rest."""
    kept, at = "", 0
    for part in parts:
        between = rest[at : part.start]
        if at and patterns.fillers.fullmatch(between):
            between = ""
        kept = f"{kept.rstrip()} {between.lstrip()}" if kept.strip() and between else kept + between
        at = part.end
    return f"{kept.rstrip()} {rest[at:].lstrip()}" if kept.strip() else rest[at:]


def _strip(text: str, patterns: Patterns) -> str:
    """Return what is to be done: without the words that tie it to the request, courtesies and loose signs."""
    text = patterns.request.tail.sub(" ", text)
    text = patterns.courtesies.sub("", text)
    found = patterns.links.match(text)
    text = text[found.end() :] if found else text
    return patterns.courtesies.sub("", _SPACES.sub(" ", text)).strip(" ,;:–—-\"'«»“”„")
