"""Made-up small talk, statements and questions: the same for every run of a seed.

Sentences come from patterns over pools that are drawn unevenly, as people talk about few things often and about many
things once; one message in three is a question about something that was said.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

PEOPLE = (
    "Vera", "Ivan", "Chen", "Fatima", "Lars", "Olga", "Diego", "Priya", "Tom", "Yuki", "Amara", "Pavel", "Greta",
    "Hassan", "Ingrid", "Mateo", "Nadia", "Oscar", "Petra", "Quentin", "Rosa", "Samir", "Tilda", "Ulrich",
)  # fmt: skip
PLACES = (
    "Lisbon", "Berlin", "Kazan", "Oslo", "Porto", "Tbilisi", "Kyoto", "Lima", "Riga", "Split", "Turin", "Bergen",
    "Gdansk", "Izmir", "Quito", "Leeds", "Ghent", "Malaga", "Tampere", "Zagreb",
)  # fmt: skip
THINGS = (
    "backup script", "greenhouse", "Docker Compose file", "tax form", "PostgreSQL cluster", "sourdough starter",
    "bicycle", "school project", "invoice", "garden fence", "old Volvo", "chess club", "translation", "health check",
    "piano lessons", "release notes", "dentist appointment", "rent contract", "photo album", "heating pump",
)  # fmt: skip
VERBS = ("fixed", "moved", "sold", "painted", "postponed", "ordered", "tested", "planned", "cancelled", "finished")
KIN = ("sister", "brother", "neighbour", "boss", "dentist", "cousin", "landlord", "flatmate")
DAYS = ("yesterday", "last Friday", "this morning", "on Tuesday", "two weeks ago", "in March", "next weekend")
STATEMENTS = (
    "My {kin} {person} lives in {place} and works on the {thing}.",
    "{day} {person} {verb} the {thing} in {place}; the reference is {code}.",
    "I prefer to have the {thing} done before the trip to {place}, because {person} needs it.",
    "We decided that {person} pays for the {thing}, and that the {other} waits until we are back from {place}.",
    "My booking code for {place} is {code}.",
    "The {thing} does not work: {person} has {verb} it {day} and since then the {other} complains about {code}.",
    "Remember that the {thing} is in the cellar of {person}'s house in {place}.",
    "I have to call {person} about the {thing} {day}, and to ask about the {other} as well.",
)
QUESTIONS = (
    "Where does my {kin} live?",
    "What did {person} do with the {thing}?",
    "What was my booking code for {place}?",
    "Who {verb} the {thing} in {place}?",
    "When did {person} talk about the {thing} and the {other}?",
    "Why does the {thing} not work?",
    "What did we decide about the {other} before the trip to {place}?",
)
ANSWERS = (
    "Noted: {person}, the {thing}, {place}. It may help to write the steps down first and to keep the receipts.",
    "That sounds like a plan. For the {other} I would ask {person} for the measurements and look at {place} later.",
    "I see. The journey to {place} takes {hours} hours by train, so leave early. The {thing} can wait until then.",
    "Good. If the {thing} makes trouble again, check the {other} first and tell me what {code} says.",
)


@dataclass(frozen=True, slots=True)
class Said:
    """What a user said, and what a language model would have answered."""

    user: str
    assistant: str


class Talk:
    """An endless conversation of one chat."""

    def __init__(self, chat: int, seed: int = 7) -> None:
        self._chance = random.Random(f"{seed}/{chat}")

    def statement(self) -> Said:
        """Return the next exchange that states something."""
        return self._said(STATEMENTS)

    def message(self) -> Said:
        """Return the next exchange: two statements to one question."""
        return self._said(QUESTIONS if self._chance.random() < 1 / 3 else STATEMENTS)

    def _said(self, patterns: tuple[str, ...]) -> Said:
        chance = self._chance
        words = {
            "person": self._drawn(PEOPLE),
            "place": self._drawn(PLACES),
            "thing": self._drawn(THINGS),
            "other": self._drawn(THINGS),
            "verb": chance.choice(VERBS),
            "kin": chance.choice(KIN),
            "day": chance.choice(DAYS),
            "hours": chance.randrange(2, 14),
            "code": f"{chance.randrange(100, 999)}-{chance.choice('GHKX')}{chance.randrange(100_000)}",
        }
        user = " ".join(pattern.format(**words) for pattern in chance.sample(patterns, 1 + (chance.random() < 1 / 4)))
        return Said(user[0].upper() + user[1:], chance.choice(ANSWERS).format(**words))

    def _drawn(self, pool: tuple[str, ...]) -> str:
        return pool[min(int(self._chance.expovariate(3 / len(pool))), len(pool) - 1)]
