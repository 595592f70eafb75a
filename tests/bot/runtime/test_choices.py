"""What was just shown to choose from is answered by words, and nothing is chosen by what may mean anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.core.choices import Choice, read_choice
from harness.application import NO_RAG, ConsoleChat, run_console
from tests.cases import each_row

BOATS = {
    "en": ("My boat is called Marlin.", "My boat has a red sail.", "My boat cost 900 euros."),
    "de": ("Mein Boot heißt Marlin.", "Mein Boot hat ein rotes Segel.", "Mein Boot hat 900 Euro gekostet."),
    "ru": ("Моя лодка называется Марлин.", "Моя лодка стоит в сарае.", "Моя лодка стоила 900 евро."),
}
ORDERS = {"en": "forget the boat", "de": "vergiss das Boot", "ru": "забудь про лодку"}


async def _offer(chat: ConsoleChat, language: str) -> tuple[str, ...]:
    """Tell of the boat, order it forgotten, and return what is offered, in its order."""
    for said in BOATS[language]:
        await chat.say(said)
    shown = await chat.say(ORDERS[language])
    places = sorted((shown.index(said), said) for said in BOATS[language])
    return tuple(said for _, said in places)


@pytest.mark.parametrize(
    ("language", "answer", "gone"),
    [
        ("en", "1 and 3", (0, 2)),
        ("en", "the second one please", (1,)),
        ("en", "yes, all of them", (0, 1, 2)),
        ("en", "yes", ()),
        ("en", "not the first", ()),
        ("en", "all but the second", ()),
        ("en", "7", ()),
        ("en", "no thanks", ()),
        ("de", "1 und 2", (0, 1)),
        ("de", "ja alles davon", (0, 1, 2)),
        ("de", "die letzte bitte", (2,)),
        ("de", "ok mach", ()),
        ("de", "nee doch nicht", ()),
        ("ru", "первое и третье", (0, 2)),
        ("ru", "да, всё", (0, 1, 2)),
        ("ru", "да", ()),
        ("ru", "нет, не надо", ()),
    ],
)
async def test_words_choose_what_is_forgotten(
    tmp_path: Path, language: str, answer: str, gone: tuple[int, ...]
) -> None:
    """What they name goes and is told word for word; where they are in doubt nothing goes."""
    async with run_console(tmp_path, NO_RAG) as chat:
        offered = await _offer(chat, language)
        done = await chat.say(answer)

    assert [place for place, said in enumerate(offered) if f"“{said}" in done] == list(gone)


async def test_words_choose_of_what_was_shown_just_before_only(tmp_path: Path) -> None:
    """Behind another message "1" and "all" forget nothing any more."""
    async with run_console(tmp_path, NO_RAG) as chat:
        offered = await _offer(chat, "en")
        await chat.say("what a day")
        done = [await chat.say(said) for said in ("1", "all of them")]

    assert not any(f"“{said}" in each for said in offered for each in done)


@each_row(
    "text", ("all but 2", "1-3", "the second of May", "um 7", "just one", "15:30", "thanks", "лучше второе", "1?")
)
def test_what_says_more_chooses_nothing(text: str) -> None:
    """A text with any word that is none of an answer is read as it always was."""
    assert read_choice(text) is None


def test_doubt_is_no_choice() -> None:
    """Who says "not the second" takes neither the second nor the others."""
    assert read_choice("not the second") == read_choice("kein zweites") == Choice()
