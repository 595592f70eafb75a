"""Plain facts asked for in other words, and paragraphs asked for in other languages.

Of facts the file holds JSON lines {"lang", "say", "ask", "unknown"}; ``lang`` may be the file's name (``en.jsonl``).
Memories of a few facts hold those of the file alone; larger ones are filled up with facts of the benchmark's own
(``asked_facts.jsonl``) of the same language, which answer by chance, if at all.
A fact counts as shown when it stands among the first :data:`LINES` memories that the prompt would show.
Of languages it is XQuAD's (Artetxe et al. 2020): ``{language: [{"paragraph", "questions": [text or {"question"}]}]}``
with the same paragraphs in the same order.  A question counts as answered when its paragraph comes first.
"""

import json
import random
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from benchmarks.recall.asking import PRODUCT, Ingested, Memory, ingest, open_memory, read_question, turn_key
from benchmarks.recall.questions import FACTS
from bot.memory.answering.questions import measure_asking
from bot.memory.prompt.selection import select_memories
from harness.options import Report
from harness.recall.dataset import Conversation, Labelled, Said

LINES: Final = 6
SIZES: Final = (5, 50, 500)
_USER: Final = "Anna"
_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)

Fact = dict[str, str]


async def measure_known(folder: Path, *, data: tuple[Path, ...]) -> Report:
    """Plain facts in other words: the per cent of facts shown, and of unknown ones that showed nothing.

    By language and size of memory.
    """
    facts, others = [fact for path in data for fact in _read(path)], list(_read(FACTS))
    report: Report = {}
    number = 0
    async with open_memory(folder / "data") as memory:
        for language in dict.fromkeys(fact["lang"] for fact in facts):
            own = [fact for fact in facts if fact["lang"] == language]
            filling = [fact[name] for fact in others if fact["lang"] == language for name in ("say", "near")]
            report[language] = {}
            for size in SIZES:
                found: list[tuple[bool, bool, int]] = []
                for start in range(0, len(own), size):
                    part = own[start : start + size]
                    found += await _ask(memory, part, filling[: size - len(part)] if size > len(own) else [], number)
                    number += 1
                known, silent, lines = ([one[place] for one in found] for place in range(3))
                report[language][str(size)] = {
                    "shown": round(100 * sum(known) / len(known), 1),
                    "silent": round(100 * sum(silent) / len(silent), 1),
                    "shown for unknown": round(sum(lines) / len(lines), 1),
                }
    return report


def _read(path: Path) -> Iterable[Fact]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield {"lang": path.stem, **json.loads(line)}


async def _ask(
    memory: Memory, facts: Sequence[Fact], filling: Sequence[str], number: int
) -> list[tuple[bool, bool, int]]:
    """Return for each fact whether it was shown, whether nothing was for the unknown one, and how many lines were."""
    texts = [*(fact["say"] for fact in facts), *filling]
    order = list(range(len(texts)))
    random.Random(number).shuffle(order)
    said = tuple(
        Said(str(place), _USER, texts[place], turn // 5, _BEGIN + timedelta(hours=turn))
        for turn, place in enumerate(order)
    )
    done = await ingest(memory, Conversation(str(number), said, ()), number)
    results = []
    for place, fact in enumerate(facts):
        shown = []
        for text in (fact["ask"], fact["unknown"]):
            question = Labelled(-1, text, (), "", _USER)
            found = await memory.recall.recall(done.scope, await read_question(memory, done, question, PRODUCT.results))
            selected = select_memories((), found, message=text, history=(), asking=measure_asking(text))
            shown.append([done.turns[turn_key(each)] for each in selected.relevant])
        results.append((str(place) in shown[0][:LINES], not shown[1], len(shown[1])))
    return results


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
