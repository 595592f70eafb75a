"""Measures the prompts of a conversation: replayed, its questions asked, and others that nothing in it is about.

A record of each message, and what they come to together.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from bot.ports.embedder import Embedder
from harness.prompt.counting import TurnFinder, compare_prefix, count_repeats, take_apart
from harness.prompt.replay import CONVERSATION, Call, Given, Replay, Spoken, open_replay, pair_up
from harness.recall.dataset import Conversation, Labelled
from harness.recall.metrics import ADVERSARIAL
from language.tokens import count_tokens

BUILDING: Final = "ContextBuilding"
"""System 20 in the trace."""
_LATE: Final = "missed the deadline"
WISHES: Final = frozenset({"instruction_following", "preference_following"})
"""Categories of questions whose evidence is a standing wish or a preference."""

Report = dict[str, Any]  # Any: numbers, lists and objects of numbers
Sight = dict[str, Any]
"""What one message made the bot send, by the names that its means have in a report.  Sizes are in tokens.

``new_tokens`` counts all requests of the message against the one before in the same session; ``comparable`` is the size
of those that have one before, and ``comparable_new`` what of them is new.  ``tokens_by_part`` are the first request's,
see :class:`~harness.prompt.counting.Layout`; ``memory_lines`` and ``standing_wishes`` count entries.
"""
_MEANS: Final = (
    *("prompt_tokens", "prompt_tokens_as_the_server_counts", "new_tokens", "answer_tokens", "memory_tokens"),
    *("memory_lines", "standing_wishes", "repeated_sentences"),
)
_MEANS_BY_NAME: Final = ("memory_tokens_by_section", "tokens_by_part")
_EVIDENCE: Final = ("in_prompt_percent", "in_memory_percent", "in_history_percent", "in_wishes_percent")


@dataclass(slots=True)
class Record:
    """What was measured of one conversation so far; ``silent`` counts messages that no model call answers.

    A question is a sight with its ``category``, how much ``evidence`` it has, and what share of that stands where, in
    per cent.  Asides are background calls: what for, and the tokens of prompt and answer.
    """

    name: str
    turns: list[Sight] = field(default_factory=list)
    questions: list[Sight] = field(default_factory=list)
    unrelated: list[Sight] = field(default_factory=list)
    asides: list[tuple[str, int, int]] = field(default_factory=list)
    silent: int = 0
    _before: str = ""

    def begin_session(self, given: Given | None = None) -> None:
        """Note what happened between two sessions; the next request has none before it."""
        self._before = ""
        self._note_asides(given.calls if given is not None else ())

    def note_turn(self, given: Given) -> None:
        self.turns += self._see(given)

    def note_unrelated(self, given: Given) -> None:
        """Note a question, in a session of its own, that nothing in memory is about."""
        self.begin_session()
        self.unrelated += self._see(given)

    def note_question(self, given: Given, finder: TurnFinder, category: str, evidence: frozenset[str]) -> None:
        """Note a question, in a session of its own, and its evidence, the names of turns."""
        self.begin_session()
        for sight in self._see(given):
            layout = take_apart(next(call.body for call in given.calls if call.kind == CONVERSATION))
            lines = [finder.find(line) for line in layout.memory.lines]
            remembered = frozenset().union(*lines) & evidence
            said = finder.find_any((*layout.history, *layout.summary.lines)) & evidence
            wished = finder.find_any(layout.wishes.lines) & evidence
            found = (remembered | said | wished, remembered, said, wished)
            whole = max(len(evidence), 1)
            shares = {name: 100 * len(each) / whole for name, each in zip(_EVIDENCE, found, strict=True)}
            telling = sum(not evidence.isdisjoint(each) for each in lines)
            about = {"category": category, "evidence": len(evidence), "lines_with_evidence": telling}
            self.questions.append(sight | about | shares)

    def _see(self, given: Given) -> list[Sight]:
        self._note_asides(given.calls)
        calls = [call for call in given.calls if call.kind == CONVERSATION]
        if not calls:
            self.silent += 1
            return []
        comparable, prefixes = [], []
        for call in calls:
            prefixes.append(compare_prefix(self._before, call.text))
            comparable += prefixes[-1:] if self._before else []
            self._before = call.text
        layout = take_apart(calls[0].body)
        shown, wishes = layout.memory, layout.wishes.lines
        return [
            {
                "prompt_tokens": sum(each.whole_tokens for each in prefixes),
                "prompt_tokens_as_the_server_counts": sum(call.counted for call in calls),
                "new_tokens": sum(each.new_tokens for each in prefixes),
                "comparable": sum(each.whole_tokens for each in comparable),
                "comparable_new": sum(each.new_tokens for each in comparable),
                "answer_tokens": sum(count_tokens(call.answer) for call in calls),
                "memory_tokens": shown.tokens,
                "memory_tokens_by_section": shown.by_section,
                "tokens_by_part": layout.count(),
                "memory_lines": len(shown.lines),
                "standing_wishes": len(wishes),
                "repeated_sentences": count_repeats((*wishes, *shown.lines), (*layout.history, *layout.summary.lines)),
                "build_ms": given.trace.durations_ms.get(BUILDING, 0.0),
                "late": any(_LATE in note for note in given.trace.notes),
            }
        ]

    def _note_asides(self, calls: Iterable[Call]) -> None:
        aside = (call for call in calls if call.kind != CONVERSATION)
        self.asides += [(call.kind, count_tokens(call.text), count_tokens(call.answer)) for call in aside]


def summarise(records: Sequence[Record]) -> Report:
    """Return the figures of conversations taken together."""
    turns = [sight for record in records for sight in record.turns]
    asked = [sight for record in records for sight in record.questions]
    unrelated = [sight for record in records for sight in record.unrelated]
    empty = sum(not sight["memory_lines"] for sight in unrelated)
    return {
        "turns": _sum_up(turns),
        "background": _sum_up_asides([aside for record in records for aside in record.asides], turns),
        "questions": {**_sum_up(asked), **_sum_up_evidence(asked)},
        "nothing_relevant": {**_sum_up(unrelated), "empty": _percent(empty, len(unrelated))},
        "messages_without_a_request": sum(record.silent for record in records),
    }


def _sum_up(sights: Sequence[Sight]) -> Report:
    """Return means per message, shares in per cent and milliseconds."""
    if not sights:
        return {"messages": 0}
    comparable, new = (sum(sight[name] for sight in sights) for name in ("comparable", "comparable_new"))
    named = {name: [sight[name] for sight in sights] for name in _MEANS_BY_NAME}
    return {
        "messages": len(sights),
        **{name: _mean(sight[name] for sight in sights) for name in _MEANS},
        **{
            name: {
                part: _mean(one.get(part, 0) for one in each) for part in sorted({part for one in each for part in one})
            }
            for name, each in named.items()
        },
        "prompt_tokens_p95": _cut(sights, "prompt_tokens", 95),
        **({"same_as_before_percent": _percent(comparable - new, comparable)} if comparable else {}),
        "prompts_with_repeats_percent": _percent(sum(s["repeated_sentences"] > 0 for s in sights), len(sights)),
        "build_ms_p50": _cut(sights, "build_ms", 50),
        "build_ms_p95": _cut(sights, "build_ms", 95),
        "memories_late": sum(sight["late"] for sight in sights),
    }


def _sum_up_asides(asides: Sequence[tuple[str, int, int]], turns: Sequence[Sight]) -> Report:
    """Return tokens of background calls; ``percent`` is their prompts' share of all prompts, those included."""
    prompt, answer = sum(each for _, each, _ in asides), sum(each for _, _, each in asides)
    spoken, told = (sum(sight[name] for sight in turns) for name in ("prompt_tokens", "answer_tokens"))
    return {
        "calls": dict(Counter(kind for kind, _, _ in asides)),
        "prompt_tokens_per_message": round(prompt / max(len(turns), 1), 1),
        "answer_tokens_per_message": round(answer / max(len(turns), 1), 1),
        "percent_of_all_prompt_tokens": _percent(prompt, prompt + spoken),
        "percent_of_the_conversations_tokens": _percent(prompt + answer, spoken + told),
    }


