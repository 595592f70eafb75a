"""The port WhenReader: the language that explains most of a sentence's time reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
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

    def may_ask(self, text: str) -> bool:
        """Return whether the words of a request stand in ``text``: a look that costs next to nothing."""
        return any(
            each.asks.search(text) or (each.tail.search(text) and each.whom.search(text)) for each in list_patterns()
        )

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
    request, rest = _split_request(line, patterns)
    asked = bool(request) and patterns.told.match(rest.lstrip(" ,")) is None
    clusters = find_clusters(
        rest,
        patterns,
        timer=patterns.timers.search(request) is not None,
        repeating=patterns.repeating.search(request) is not None,
    )
    cluster = choose_cluster(rest, clusters, patterns, 0)
    unread = WhenReading(_strip(rest, patterns), problem=WhenProblem.NO_TIME, asked=asked)
    if cluster is None:
        return _Found(unread, len(request))
    covered = len(request) + sum(part.end - part.start for part in cluster.parts)
    try:
        resolved = resolve(cluster, patterns, now, morning=patterns.wakes.search(request) is not None)
    except NotATime:
        return _Found(unread, covered)
    left = rest if resolved.problem is WhenProblem.EVENT else _cut(rest, cluster, patterns)
    left = _strip(left, patterns)
    return _Found(replace(_tell(resolved, left), asked=asked and patterns.told.match(left) is None), covered)


def _split_request(line: str, patterns: Patterns) -> tuple[str, str]:
    """Return the words that ask for a reminder, "" for none, and the rest of the sentence."""
    if lead := patterns.lead.match(line):
        return lead["asked"], line[lead.end() :]
    if (inner := patterns.asks.search(line)) and _is_time(line[: inner.start()], patterns):
        return inner[0], f"{line[: inner.start()]}{line[inner.end() :]}"
    polite = patterns.polite.match(line)
    if (tail := patterns.tail.search(line)) and polite and patterns.whom.search(polite[0]):
        return tail[0], line[polite.end() :]
    return "", line


def _is_time(text: str, patterns: Patterns) -> bool:
    """Whether a text is a time from its beginning to its end: what stands before a request that is one."""
    clusters = find_clusters(text, patterns, timer=False)
    return (
        len(clusters) == 1
        and patterns.fillers.fullmatch(text, 0, clusters[0].start) is not None
        and patterns.fillers.fullmatch(text, clusters[0].end) is not None
    )


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
