"""Measures the prompts of one conversation: replay it, ask its questions, ask what nothing in it is about.

What was measured of whole conversations is kept in a file, so that a run that was cut off goes on behind them.  A line
of the file is one conversation; a line that was cut off while it was written is measured again.  What was measured by
other code, or on another machine, is not told apart: a file is for one state of both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from bot.ports.embedder import Embedder
from harness.prompt.counting import TurnFinder
from harness.prompt.figures import Record
from harness.prompt.replay import Replay, Spoken, open_replay, pair_up
from harness.recall.dataset import Conversation, Labelled

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


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to replay and to ask, ``None`` for all; ``settings`` are the bot's in place of defaults."""

    exchanges: int | None = None
    questions: int | None = None
    long_term: bool = False
    settings: dict[str, Any] | None = None  # Any: settings as JSON


async def measure_prompts(
    conversation: Conversation,
    folder: Path,
    plan: Plan,
    record: Record,
    *,
    progress: Progress = lambda _what, _done, _of: None,
    embedder: Embedder | None = None,
) -> None:
    """Write into ``record`` what a conversation makes of prompts; what was measured is there if this is cut off."""
    exchanges, user, model = pair_up(conversation)
    exchanges = exchanges[: plan.exchanges]
    texts = {said.id: said.text for said in conversation.said}
    kept = {name: texts[name] for exchange in exchanges for name in exchange.turns}
    async with open_replay(
        folder,
        begins=exchanges[0].at,
        user=user,
        model_name=model,
        long_term=plan.long_term,
        settings=plan.settings,
        embedder=embedder,
    ) as replay:
        await _converse(replay, exchanges, record, progress)
        last = exchanges[-1].at
        finder = TurnFinder(kept)
        questions = choose_questions(conversation.questions, frozenset(kept), plan.questions)
        for number, question in enumerate(questions):
            progress("questions", number, len(questions))
            given = await replay.ask(question.text, last)
            record.note_question(given, finder, question.index, question.category, frozenset(question.evidence))
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


_RECORDS: Final = TypeAdapter(Record)
_KEPT: Final = ("name", "turns", "questions", "unrelated", "asides", "silent")


class KeptRecords:
    """Records of one data file and plan, kept in ``file``; ``None`` keeps nothing."""

    def __init__(self, file: Path | None, data: Path, plan: Plan) -> None:
        self._file = file
        self._key = hashlib.sha256(data.read_bytes() + json.dumps(asdict(plan), sort_keys=True).encode()).hexdigest()
        self._found = {record.name: record for record in self._read()}

    def find(self, name: str) -> Record | None:
        """Return what was measured of a conversation, ``None`` when that is not all."""
        return self._found.get(name)

    def add(self, record: Record) -> None:
        """Keep a conversation that was measured to its end."""
        if self._file is not None:
            line = json.dumps({"key": self._key, "record": asdict(record)}, ensure_ascii=False)
            with self._file.open("a", encoding="utf-8") as out:
                out.write(f"\n{line}\n")

    def _read(self) -> Iterator[Record]:
        if self._file is None or not self._file.exists():
            return
        for line in self._file.read_text(encoding="utf-8").splitlines():
            try:
                kept = json.loads(line) if line else {}
            except ValueError:  # cut off while it was written
                continue
            if kept.get("key") == self._key:
                yield _RECORDS.validate_python({name: kept["record"][name] for name in _KEPT})
