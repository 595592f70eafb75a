"""Lines of the chronicle for a question: about what it asks, on the days it names, from all sessions."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.memory.chronicle import DECIDED, MOST, DigestLine, rank_lines
from bot.memory.helpfulness import FLOOR, KNOWN
from bot.memory.items import Channel, Recalled, Trust
from bot.memory.overviews import OverviewKind, find_overview
from harness.samples import NOON


def line(text: str, day: float, *, weight: float = 0.7, role: str = "user") -> DigestLine:
    """A line that was said so many days before noon, each day a session."""
    place = int(1000 - day * 10)
    return DigestLine(
        f"e{place}", place << 8, int(day), NOON - timedelta(days=day), "Anna", 42, role, Trust.USER, text, weight
    )


def ranked(question: str, *lines: DigestLine, found: tuple[Recalled, ...] = ()) -> tuple[Recalled, ...]:
    """The lines for a question that is one over time or everything."""
    overview = find_overview(question)
    assert overview is not None
    return rank_lines(sorted(lines, key=lambda one: one.place), overview, found, question=question, now=NOON)


def test_what_the_question_is_about_comes_first() -> None:
    lines = (line("I planted tomatoes in the garden.", 9), line("My boss moved to Riga.", 8), line("I like tea.", 2))
    assert ranked("Summarise what I told you about my garden.", *lines)[0].text == "I planted tomatoes in the garden."


def test_what_the_search_knows_by_meaning_counts() -> None:
    tomatoes, boss = line("I planted tomatoes.", 9), line("My boss moved to Riga.", 8)
    near = (
        Recalled("t1", "…", Channel.TURN, 5.0, role="user", exchange=tomatoes.exchange, signals={KNOWN: 0.8}),
        Recalled("t2", "…", Channel.TURN, 1.0, role="user", exchange=boss.exchange),
    )
    assert ranked("Summarise what I told you about my vegetables.", tomatoes, boss, found=near)[0].text == tomatoes.text


def test_every_session_has_its_turn() -> None:
    many = [line(f"I painted wall number {n} of the kitchen.", 5) for n in range(60)]
    others = [line("I chose tiles for the kitchen.", 30), line("I sold the old kitchen.", 60)]
    shown = ranked("In what order did I renovate the kitchen?", *many, *others)
    assert len(shown) == MOST[OverviewKind.ORDER]
    assert {one.text for one in others} <= {one.text for one in shown}


def test_another_exchange_is_told_before_more_of_one() -> None:
    """A message of two facts does not take the place of what was said another time."""
    one = line("I tiled the kitchen floor of our kitchen.", 5)
    more = replace(one, place=one.place + 1, text="I painted the kitchen.")
    others = [line(f"The kitchen got shelf {n}.", 6 + n, weight=0.3) for n in range(MOST[OverviewKind.ORDER] - 1)]
    shown = ranked("In what order did I renovate the kitchen?", one, more, *others)

    assert {memory.exchange for memory in shown} == {each.exchange for each in (one, *others)}


def test_days_that_are_named_bound_the_answer() -> None:
    old, new = (
        line("We decided to sell the boat.", 400, weight=DECIDED),
        line("We decided on Porto.", 20, weight=DECIDED),
    )
    assert [one.text for one in ranked("What did we decide last month?", old, new)] == [new.text]
    assert len(ranked("What did we decide?", old, new)) == 2


def test_a_question_for_decisions_is_answered_by_decisions() -> None:
    lines = (line("We decided on Porto.", 3, weight=DECIDED), line("I like tea.", 2, weight=0.95))
    assert [one.text for one in ranked("What did we decide?", *lines)] == ["We decided on Porto."]


def test_what_nobody_spoke_of_is_not_known() -> None:
    lines = (line("I planted tomatoes in the garden.", 9), line("My boss moved to Riga.", 8))
    unknown = ranked("Summarise what I told you about my motorcycle.", *lines)
    known = ranked("Summarise what I told you about my garden.", *lines)
    assert all(one.signals[KNOWN] < FLOOR for one in unknown)
    assert known[0].signals[KNOWN] >= FLOOR


def test_a_line_says_where_it_is_from() -> None:
    (shown,) = ranked("Summarise what I told you about my garden.", line("I planted tomatoes in the garden.", 9))
    assert (shown.channel, shown.author_id, shown.role, shown.trust) == (Channel.DIGEST, 42, "user", Trust.USER)
    assert shown.said_at == NOON - timedelta(days=9)
    assert shown.key.startswith("digest:")


def test_an_empty_chronicle_gives_nothing() -> None:
    assert ranked("Summarise what I told you about my garden.") == ()
