"""Lives: what one person, or a group, told their assistant over weeks, and what they asked it later in other words.

A line is JSON: ``says``, 20 to 24 messages in order (a text, or {"by", "text"} in a group), and ``asks``: {"q", "a",
"old"}, a question with the numbers of the messages that answer it now, and of those that did before something changed
("by" says who asks in a group).  A third of the questions are answered by none, though all are about what was told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

LIVES: Final = Path(__file__).with_name("lives.jsonl")
OTHERS: Final = Path(__file__).with_name("other_lives.jsonl")
"""By an author whose lives nothing was trained on."""
HELD_OUT: Final = 8
"""Every eighth life is judged, and not trained on."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a life, with all its messages as who asks is told them, and which of them answer it."""

    life: int
    language: str
    question: str
    texts: tuple[str, ...]
    answers: frozenset[int]


def read_lives(path: Path = LIVES) -> Iterator[Asked]:
    """Yield the questions of a file of lives, in order."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            life = json.loads(line)
            for ask in life["asks"]:
                texts = tuple(_word(each, ask.get("by", "")) for each in life["says"])
                answers = frozenset((*ask["a"], *ask.get("old", ())))
                yield Asked(number, life["lang"], ask["q"], texts, answers)


def split_off(asked: Iterable[Asked]) -> tuple[list[Asked], list[Asked]]:
    """Return the questions to train on, and those of the lives that are held out."""
    found = list(asked)
    held = [each for each in found if each.life % HELD_OUT == 0]
    return [each for each in found if each.life % HELD_OUT], held


def _word(told: Any, asker: str) -> str:  # Any: JSON
    if isinstance(told, str):
        return told
    return str(told["text"]) if told["by"] == asker else f"{told['by']}: {told['text']}"
