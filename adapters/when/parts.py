"""Finds the parts of a time in a sentence, and which of them belong together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from adapters.when.patterns import Form, Kind, Patterns

_RANK: Final = {kind: place for place, kind in enumerate(Kind)}
_DAYS: Final = frozenset(
    {Kind.DATE, Kind.NUMERIC, Kind.ISO, Kind.DAY, Kind.DAY_PART, Kind.WEEKDAY, Kind.DAY_OF_MONTH, Kind.MONTH}
)
_ENDS: Final = (Kind.UNTIL, Kind.TIMES, Kind.LASTING)
_LENGTHS: Final = frozenset({Kind.AFTER, Kind.SPAN, Kind.TIMER})
_REPEATS: Final = frozenset(
    {Kind.EVERY, Kind.EVERY_NUMBER, Kind.EVERY_PART, Kind.EACH, Kind.WORKDAYS, Kind.WEEKENDS, Kind.OF_MONTH}
)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a time and where it stands."""

    form: Form
    found: re.Match[str]

    @property
    def kind(self) -> Kind:
        """What it says."""
        return self.form.kind

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.found.start()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.found.end()


@dataclass(frozen=True, slots=True)
class Cluster:
    """Parts that stand together, from ``start`` to ``end``."""

    parts: tuple[Part, ...]

    @property
    def start(self) -> int:
        """Where the first begins."""
        return self.parts[0].start

    @property
    def end(self) -> int:
        """Where the last ends."""
        return self.parts[-1].end

    def has(self, *kinds: Kind) -> bool:
        """Whether a part of one of these kinds is there."""
        return any(part.kind in kinds for part in self.parts)

    @property
    def tells(self) -> bool:
        """Whether it says when: an end or a number of times alone does not, nor does a month."""
        return any(part.kind not in (*_ENDS, Kind.MONTH) for part in self.parts)


def find_clusters(text: str, patterns: Patterns, *, timer: bool, repeating: bool = False) -> list[Cluster]:
    """Return the groups of parts of ``text``, in order; a ``timer`` has lengths, too: "for 10 minutes".

    ``repeating`` says that more than one reminder is asked for: what may be a repetition then is one.
    """
    parts = _find_parts(text, patterns, timer=timer, repeating=repeating)
    clusters: list[list[Part]] = []
    for part in parts:
        if clusters and patterns.fillers.fullmatch(text, clusters[-1][-1].end, part.start):
            clusters[-1].append(part)
        else:
            clusters.append([part])
    split = [piece for cluster in clusters for piece in _split_conflicts(cluster)]
    return list(map(Cluster, split))


def _find_parts(text: str, patterns: Patterns, *, timer: bool, repeating: bool) -> list[Part]:
    """Return parts that do not overlap: the longest first, then by kind."""

    def rank(part: Part) -> tuple[int, bool, int, int]:
        return part.start - part.end, repeating and part.kind not in _REPEATS, _RANK[part.kind], part.start

    found = [
        Part(form, match)
        for form in patterns.forms
        if timer or form.kind is not Kind.TIMER
        for match in form.pattern.finditer(text)
        if match.end() > match.start()
    ]
    if not any(part.kind in _REPEATS for part in found):
        found = [part for part in found if part.kind is not Kind.LASTING]
    found.sort(key=rank)
    chosen: list[Part] = []
    for part in found:
        if all(part.end <= other.start or part.start >= other.end for other in chosen):
            chosen.append(part)
    return sorted(chosen, key=lambda part: part.start)


def _split_conflicts(parts: Sequence[Part]) -> list[tuple[Part, ...]]:
    """Cut a group where it would say the same thing twice: "for Friday tomorrow at 9" is two times."""
    pieces: list[tuple[Part, ...]] = []
    current: list[Part] = []
    for part in parts:
        if current and _conflicts(current, part):
            pieces.append(tuple(current))
            current = []
        current.append(part)
    if current:
        pieces.append(tuple(current))
    return pieces


def _conflicts(before: Sequence[Part], part: Part) -> bool:  # noqa: PLR0911 - one case per kind
    kinds = {other.kind for other in before}
    if before[-1].kind is Kind.UNTIL or Kind.UNTIL in kinds:
        return False
    if part.kind is Kind.CLOCK:
        return Kind.CLOCK in kinds or bool(kinds & {Kind.SPAN})
    if part.kind in _LENGTHS:
        return bool(kinds & (_LENGTHS | {Kind.CLOCK}))
    if part.kind is Kind.WEEKDAY and kinds & {Kind.DATE, Kind.NUMERIC, Kind.NEXT, Kind.DAY}:
        return Kind.WEEKDAY in kinds
    if part.kind in _DAYS:
        weekday_first = part.kind in (Kind.DATE, Kind.NUMERIC, Kind.DAY_OF_MONTH) and kinds & _DAYS == {Kind.WEEKDAY}
        return bool(kinds & _DAYS) and not weekday_first
    if part.kind in _REPEATS:
        return bool(kinds & _REPEATS) and part.kind is not Kind.EACH
    return False


def choose_cluster(text: str, clusters: Sequence[Cluster], patterns: Patterns, begin: int) -> Cluster | None:
    """Return the group that says when: one at the beginning, else at the end, else the only one.

    ``begin`` is where the words of the request end.  A time of day at one end completes a day at the other.
    """
    telling = [cluster for cluster in clusters if cluster.tells]
    if not telling:
        return None
    first, last = telling[0], telling[-1]
    if clusters[-1] is not last and clusters[-1].has(*_ENDS):
        last = clusters[-1]
    leads = patterns.links.fullmatch(text, begin, first.start) is not None or first.start <= begin
    leads = leads or patterns.fillers.fullmatch(text, begin, first.start) is not None
    ends = patterns.courtesies.fullmatch(text, last.end) is not None
    if leads and ends and first is not last and _complete(first, last):
        return Cluster((*first.parts, *last.parts))
    if leads:
        return first
    if last is clusters[-1] and not last.tells:
        last = Cluster((*telling[-1].parts, *last.parts))
    return last if ends or len(telling) == 1 else None


def _complete(first: Cluster, last: Cluster) -> bool:
    """Whether one has what the other lacks: a time of day, an end."""
    clocks = (Kind.CLOCK, Kind.PART)
    if last.parts[0].kind in _ENDS:
        return True
    return all(part.kind in clocks for part in last.parts) and not first.has(*clocks, *_LENGTHS)
