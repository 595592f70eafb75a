"""Documents made from templates, and questions whose answers stand in them alone.

Twelve manuals of a household's machines, each with some facts among sections of filling, and one list of rooms.  A
question asks for one fact in the words of the manual, in other words, or for two facts in two documents (the room of a
machine, and who looks after that room).  Every name and number is drawn, so that no model knows them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from harness.words import read_words

_WORDS = read_words("manuals")
MAKERS = _WORDS["makers"]
MACHINES = _WORDS["machines"]
ROOMS = _WORDS["rooms"]
PEOPLE = _WORDS["people"]
MEANINGS = _WORDS["meanings"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what a passage that answers it holds (one text per fact), and its kind."""

    text: str
    facts: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """Documents by file name, and questions about them."""

    documents: dict[str, str]
    questions: tuple[Asked, ...]


def make_documents(seed: int = 11, filling: int = 9) -> DocumentSet:
    """Return the documents and their questions; ``filling`` sentences stand before and after each fact."""
    dice = random.Random(seed)
    documents: dict[str, str] = {}
    questions: list[Asked] = []
    rooms = dice.sample(ROOMS, len(MACHINES))
    for maker, machine, room in zip(MAKERS, MACHINES, rooms, strict=True):
        months, weeks, phone = dice.randint(14, 95), dice.randint(3, 19), f"555-{dice.randint(1000, 9999)}"
        code, meaning = f"E{dice.randint(11, 98)}", dice.choice(MEANINGS)
        name = f"{maker} {machine}"
        facts = {
            "Guarantee": f"The maker repairs it free of charge for {months} months from the day of purchase.",
            "Care": f"The filter of the {machine} has to be rinsed every {weeks} weeks.",
            "Messages": f"When the display shows {code}, {meaning}.",
            "Help": f"The service line for this appliance is {phone}.",
            "Place": f"The {name} stands in the {room}.",
        }
        sections = [f"# {name}\n\n{_fill(dice, machine, filling)}"]
        for heading, fact in facts.items():
            before, after = _fill(dice, machine, filling), _fill(dice, machine, filling)
            sections.append(f"## {heading}\n\n{before} {fact} {after}")
        documents[f"{maker.lower()}-manual.md"] = "\n\n".join(sections)
        questions += [
            Asked(f"How often must the filter of the {name} be rinsed?", (f"every {weeks} weeks",), "same words"),
            Asked(f"What does {code} on the display of the {name} mean?", (f"{code}, {meaning}",), "same words"),
            Asked(f"How long is the {name} under warranty?", (f"for {months} months",), "other words"),
            Asked(f"What number do I call if the {name} breaks down?", (phone,), "other words"),
        ]
    keepers = dict(zip(dice.sample(ROOMS, len(ROOMS)), dice.sample(PEOPLE, len(PEOPLE)), strict=True))
    documents["rooms.md"] = "# Who looks after which room\n\n" + "\n\n".join(
        f"{_fill(dice, 'house', 2)} {person} looks after the {room}." for room, person in keepers.items()
    )
    for maker, machine, room in zip(MAKERS, MACHINES, rooms, strict=True):
        both = (f"{maker} {machine} stands in the {room}", f"{keepers[room]} looks after the {room}")
        questions.append(Asked(f"Who looks after the room where the {maker} {machine} stands?", both, "two documents"))
    return DocumentSet(documents, tuple(questions))


def _fill(dice: random.Random, about: str, sentences: int) -> str:
    return " ".join(_sentence(dice, about) for _ in range(sentences))


def _sentence(dice: random.Random, about: str) -> str:
    verb = dice.choice(("explains", "describes", "shows", "repeats", "lists", "mentions"))
    kind = dice.choice(("usual", "first", "later", "safe", "simple", "general"))
    thing = dice.choice(("steps", "parts", "settings", "rules", "drawings", "terms"))
    when = dice.choice(("before use", "in winter", "after a move", "for beginners", "in daily use", "for spare parts"))
    return f"This part of the notes on the {about} {verb} the {kind} {thing} {when}."
