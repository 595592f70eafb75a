"""Measures the prompts of one conversation: replay it, ask its questions, ask what nothing in it is about."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

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
