"""The port WhenReader: the language that explains most of a sentence's time reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from adapters.when.calendar import read_anything
from adapters.when.parts import Cluster, choose_cluster, find_clusters
from adapters.when.patterns import Patterns, list_patterns
from adapters.when.resolving import NotATime, Resolved, resolve
from bot.ports.when import Plan, WhenProblem, WhenReading

_LOOKED_AT: Final = 600
"""Characters of a sentence: who says when does so briefly."""
_SPACES: Final = re.compile(r"\s+")
_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class _Found:
    """A language's reading: the more ``covered``, the better it knows the words."""

    reading: WhenReading
    covered: int


class LanguageWhenReader:
    """Reads with the words of every language that is installed."""

    def read(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading:
        """Return the reading of the language that knows most of the words; ``languages`` win a tie, in order."""
        line = _SPACES.sub(" ", text[:_LOOKED_AT]).strip()
        found = [_read(line, patterns, now.replace(tzinfo=None)) for patterns in _order(languages)]
        best = max(found, key=lambda one: one.covered, default=None)
        return WhenReading(line, problem=WhenProblem.NO_TIME) if best is None else best.reading

    def read_alone(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading | None:
        """Return the reading of a text that is a time from its beginning to its end."""
        reading = self.read(text, now, languages)
        if reading.problem is not WhenProblem.NO_TIME:
            return reading if not reading.text else None
        line = _SPACES.sub(" ", text[:_LOOKED_AT]).strip(" .!")
        local = now.replace(tzinfo=None)
        if _DIGIT.search(line) is None:
            return None
        for patterns in _order(languages):
            at = read_anything(line, patterns.code, local)
            if at is not None and at > local:
                return WhenReading("", Plan(at))
            if at is not None:
                return WhenReading("", problem=WhenProblem.PAST, past=at)
        return None


def _order(languages: Sequence[str]) -> list[Patterns]:
    every = list_patterns()
    wanted = [patterns for code in languages for patterns in every if patterns.code == code]
    return [*dict.fromkeys(wanted), *(patterns for patterns in every if patterns not in wanted)]


def _read(line: str, patterns: Patterns, now: datetime) -> _Found:
    line = patterns.compounds.sub(lambda found: f"{found[0]} ", line)
    asked = patterns.lead.match(line)
    begin = asked.end() if asked else 0
    if asked is None and patterns.tail.search(line) and (polite := patterns.polite.match(line)):
        begin = polite.end()
    timer = asked is not None and patterns.timers.search(asked[0]) is not None
    covered = len(asked["asked"]) if asked else 0
    clusters = find_clusters(line[begin:], patterns, timer=timer)
    rest = line[begin:]
    cluster = choose_cluster(rest, clusters, patterns, 0)
    if cluster is None:
        return _Found(WhenReading(_strip(rest, patterns), problem=WhenProblem.NO_TIME), covered)
    covered += sum(part.end - part.start for part in cluster.parts)
    try:
        resolved = resolve(cluster, patterns, now)
    except NotATime:
        return _Found(WhenReading(_strip(rest, patterns), problem=WhenProblem.NO_TIME), covered)
    left = rest if resolved.problem is WhenProblem.EVENT else _cut(rest, cluster, patterns)
    return _Found(_tell(resolved, _strip(left, patterns)), covered)


def _tell(resolved: Resolved, text: str) -> WhenReading:
    if resolved.problem is WhenProblem.AMBIGUOUS:
        return WhenReading(text, problem=resolved.problem, options=resolved.plans)
    if resolved.problem is not None or not resolved.plans:
        return WhenReading(text, problem=resolved.problem or WhenProblem.NO_TIME, past=resolved.past)
    return WhenReading(text, resolved.plans[0])


def _cut(rest: str, cluster: Cluster, patterns: Patterns) -> str:
    """Return the sentence without the time, and without the words that tie it to the rest."""
    kept, at = "", 0
    for part in cluster.parts:
        between = rest[at : part.start]
        kept += "" if at and patterns.fillers.fullmatch(between) else between
        at = part.end
    return kept.rstrip() + " " + rest[at:].lstrip() if kept.strip() else rest[at:]


def _strip(text: str, patterns: Patterns) -> str:
    """Return what is to be done: without the words that tie it to the request, courtesies and loose signs."""
    text = patterns.tail.sub(" ", text)
    text = patterns.courtesies.sub("", text)
    found = patterns.links.match(text)
    text = text[found.end() :] if found else text
    return patterns.courtesies.sub("", _SPACES.sub(" ", text)).strip(" ,;:–—-\"'«»“”„")
