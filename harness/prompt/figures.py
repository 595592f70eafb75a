"""Figures of a replayed conversation: a record for each message, and what they come to together."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from harness.prompt.counting import TurnFinder, compare_prefix, count_repeats, take_apart
from harness.prompt.replay import Given
from harness.prompt.scripted_model import CONVERSATION, Call
from harness.recall.metrics import ADVERSARIAL
from language.tokens import count_tokens

BUILDING: Final = "ContextBuilding"
"""System 20 in the trace."""
_LATE: Final = "missed the deadline"
WISHES: Final = frozenset({"instruction_following", "preference_following"})
"""Categories of questions whose evidence is a standing wish or a preference."""

Report = dict[str, Any]  # Any: numbers, lists and objects of numbers


@dataclass(frozen=True, slots=True)
class Sight:
    """What one message made the bot send.  Sizes in tokens unless their names say otherwise.

    ``new`` counts all requests of the message against the one before in the same session; ``comparable`` is the size
    of those that have one before.  ``parts`` are the first request's, see :class:`~harness.prompt.counting.Layout`;
    ``lines`` and ``wishes`` count entries.
    """

    prompt: int
    counted: int
    new: int
    comparable: int
    comparable_new: int
    answer: int
    memory: int
    sections: dict[str, int]
    parts: dict[str, int]
    lines: int
    wishes: int
    repeated: int
    build_ms: float
    late: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's sight, and how much of its evidence it holds, each a share in 0..1."""

    sight: Sight
    category: str
    evidence: int
    in_memory: float
    in_history: float
    in_wishes: float
    anywhere: float
    lines_with_evidence: int


@dataclass(frozen=True, slots=True)
class Aside:
    """A background call: what for, and what it cost in tokens."""

    kind: str
    prompt: int
    answer: int


@dataclass(slots=True)
class Record:
    """What was measured of one conversation so far; ``silent`` counts messages that no model call answers."""

    name: str
    turns: list[Sight] = field(default_factory=list)
    questions: list[Asked] = field(default_factory=list)
    unrelated: list[Sight] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    silent: int = 0
    _before: str = ""

    def begin_session(self, given: Given | None = None) -> None:
        """Note what happened between two sessions; the next request has none before it."""
        self._before = ""
        self._note_asides(given.calls if given is not None else ())

    def note_turn(self, given: Given) -> None:
        if (sight := self._see(given)) is not None:
            self.turns.append(sight)

    def note_unrelated(self, given: Given) -> None:
        """Note a question, in a session of its own, that nothing in memory is about."""
        self.begin_session()
        if (sight := self._see(given)) is not None:
            self.unrelated.append(sight)

    def note_question(self, given: Given, finder: TurnFinder, category: str, evidence: frozenset[str]) -> None:
        """Note a question, in a session of its own, and its evidence, the names of turns."""
        self.begin_session()
        sight = self._see(given)
        if sight is None:
            return
        body = next(call.body for call in given.calls if call.kind == CONVERSATION)
        layout = take_apart(body)
        lines = [finder.find(line) for line in layout.memory.lines]
        remembered = frozenset().union(*lines) & evidence
        said = finder.find_any((*layout.history, *layout.summary.lines)) & evidence
        wished = finder.find_any(layout.wishes.lines) & evidence
        share = 1 / max(len(evidence), 1)
        self.questions.append(
            Asked(
                sight=sight,
                category=category,
                evidence=len(evidence),
                in_memory=share * len(remembered),
                in_history=share * len(said),
                in_wishes=share * len(wished),
                anywhere=share * len(remembered | said | wished),
                lines_with_evidence=sum(not evidence.isdisjoint(found) for found in lines),
            )
        )

    def _see(self, given: Given) -> Sight | None:
        self._note_asides(given.calls)
        calls = [call for call in given.calls if call.kind == CONVERSATION]
        if not calls:
            self.silent += 1
            return None
        comparable, prefixes = [], []
        for call in calls:
            prefixes.append(compare_prefix(self._before, call.text))
            if self._before:
                comparable.append(prefixes[-1])
            self._before = call.text
        layout = take_apart(calls[0].body)
        shown, parts = layout.memory, layout.count()
        return Sight(
            prompt=sum(each.whole_tokens for each in prefixes),
            counted=sum(call.counted for call in calls),
            new=sum(each.new_tokens for each in prefixes),
            comparable=sum(each.whole_tokens for each in comparable),
            comparable_new=sum(each.new_tokens for each in comparable),
            answer=sum(count_tokens(call.answer) for call in calls),
            memory=shown.tokens,
            sections=shown.by_section,
            parts=parts,
            lines=len(shown.lines),
            wishes=len(layout.wishes.lines),
            repeated=count_repeats((*layout.wishes.lines, *shown.lines), (*layout.history, *layout.summary.lines)),
            build_ms=given.trace.durations_ms.get(BUILDING, 0.0),
            late=any(_LATE in note for note in given.trace.notes),
        )

    def _note_asides(self, calls: Iterable[Call]) -> None:
        self.asides += [
            Aside(call.kind, count_tokens(call.text), count_tokens(call.answer))
            for call in calls
            if call.kind != CONVERSATION
        ]


