"""Ranks the lines of the chronicle for a question over time or over everything, and spreads them over sessions.

How near a line is to the question the search over verbatim turns knows best, by meaning as by words: a line gets what
its exchange got there, and something for words of its own; then what it tells decides.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from bot.memory.chronicle.lines import DECIDED, DigestLine
from bot.memory.helpfulness import HELPS
from bot.memory.items import Channel, Recalled
from bot.memory.overviews import Overview, OverviewKind
from bot.memory.ranking.passages import Days, find_days
from bot.memory.ranking.ranking import KNOWN
from bot.memory.synonyms import list_concepts


@dataclass(frozen=True, slots=True)
class DigestWeights:
    """What counts how much: the exchange's place in the search, words in common, what a line tells by itself.

    ``again`` is what the next line of a session counts, of what the one before it did.
    """

    found: float = 1.0
    words: float = 0.5
    tells: float = 0.2
    again: float = 0.93
    least: float = 0.15
    """Lines below this share of the best one's worth are left out, unless nothing says what the question is about."""


WEIGHTS: Final = DigestWeights()
MOST: Final = MappingProxyType(
    {
        OverviewKind.ORDER: 24,
        OverviewKind.CHANGE: 18,
        OverviewKind.DECISIONS: 18,
        OverviewKind.SUMMARY: 12,
        OverviewKind.EVERYTHING: 12,
    }
)
"""Lines for one question, of some 35 tokens: an order needs many, a summary also what stands around them."""
_SUREST: Final = 0.9
"""Certainty of lines where all that a question names is in the chronicle."""
_NOTHING: Final = 0.15
"""Certainty below which the chronicle is silent: nothing of what the question names was ever said."""
_HELPS: Final = 0.65
_FADES: Final = 0.5
"""Probability that the best line helps, and what the last one has lost of it: a line costs a third of a passage, so
that it may help a third as often and be worth its tokens as much."""
_HALF: Final = 0.5
"""The certainty that is left where nothing was said on the days that a question names."""
_OTHER: Final = 0.8
"""What a line gets of what the other side of its exchange got."""
_LOOKED_AT: Final = 5
_DAY: Final = timedelta(days=1)


def rank_lines(
    lines: Sequence[DigestLine],
    overview: Overview,
    found: Sequence[Recalled],
    *,
    question: str,
    now: datetime,
    most: int = 0,
    weights: DigestWeights = WEIGHTS,
) -> tuple[Recalled, ...]:
    """Return at most ``most`` lines (0: as many as the kind of question wants) as memories.

    They are in the order in which they were said where the question is about that, else best first.

    ``found`` is what the search over turns found, best first.

    A question that names days is answered from those days, if anything was said on them, and one for decisions from
    decisions, if there are any.  The certainty (``signals[KNOWN]``) is the larger of what the search over turns has of
    its best results and of how much of what the question names is in the chronicle at all.
    """
    if not lines:
        return ()
    most = most or MOST[overview.kind]
    spans = find_days(question, now, lines[0].said_at, lines[-1].said_at)
    within = [line for line in lines if _is_within(line, spans)]
    decided = [line for line in within or lines if line.weight >= DECIDED]
    asked = decided if decided and overview.kind is OverviewKind.DECISIONS else within or lines
    subject = _Subject.read(overview.subject, asked)
    missed = bool(spans) and not within
    sure = max(subject.covered * (_HALF if missed else 1.0), _find_certainty(found)) * _SUREST
    if sure < _NOTHING:
        return ()
    picked = _pick(_weigh(asked, subject, found, weights), most, weights, sure, every=not subject.wanted)
    if overview.chronological:
        picked.sort(key=lambda pair: pair[0].place)
    return tuple(memory for _, memory in picked)


def _find_certainty(found: Sequence[Recalled]) -> float:
    return max((memory.signals.get(KNOWN, 0.0) for memory in found[:_LOOKED_AT]), default=0.0)


@dataclass(frozen=True, slots=True)
class _Subject:
    """The concepts that a question names with their rarity among the lines, and those of each line.

    ``covered`` is the share of them that the lines hold together, 0..1; 1 where none is named.  Rarity does not count
    there: in a young chat every verb that nobody used is rarer than all that was said.
    """

    wanted: frozenset[str]
    rarity: Mapping[str, float]
    said: Sequence[frozenset[str]]
    covered: float

    @classmethod
    def read(cls, subject: str, lines: Sequence[DigestLine]) -> _Subject:
        wanted = frozenset(list_concepts(subject))
        said = [frozenset(list_concepts(line.text)) & wanted for line in lines]
        counts = Counter(concept for concepts in said for concept in concepts)
        rarity = {concept: math.log(1 + len(lines) / (counts[concept] or 0.5)) for concept in wanted}
        return cls(wanted, rarity, said, len(counts) / len(wanted) if wanted else 1.0)

    def measure(self, place: int) -> float:
        """Return how much of the subject a line names, 0..1."""
        whole = sum(self.rarity.values())
        return sum(self.rarity[concept] for concept in self.said[place]) / whole if whole else 0.0


def _is_within(line: DigestLine, spans: Sequence[Days]) -> bool:
    return any(span.start <= line.said_at < span.end + _DAY for span in spans)


def _weigh(
    lines: Sequence[DigestLine], subject: _Subject, found: Sequence[Recalled], weights: DigestWeights
) -> list[tuple[float, DigestLine]]:
    """Return each line with its worth."""
    near = _scale_found(found)
    return [
        (
            weights.found * max(near.get((line.exchange, line.role), 0.0), _OTHER * near.get((line.exchange, ""), 0.0))
            + weights.words * subject.measure(place)
            + weights.tells * line.weight,
            line,
        )
        for place, line in enumerate(lines)
    ]


def _scale_found(found: Sequence[Recalled]) -> Mapping[tuple[str, str], float]:
    """Return how near each exchange is, 0..1, by the role that said it, and under "" whoever did."""
    if not found:
        return {}
    scores = [memory.score for memory in found]
    low, high = min(scores), max(scores)
    near: dict[tuple[str, str], float] = {}
    for memory in found:
        share = (memory.score - low) / ((high - low) or 1.0)
        for key in ((memory.exchange, memory.role), (memory.exchange, "")):
            near[key] = max(near.get(key, 0.0), share)
    return near


def _pick(
    worth: list[tuple[float, DigestLine]], most: int, weights: DigestWeights, surest: float, *, every: bool
) -> list[tuple[DigestLine, Recalled]]:
    """Take lines one after the other, each session's next one for less."""
    best = max(value for value, _ in worth)
    floor = 0.0 if every else weights.least * best
    rest = [(value, line) for value, line in worth if value >= floor]
    taken: Counter[int] = Counter()
    picked: list[tuple[DigestLine, Recalled]] = []
    while rest and len(picked) < most:
        value, line = max(rest, key=lambda pair: pair[0] * weights.again ** taken[pair[1].session])
        rest.remove((value, line))
        taken[line.session] += 1
        helps = surest * _HELPS * (1 - _FADES * len(picked) / most)
        picked.append((line, _build_memory(line, value, surest, helps)))
    return picked


def _build_memory(line: DigestLine, score: float, sure: float, helps: float) -> Recalled:
    return Recalled(
        key=line.key,
        text=line.text,
        channel=Channel.DIGEST,
        score=score,
        author=line.author,
        author_id=line.author_id,
        role=line.role,
        said_at=line.said_at,
        exchange=line.exchange,
        signals=MappingProxyType({KNOWN: round(sure, 3), HELPS: round(helps, 4)}),
        trust=line.trust,
    )
