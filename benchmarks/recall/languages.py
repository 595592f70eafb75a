"""Recall within and across languages: paragraphs in one language are told, questions are asked in each.

The file is XQuAD's (Artetxe et al. 2020): ``{language: [{"paragraph", "questions": [text or {"question"}]}]}`` with the
same paragraphs in the same order.  A question counts as answered when its paragraph comes first.
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from benchmarks.recall.memory import Ingested, Memory, ingest, open_memory, read_question, turn_key
from harness.options import Report
from harness.recall.dataset import Conversation, Labelled, Said

_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_EVERY: Final = 3
"""Of the questions in another language every third is asked."""


async def measure_languages(folder: Path, *, data: Path) -> Report:
    """Questions and texts in every pair of languages: the per cent of questions whose paragraph came first.

    By language of the question, and of the text.
    """
    told = json.loads(data.read_bytes())  # noqa: ASYNC240 - nothing else goes on
    report: Report = {asked: {} for asked in told}
    async with open_memory(folder / "data") as memory:
        for number, (language, paragraphs) in enumerate(told.items()):
            said = tuple(
                Said(str(place), "Anna", paragraph["paragraph"], place, _BEGIN + timedelta(hours=8 * place))
                for place, paragraph in enumerate(paragraphs)
            )
            done = await ingest(memory, Conversation(language, said, ()), number)
            for asked in told:
                step = 1 if asked == language else _EVERY
                questions = [
                    Labelled(-1, each if isinstance(each, str) else each["question"], (str(place),), "", "Anna")
                    for place, paragraph in enumerate(told[asked])
                    for each in paragraph["questions"]
                ][::step]
                right = [await _comes_first(memory, done, question) for question in questions]
                report[asked][language] = round(100 * sum(right) / len(right), 1)
    return report


async def _comes_first(memory: Memory, done: Ingested, question: Labelled) -> bool:
    found = await memory.recall.recall(done.scope, await read_question(memory, done, question, 1))
    return bool(found) and done.turns.get(turn_key(found[0])) in question.evidence