def _sum_up_evidence(asked: Sequence[Sight]) -> Report:
    labelled = [one for one in asked if one["evidence"]]
    categories = {
        name: _average([one for one in labelled if one["category"] == name])
        for name in sorted({one["category"] for one in labelled})
    }
    parts = {
        "overall": _average([one for one in labelled if one["category"] not in ADVERSARIAL]),
        "all": _average(labelled),
        "wishes": _average([one for one in labelled if one["category"] in WISHES]),
    }
    return {"evidence": {**parts, "categories": categories}}


def _average(asked: Sequence[Sight]) -> Report:
    if not asked:
        return {"questions": 0}
    telling, lines = (sum(one[name] for one in asked) for name in ("lines_with_evidence", "memory_lines"))
    return {
        "questions": len(asked),
        **{name: _mean(one[name] for one in asked) for name in (*_EVIDENCE, "memory_tokens")},
        "lines_that_are_evidence_percent": _percent(telling, lines),
    }


def _mean(figures: Iterable[float]) -> float:
    return round(float(np.mean(list(figures))), 1)


def _cut(sights: Sequence[Sight], name: str, share: int) -> float:
    return round(float(np.percentile([sight[name] for sight in sights], share)), 1)


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


UNRELATED: Final = (
    "What is the boiling point of ethanol?",
    "Who painted the ceiling of the Sistine Chapel?",
    "How many strings does a cello have?",
    "Which planet has the shortest day?",
    "What is the longest river in Africa?",
    "What does carpe diem mean?",
)
"""General knowledge that people do not put into a chat about themselves: nothing remembered helps."""
_EVERYTHING: Final = 1_000_000

