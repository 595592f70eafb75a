"""A made-up circle of people, of any size, told over some years: for pictures, tests and measurements of the page."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice, product

from bot.memory.items import ItemType
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.runtime.container import Container
from bot.turn import Exchange
from harness.samples import item, turn

ANNA = Author(42, "Anna")
_FIRST = (
    "Vera", "Otto", "Karen", "Milan", "Ines", "Pavel", "Greta", "Tomas", "Lucia", "Henrik", "Nadia", "Oskar", "Yara",
    "Simon", "Elif", "Bruno", "Marta", "Jonas", "Klara", "Dario", "Freya", "Ruben", "Alma", "Viktor", "Sana", "Leon",
)  # fmt: skip
_LAST = (
    "Brandt", "Costa", "Novak", "Lind", "Moreau", "Petrov", "Silva", "Weber", "Haas", "Duarte", "Keller", "Rossi",
    "Jansen", "Fischer", "Marin", "Olsen", "Sato", "Vogel", "Zeman", "Abel",
)  # fmt: skip
_PLACES = ("Porto", "Lisbon", "Berlin", "Oslo", "Riga", "Ghent", "Turin", "Basel")
_FIRMS = ("Norbit Labs", "Calder Bank", "Ostrava University")
_ROLES = ("sister", "brother", "boss", "neighbour", "cousin", "friend")
_SAYINGS = (
    ("Yesterday {a} and {b} came by with a cake.", "How kind of them. Was there an occasion?"),
    ("I met {a} in {place} and we talked about {b}.", "Noted. Shall I remind you of anything you agreed on?"),
    ("I think {a} works at {firm} with {b} now.", "I will keep that in mind."),
    ("At dinner {a} told us that {b} lives in {place}.", "Good to know."),
    ("On the phone {a} asked whether {b} likes tea.", "I do not know of any preference of theirs yet."),
    ("The trip to {place} with {a} was wonderful.", "What did you like best?"),
)


@dataclass(frozen=True, slots=True)
class Circle:
    """People, the most talked about first; who belongs together stands side by side."""

    people: tuple[str, ...]
    seed: int = 7

    @classmethod
    def of(cls, size: int) -> Circle:
        """Return a circle of so many people: first names as long as there are any."""
        full = (f"{first} {last}" for last, first in product(_LAST, _FIRST))
        return cls((*_FIRST, *islice(full, max(0, size - len(_FIRST))))[:size])

    def tell(self, exchanges: int, scope: Scope, *, until: datetime) -> Iterator[Exchange]:
        """Yield what Anna said about them over three years, oldest first; everybody is named at least once."""
        chance = random.Random(self.seed)
        begin, step = until - timedelta(days=3 * 365), timedelta(days=3 * 365) / max(exchanges, 1)
        for number in range(exchanges):
            one = number if number < len(self.people) else int(len(self.people) * chance.random() ** 2)
            other = (one + chance.choice((1, 1, 1, 2, 3, 7))) % len(self.people)
            said, answer = _SAYINGS[number % len(_SAYINGS)]
            if number < len(_ROLES) and number < len(self.people):
                said, answer = f"My {_ROLES[number]} {{a}} lives in {{place}}.", "I will remember that."
            words = {
                "a": self.people[one],
                "b": self.people[other],
                "place": _PLACES[one % len(_PLACES)],
                "firm": _FIRMS[one % len(_FIRMS)],
            }
            at = (begin + number * step).replace(microsecond=0)
            yield Exchange(scope, f"p{number}", 0, ANNA, said.format(**words), answer, at, message_id=number + 1)


async def fill(parts: Container, circle: Circle, exchanges: int, scope: Scope) -> None:
    """Store what is told of a circle, each saying with an item of its words."""
    address = Address("telegram", 1, 42)
    for said in circle.tell(exchanges, scope, until=datetime(2026, 2, 7, 13, 30, tzinfo=UTC)):
        others = (ItemType.FACT, ItemType.PREFERENCE, ItemType.DECISION, ItemType.TASK)
        kind = ItemType.FACT if said.user_text.startswith("My ") else others[said.message_id % len(others)]
        memory = item(said.user_text, exchange=said.uid, author=ANNA, type_=kind, said_at=said.said_at)
        await parts.turns.commit(turn(said, scope=scope, address=address, items=(memory,)))
