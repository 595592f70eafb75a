"""Standing wishes are told from everything else that people write, in three languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.learning.statements import extract_items
from bot.memory.learning.wishes import WISH, WITHDRAWAL, find_wishes, states_wish, takes_back
from harness.samples import NOON
from tests.cases import each_row

_LISTS: Final = Path(__file__).parent / "wishes"
"""One message a line, "+" before a wish; written before there were rules, the last 20 to 30 of each before their last
change."""
_SAM: Final = Provenance(5, "Sam", "chat", Trust.USER, NOON, "e1")


def _messages(code: str, sign: str) -> list[str]:
    lines = (_LISTS / f"{code}.txt").read_text(encoding="utf-8").splitlines()
    return [line[2:].replace("\\n", "\n") for line in lines if line.startswith(sign)]


def _items(text: str, origin: Provenance = _SAM) -> tuple[MemoryItem, ...]:
    return extract_items(user_text=text, provenance=origin)


def _wishes(text: str, origin: Provenance = _SAM) -> list[str]:
    return [item.content for item in _items(text, origin) if WISH in item.tags]


@each_row("code", ["en", "de", "ru"])
def test_wishes_are_found(code: str) -> None:
    """At least 95 in 100 of the listed wishes are."""
    listed = _messages(code, "+")
    missed = [text for text in listed if not states_wish(text)]

    assert len(listed) >= 60
    assert len(missed) <= 0.05 * len(listed), missed


@each_row("code", ["en", "de", "ru"])
def test_what_is_no_wish_is_left_alone(code: str) -> None:
    """At most 2 in 100 of the listed requests, reports, questions and quotations are taken for wishes."""
    listed = _messages(code, "-")
    wrong = [text for text in listed if states_wish(text)]

    assert len(listed) >= 100
    assert len(wrong) <= 0.02 * len(listed), wrong


def test_a_clause_of_a_long_question_is_kept_word_for_word() -> None:
    """The wish is kept with what it stands beside, not with the whole question."""
    question = (
        "I'm moving to Lyon in the autumn with two children and an old dog, and I prefer quiet streets, wide "
        "pavements, and parks nearby, so could you compare the districts for me, considering that my office will be "
        "near the main station and that we have no car, and list what a flat with three rooms costs at the moment?"
    )

    (wish,) = find_wishes(question)

    assert wish.content in question
    assert "I prefer quiet streets, wide pavements" in wish.content
    assert len(wish.content) < len(question) / 2


def test_only_ones_own_words_are_wishes() -> None:
    """Code, cited lines and quotations say nothing of what their reader wants."""
    assert _wishes("```\nAlways answer in verse.\n```\nWhat does this prompt do?") == []
    assert _wishes("> Please always answer in verse.\nWhat does he mean?") == []
    assert _wishes('She wrote: "From now on, always answer in verse."') == []
    assert _wishes("Always answer in verse.") == ["Always answer in verse."]


@each_row("trust", [Trust.FILE, Trust.TOOL, Trust.BOT])
def test_words_from_outside_are_no_wishes(trust: Trust) -> None:
    """A file, a tool or the assistant cannot wish."""
    assert _wishes("Always answer in verse.", replace(_SAM, trust=trust)) == []


def test_a_wish_has_no_end_and_its_authors_name() -> None:
    """It lasts, says whose it is, and a secret in it is not kept."""
    (item,) = _items("From now on, answer in Dutch.")
    (secret,) = _items("From now on, answer in Dutch. Always use the password hunter2hunter2 for it.")

    assert (item.layer, item.type, item.ttl_s) == (Layer.PROCEDURAL, ItemType.CONSTRAINT, None)
    assert (item.provenance.author_id, item.provenance.exchange) == (5, "e1")
    assert "hunter2" not in secret.content


def test_what_a_sentence_states_is_kept_once() -> None:
    """A preference that is a fact by rule, too, is one item; it is a wish and keeps its subject."""
    (item,) = _items("I prefer tea to coffee.")

    assert item.tags == (WISH,)
    assert item.type is ItemType.PREFERENCE
    assert item.subject


@each_row(
    ("before", "after"),
    [
        ("Call me Sam.", "Actually, call me Samuel."),
        ("Always answer in German.", "From now on, answer in French."),
        ("Keep your answers short.", "From now on, give detailed answers."),
        ("Use Celsius, not Fahrenheit.", "From now on, use Fahrenheit."),
        ("Always include prices when I ask about hotels.", "Never include prices when I ask about hotels."),
        ("Never suggest seafood.", "You can suggest seafood again."),
        ("I prefer trains over planes.", "I prefer planes over trains."),
        ("Always answer in German.", "You don't have to answer in German any more."),
        ("Nenn mich Sam.", "Nenn mich ab jetzt Samuel."),
        ("Antworte immer auf Deutsch.", "Antworte ab jetzt auf Englisch."),
        ("Schlag mir nie Fisch vor.", "Du kannst mir wieder Fisch vorschlagen."),
        ("Зови меня Сэм.", "Называй меня Самуил."),
        ("Всегда отвечай по-русски.", "С этого момента отвечай по-английски."),
        ("Никогда не предлагай рыбу.", "Можешь снова предлагать рыбу."),
    ],
)
def test_a_changed_wish_has_the_subject_of_the_old_one(before: str, after: str) -> None:
    """So that the store puts it in its place."""
    (old,), (new,) = _items(before), _items(after)

    assert old.subject
    assert old.subject == new.subject
    assert WISH in old.tags


@each_row(
    ("one", "other"),
    [
        ("Always include prices when I ask about hotels.", "Always include ratings when I ask about hotels."),
        ("Always answer in German.", "Always answer in German when I ask about law."),
        ("Never suggest seafood.", "Never suggest films with clowns."),
        ("Call me Sam.", "Always answer in German."),
    ],
)
def test_wishes_about_different_things_stand_together(one: str, other: str) -> None:
    """Neither takes the other's place."""
    assert _items(one)[0].subject != _items(other)[0].subject


def test_a_subject_belongs_to_its_author() -> None:
    """Two people of a group are called by two names."""
    (sam,) = _items("Call me Sam.")
    (kim,) = _items("Call me Kim.", replace(_SAM, author_id=6, author_name="Kim"))

    assert sam.subject != kim.subject
    assert sam.fingerprint != kim.fingerprint


def test_a_wish_is_taken_back_by_naming_a_part_of_it() -> None:
    """By its author alone, and not one that was said later."""

    def stored(text: str, day: int, author: int = 5) -> MemoryItem:
        (item,) = _items(text, replace(_SAM, author_id=author, said_at=NOON.replace(day=day)))
        return item

    wish = stored("Never suggest seafood restaurants near the harbour.", 1)
    back = stored("You can suggest seafood restaurants again.", 2)

    assert (WISH in back.tags, WITHDRAWAL in back.tags) == (False, True)
    assert takes_back(back, wish)
    assert not takes_back(back, stored("Never suggest seafood restaurants by the river.", 3))
    assert not takes_back(back, stored("Never suggest films with clowns.", 1))
    assert not takes_back(replace(back, provenance=replace(back.provenance, author_id=6)), wish)
    assert not takes_back(replace(back, provenance=replace(back.provenance, trust=Trust.FILE)), wish)
