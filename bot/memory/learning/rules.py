"""What a rule of extraction is: a sentence pattern and the kind of memory that such a sentence makes.

One file of rules per language; a new language is a new file and one entry in :mod:`bot.memory.learning.extraction`.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Final

from bot.memory.items import ItemType, Layer
from bot.memory.patterns import compiled

DAY_S = 86_400
"""Seconds in a day: tasks and results grow old by the clock of their writing."""

_GROUP: Final = re.compile(r"\(\?P<(who|what|how)>")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern for one sentence, matched at its beginning after "by the way" and its like.

    Its named groups: ``who`` the subject, ``what`` the object that belongs to the key, ``how`` a preposition that does.
    ``relation`` keys the fact: a later sentence with the same subject and relation supersedes it; "" means that many
    such facts stand side by side ("I have a dog").
    """

    pattern: re.Pattern[str]
    type: ItemType
    layer: Layer
    relation: str = ""
    salience: float = 0.5
    confidence: float = 0.8
    ttl_s: int | None = None


def rule(
    kind: ItemType,
    layer: Layer,
    *patterns: str,
    relation: str = "",
    salience: float = 0.5,
    confidence: float = 0.8,
    ttl_days: int | None = None,
) -> Rule:
    """Return a rule from alternative patterns; letters match in either case, except inside ``(?-i:…)``.

    A group may be named several times, once per alternative: they are numbered here.
    """
    number = itertools.count()
    joined = _GROUP.sub(lambda group: f"(?P<{group[1]}{next(number)}>", "|".join(patterns))
    return Rule(
        compiled(joined, re.IGNORECASE),
        kind,
        layer,
        relation,
        salience,
        confidence,
        None if ttl_days is None else ttl_days * DAY_S,
    )
