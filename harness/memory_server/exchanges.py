"""Made-up exchanges of about 130 words: the same for every run and every side.  Every one has a code of its own."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from harness.samples import draw, read_words

_WORDS = read_words("exchanges")


@dataclass(frozen=True, slots=True)
class Said:
    """A document and a question that it answers."""

    source: str
    text: str
    question: str
    keywords: tuple[str, ...]


def exchanges(count: int) -> Iterator[Said]:
    chance = random.Random(7)
    start = datetime(2026, 1, 1, 9, tzinfo=UTC)
    for number in range(count):
        when = start + timedelta(minutes=37 * number)
        name, place, thing = (_draw(chance, kind) for kind in ("names", "places", "things"))
        family = f"{name} {chance.choice('ABCDEFGHIJKLMNOP')}{chance.choice(['anders', 'eller', 'ikova', 'orozco'])}"
        code = f"{chance.randrange(100, 999)}-{chance.choice('GHKX')}{number}"
        yield Said(
            f"conv_{when:%Y%m%d_%H%M%S}_bench_{number}.txt",
            _text(chance, number, when, (name, family, place, thing, code)),
            f"What did {name} do in {place} with {thing}, code {code}?",
            (name, place, code),
        )


def _draw(chance: random.Random, kind: str) -> str:
    return draw(chance, _WORDS[kind], 4)


def _text(chance: random.Random, number: int, when: datetime, parts: tuple[str, str, str, str, str]) -> str:
    name, family, place, thing, code = parts
    verb, other = chance.choice(_WORDS["verbs"]), _draw(chance, "things")
    day = (when + timedelta(days=chance.randrange(40))).strftime("%d %B %Y")
    user = (
        f"Yesterday {family} {verb} {thing} in {place}. I want to remember that the reference is {code} and that "
        f"{name} pays {chance.randrange(20, 900)} euros for it. My appointment with {name} is on {day} at "
        f"{chance.randrange(8, 19)}:{chance.choice(['00', '15', '30'])}. We also talked about {other}, which my "
        f"sister wants to have done before the holidays, and about a trip to {_draw(chance, 'places')}."
    )
    assistant = (
        f"Noted: {family} {verb} {thing}, reference {code}. I will remind you of the appointment on {day}. "
        f"For {other} it may help to write down the steps first, to ask {_draw(chance, 'names')} for the measurements, "
        f"and to keep the receipts. The journey to {place} takes about {chance.randrange(2, 14)} hours by train, so "
        "leaving early in the morning is a good idea, and tickets are cheaper when they are bought two weeks ahead."
    )
    return f"Ref: bench-{number}\nDate: {when:%Y-%m-%d %H:%M} +00:00\nUser (Anna): {user}\nAssistant: {assistant}"