def summarise(records: Sequence[Record]) -> Report:
    """Return the figures of conversations taken together."""
    turns = [sight for record in records for sight in record.turns]
    asked = [one for record in records for one in record.questions]
    unrelated = [sight for record in records for sight in record.unrelated]
    asides = [aside for record in records for aside in record.asides]
    return {
        "turns": _sum_up(turns),
        "background": _sum_up_asides(asides, turns),
        "questions": {**_sum_up([one.sight for one in asked]), **_sum_up_evidence(asked)},
        "nothing_relevant": {**_sum_up(unrelated), "empty": _share(sight.lines == 0 for sight in unrelated)},
        "messages_without_a_request": sum(record.silent for record in records),
    }


def _sum_up(sights: Sequence[Sight]) -> Report:
    """Return means per message, shares in per cent and milliseconds."""
    if not sights:
        return {"messages": 0}
    comparable, new = (sum(sizes) for sizes in zip(*((s.comparable, s.comparable_new) for s in sights), strict=True))

    def mean(read: Callable[[Sight], float]) -> float:
        return round(float(np.mean([read(sight) for sight in sights])), 1)

    def means(figures: list[dict[str, int]]) -> dict[str, float]:
        names = sorted({name for each in figures for name in each})
        return {name: round(float(np.mean([each.get(name, 0) for each in figures])), 1) for name in names}

    def cut(read: Callable[[Sight], float], share: int) -> float:
        return round(float(np.percentile([read(sight) for sight in sights], share)), 1)

    return {
        "messages": len(sights),
        "prompt_tokens": mean(lambda sight: sight.prompt),
        "prompt_tokens_p95": cut(lambda sight: sight.prompt, 95),
        "prompt_tokens_as_the_server_counts": mean(lambda sight: sight.counted),
        "new_tokens": mean(lambda sight: sight.new),
        **({"same_as_before_percent": _percent(comparable - new, comparable)} if comparable else {}),
        "answer_tokens": mean(lambda sight: sight.answer),
        "memory_tokens": mean(lambda sight: sight.memory),
        "memory_tokens_by_section": means([sight.sections for sight in sights]),
        "memory_lines": mean(lambda sight: sight.lines),
        "standing_wishes": mean(lambda sight: sight.wishes),
        "tokens_by_part": means([sight.parts for sight in sights]),
        "repeated_sentences": mean(lambda sight: sight.repeated),
        "prompts_with_repeats_percent": _share(sight.repeated > 0 for sight in sights),
        "build_ms_p50": cut(lambda sight: sight.build_ms, 50),
        "build_ms_p95": cut(lambda sight: sight.build_ms, 95),
        "memories_late": sum(sight.late for sight in sights),
    }


def _sum_up_asides(asides: Sequence[Aside], turns: Sequence[Sight]) -> Report:
    """Return tokens of background calls; ``percent`` is their prompts' share of all prompts, those included."""
    prompt, spoken = sum(aside.prompt for aside in asides), sum(sight.prompt for sight in turns)
    both = prompt + sum(aside.answer for aside in asides)
    talk = spoken + sum(sight.answer for sight in turns)
    return {
        "calls": dict(Counter(aside.kind for aside in asides)),
        "prompt_tokens_per_message": round(prompt / max(len(turns), 1), 1),
        "answer_tokens_per_message": round((both - prompt) / max(len(turns), 1), 1),
        "percent_of_all_prompt_tokens": _percent(prompt, prompt + spoken),
        "percent_of_the_conversations_tokens": _percent(both, talk),
    }


def _sum_up_evidence(asked: Sequence[Asked]) -> Report:
    labelled = [one for one in asked if one.evidence]
    categories = sorted({one.category for one in labelled})
    return {
        "evidence": {
            "overall": _average([one for one in labelled if one.category not in ADVERSARIAL]),
            "all": _average(labelled),
            "wishes": _average([one for one in labelled if one.category in WISHES]),
            "categories": {
                category: _average([one for one in labelled if one.category == category]) for category in categories
            },
        }
    }


def _average(asked: Sequence[Asked]) -> Report:
    if not asked:
        return {"questions": 0}
    lines = sum(one.sight.lines for one in asked)
    return {
        "questions": len(asked),
        "in_prompt_percent": _mean_percent(one.anywhere for one in asked),
        "in_memory_percent": _mean_percent(one.in_memory for one in asked),
        "in_history_percent": _mean_percent(one.in_history for one in asked),
        "in_wishes_percent": _mean_percent(one.in_wishes for one in asked),
        "lines_that_are_evidence_percent": _percent(sum(one.lines_with_evidence for one in asked), lines),
        "memory_tokens": round(float(np.mean([one.sight.memory for one in asked])), 1),
    }


def _mean_percent(shares: Iterable[float]) -> float:
    return round(100 * float(np.mean(list(shares))), 1)


def _share(facts: Iterable[bool]) -> float:
    told = list(facts)
    return _percent(sum(told), len(told))


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 1) if whole else 0.0