Progress = Callable[[str, int, int], None]
"""Told what is done, how much of it and of how much."""


async def measure_prompts(
    conversation: Conversation,
    folder: Path,
    record: Record,
    *,
    limit: int | None = None,
    questions: int | None = None,
    progress: Progress = lambda _what, _done, _of: None,
    embedder: Embedder | None = None,
) -> None:
    """Write into ``record`` what a conversation makes of prompts; what was measured is there if this is cut off.

    The first ``limit`` exchanges are replayed, and so many ``questions`` asked, ``None`` for all.
    """
    exchanges, user, model = pair_up(conversation)
    exchanges = exchanges[:limit]
    texts = {said.id: said.text for said in conversation.said}
    kept = {name: texts[name] for exchange in exchanges for name in exchange.turns}
    async with open_replay(folder, begins=exchanges[0].at, user=user, model_name=model, embedder=embedder) as replay:
        await _converse(replay, exchanges, record, progress)
        last = exchanges[-1].at
        finder = TurnFinder(kept)
        asked = choose_questions(conversation.questions, frozenset(kept), questions)
        for number, question in enumerate(asked):
            progress("questions", number, len(asked))
            given = await replay.ask(question.text, last)
            record.note_question(given, finder, question.category, frozenset(question.evidence))
        for number, text in enumerate(UNRELATED):
            progress("unrelated questions", number, len(UNRELATED))
            record.note_unrelated(await replay.ask(text, last))
        progress("done", 1, 1)


async def _converse(replay: Replay, exchanges: Sequence[Spoken], record: Record, progress: Progress) -> None:
    session = None
    for number, exchange in enumerate(exchanges):
        progress("messages", number, len(exchanges))
        if exchange.session != session:
            record.begin_session(await replay.begin_session(exchange.at))
            session = exchange.session
        record.note_turn(await replay.say(exchange.user, exchange.at, exchange.assistant))
    record.begin_session(await replay.begin_session(exchanges[-1].at))


def choose_questions(questions: Sequence[Labelled], turns: frozenset[str], most: int | None) -> tuple[Labelled, ...]:
    """Return the questions whose evidence lies in these turns, of more than ``most`` a selection spread evenly."""
    fitting = [question for question in questions if turns.issuperset(question.evidence)]
    count = min(len(fitting), _EVERYTHING if most is None else most)
    return tuple(fitting[place * len(fitting) // count] for place in range(count))
