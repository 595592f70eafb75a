"""Lives: what one person, or a group, told their assistant over weeks, and what they asked it later in other words.

Changes: a message, and what was said later that made something of it untrue, or was near and changed nothing.

A line of lives is JSON: ``says``, 20 to 24 messages in order (a text, or {"by", "text"} in a group), and ``asks``:
{"q", "a", "old"}, a question with the numbers of the messages that answer it now, and of those that did before
something changed ("by" says who asks in a group).  A third of the questions are answered by none, though all are about
what was told.  A line of changes is {"lang", "first", "ask", "changes", "keeps"}: a message, in some a question that
it answers, and later messages of either kind; or {"lang", "first", "asks", "keeps"} with several questions, each with
the changes that leave the others' answers as they were.
A line of streams is {"lang", "messages", "changes"}: what one person told over weeks, and [earlier, later, "sure" or
"perhaps"] for each two of them of which the later made something of the earlier one untrue; no other two are a change.
"""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.config.folders import PROJECT

LIVES: Final = Path(__file__).with_name("lives.jsonl")
OTHERS: Final = Path(__file__).with_name("other_lives.jsonl")
"""By an author whose lives nothing was trained on."""
CHANGES: Final = Path(__file__).with_name("changes.jsonl")
STREAMS: Final = Path(__file__).with_name("streams.jsonl")
_OTHERS: Final = 4
"""Texts of others that a first text is read with."""
HELD_OUT: Final = 8
"""Every eighth life or line is judged, and not trained on."""
STREAMS_HELD_OUT: Final = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all messages of a life as who asks is told them, and which of them answer it.

    Or a message with what was said after it, and what of that changes it, or what it answers to ``question``, surely or
    ``perhaps``.
    """

    life: int
    language: str
    first: str
    texts: tuple[str, ...]
    right: frozenset[int]
    question: str = ""
    perhaps: frozenset[int] = frozenset()


def read_lives(path: Path = LIVES) -> Iterator[Asked]:
    """Yield the questions of a file of lives, in order."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            life = json.loads(line)
            for ask in life["asks"]:
                texts = tuple(_word(each, ask.get("by", "")) for each in life["says"])
                answers = frozenset((*ask["a"], *ask.get("old", ())))
                yield Asked(number, life["lang"], ask["q"], texts, answers)


def read_changes(path: Path = CHANGES) -> Iterator[Asked]:
    """Yield the lines of a file of changes, in order."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            for ask in row.get("asks", (row,)):
                others = [text for other in row.get("asks", ()) if other is not ask for text in other["changes"]]
                texts, right = (*ask["changes"], *others, *row["keeps"]), frozenset(range(len(ask["changes"])))
                yield Asked(number, row["lang"], row["first"], texts, right, ask.get("ask", ""))


def read_streams(path: Path = STREAMS) -> Iterator[Asked]:
    """Yield each message of a file of streams with those after it, for no question."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            for place, first in enumerate(row["messages"][:-1]):
                sure, perhaps = (
                    frozenset(later - place - 1 for old, later, how in row["changes"] if (old, how) == (place, kind))
                    for kind in ("sure", "perhaps")
                )
                yield Asked(number, row["lang"], first, tuple(row["messages"][place + 1 :]), sure, perhaps=perhaps)


def read_unrelated(asked: Sequence[Asked], seed: int) -> Iterator[Asked]:
    """Yield each first text with chatter and texts of others, by chance: none of them answers or changes it."""
    chance = random.Random(seed)
    files = {path.parent.name: path for path in (PROJECT / "language").glob("*/kinds.txt")}
    chatter = {
        language: [
            each.partition(": ")[2] for each in path.read_text("utf-8").splitlines() if each.startswith("chatter")
        ]
        for language, path in files.items()
    }
    alike = {language: [each for each in asked if each.language == language] for language in chatter}
    for each in asked:
        others = [one for one in chance.choices(alike[each.language], k=2 * _OTHERS) if one.life != each.life][:_OTHERS]
        texts = (chance.choice(chatter[each.language]), *(chance.choice((one.first, *one.texts)) for one in others))
        yield Asked(each.life, each.language, each.first, texts, frozenset(), each.question)


def read_changed_lives(path: Path = LIVES) -> Iterator[Asked]:
    """Yield the messages of lives that a later one changed for a question, with all later ones.

    And as many that none changed for theirs: all of those that one changed for another question come first.
    """
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            life = json.loads(line)
            says = [_word(each, "") for each in life["says"]]
            asks = life["asks"]
            newer = {
                (old, ask["q"]): {each for each in ask["a"] if each > old} for ask in asks for old in ask.get("old", ())
            }
            changed = {old for old, _ in newer}
            kept = [(each, ask["q"]) for ask in asks for each in ask["a"] if (each, ask["q"]) not in newer]
            kept.sort(key=lambda one: one[0] not in changed)
            for first, question in (*newer, *kept[: len(newer)]):
                right = frozenset(each - first - 1 for each in newer.get((first, question), ()))
                if texts := tuple(says[first + 1 :]):
                    yield Asked(number, life["lang"], says[first], texts, right, question)


def split_off(asked: Iterable[Asked], every: int = HELD_OUT) -> tuple[list[Asked], list[Asked]]:
    """Return the questions to train on, and those of the lives that are held out, one in ``every`` so many."""
    found = list(asked)
    held = [each for each in found if each.life % every == 0]
    return [each for each in found if each.life % every], held


def _word(told: Any, asker: str) -> str:  # Any: JSON
    if isinstance(told, str):
        return told
    return str(told["text"]) if told["by"] == asker else f"{told['by']}: {told['text']}"
