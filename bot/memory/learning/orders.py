"""Tells what the words of an order say: the things, what is to become of each, the list, the time, the reason.

A small network over the states of the words in the embedding model, which are there once the kind of a sentence is told
(:mod:`~bot.memory.learning.kinds`), says how likely each word is of each role; what may follow what was learnt with it
(a linear-chain conditional random field, Lafferty et al. 2001).  Of all ways to mark a sentence the likeliest is taken.
What is to become of a thing is told by its words and those around it.  ``python -m benchmarks.orders train`` makes both
from sentences of our own, and says how many are read right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from bot.memory.names import Floats, Ints, Network

WEIGHTS: Final = Path(__file__).with_name("orders.npz")


class Role(StrEnum):
    """What words are in an order.

    A thing to be put on a list, to be taken off, or that is bought or done; any other thing: what to be reminded of,
    to forget, or the old value of what is changed; the words that order; the name of a list; when; the new value; a
    reason or an aside.
    """

    ADDED = "+"
    REMOVED = "-"
    TICKED = "x"
    THING = "i"
    ORDER = "a"
    LIST = "l"
    TIME = "t"
    NEW = "n"
    REASON = "r"


OUTCOMES: Final = (Role.ADDED, Role.REMOVED, Role.TICKED, Role.THING)
"""What may be meant by a thing."""
TAGS: Final = ("", *(f"{place}{role}" for role in Role if role not in OUTCOMES[:-1] for place in "BI"))
"""Of a word: no part of an order, or the beginning or a later word of a part."""
_FADES: Final = 3.0
"""Words from a thing at which one says half as much of what is to become of it."""
_EDGES: Final = " \t\r\n,.;:!?–—-•*+\"'“”„«»"


class WordsRead(Protocol):
    """What the embedding model reads of a text: its pieces' states, (pieces, dimension), and where each stands."""

    @property
    def pieces(self) -> Floats:
        """The states."""

    @property
    def spans(self) -> Ints:
        """Where they stand, as character offsets."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an order: its role and words, and where they stand, as character offsets."""

    role: Role
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Order:
    """The parts of a sentence, in order."""

    parts: tuple[Part, ...] = ()

    def pick(self, *roles: Role) -> tuple[str, ...]:
        """Return the words of the parts of these roles, each once."""
        return tuple(dict.fromkeys(part.text for part in self.parts if part.role in roles))


@dataclass(frozen=True, slots=True)
class OrderModel:
    """The networks of a word and of a thing.

    ``opens`` is added for the first tag, shape (tags,), ``follows`` for one behind another, shape (tags, tags).
    """

    words: Network
    opens: Floats
    follows: Floats
    things: Network

    def read(self, sentence: str, read: WordsRead) -> Order:
        """Return the parts of a sentence."""
        from bot.memory.names import find_words, make_rows  # noqa: PLC0415 - numpy, for who reads sentences alone

        words = find_words(sentence)
        if not words or not len(read.pieces):
            return Order()
        return self.read_rows(sentence, words, make_rows(sentence, words, read.pieces, read.spans))

    def read_rows(self, sentence: str, words: Sequence[tuple[int, int]], rows: Floats) -> Order:
        """Return the same by where the words stand and by what the network is told of each.

        The same is to become of all things with nothing else between them.
        """
        import numpy as np  # noqa: PLC0415 - a command line that reads nothing should not pay for it

        found: list[Part] = []
        told: list[Floats] = []
        for role, first, last in join(self.decode(rows)):
            start, end = words[first][0], words[last][1]
            if text := sentence[start:end].strip(_EDGES):
                found.append(Part(role, text, start, end))
                told.append(describe(rows, first, last))
        for run, parts in groupby(range(len(found)), key=lambda place: found[place].role is Role.THING):
            if run:
                places = [*parts]
                scores = self.things.score(np.stack([told[place] for place in places])).sum(axis=0)
                for place in places:
                    found[place] = replace(found[place], role=OUTCOMES[int(scores.argmax())])
        return Order(tuple(found))

    def decode(self, rows: Floats) -> list[int]:
        """Return the likeliest tags of a sentence by what the network is told of each word."""
        from bot.memory.names import find_likeliest  # noqa: PLC0415 - numpy, for who reads sentences alone

        return find_likeliest(self.words.score(rows), self.opens, self.follows)


def join(tags: Sequence[int]) -> list[tuple[Role, int, int]]:
    """Return the parts that tags mark, with the numbers of their first and last words."""
    found = list[tuple[Role, int, int]]()
    for place, number in enumerate(tags):
        mark, role = TAGS[number][:1], TAGS[number][1:]
        if mark == "B":
            found.append((Role(role), place, place))
        elif mark == "I" and found:
            found[-1] = (*found[-1][:2], place)
    return found


def describe(rows: Floats, first: int, last: int) -> Floats:
    """Return what the network is told of a thing by the rows of its sentence and the numbers of its words."""
    import numpy as np  # noqa: PLC0415 - as above

    places = np.arange(len(rows))
    away = np.maximum(np.maximum(first - places, places - last), 0)
    near = 1 / (1 + away / _FADES) * (away > 0)
    own = rows[:, : rows.shape[1] // 3]
    around = near @ own / max(near.sum(), 1e-9)
    told: Floats = np.concatenate([rows[first : last + 1].mean(axis=0), around, own.mean(axis=0)]).astype(np.float32)
    return told


@cache
def load_order_model() -> OrderModel:
    """Return the model that comes along."""
    import numpy as np  # noqa: PLC0415 - as above

    from bot.memory.names import Network  # noqa: PLC0415 - as above

    with np.load(WEIGHTS) as file:
        words, things = (
            Network(
                file[f"{name}_first"].astype(np.float32) * file[f"{name}_scale"],
                file[f"{name}_first_bias"],
                file[f"{name}_second"].astype(np.float32),
                file[f"{name}_second_bias"],
            )
            for name in ("words", "things")
        )
        return OrderModel(words, file["opens"], file["follows"], things)
