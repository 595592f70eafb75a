"""Days that a question is about, and whether a passage says when."""

from __future__ import annotations

from datetime import UTC, date, datetime

import numpy as np

from bot.memory.ranking.passages import find_days, find_time_expressions, score_dates
from tests.cases import each_row

NOW = datetime(2024, 1, 5, 18, tzinfo=UTC)
FIRST = datetime(2023, 5, 1, tzinfo=UTC)


def _days(question: str) -> list[tuple[date, date]]:
    return [(days.start.date(), days.end.date()) for days in find_days(question, NOW, FIRST, NOW)]


@each_row(
    ("question", "start", "end"),
    [
        ("What happened on 25 May, 2023?", date(2023, 5, 25), date(2023, 5, 25)),
        ("What happened on May 25th, 2023?", date(2023, 5, 25), date(2023, 5, 25)),
        ("Что было 25 мая 2023?", date(2023, 5, 25), date(2023, 5, 25)),
        ("Was war am 3. Oktober 2023?", date(2023, 10, 3), date(2023, 10, 3)),
        ("What did I buy on 2023-08-14?", date(2023, 8, 14), date(2023, 8, 14)),
        ("Где я был в декабре 2023?", date(2023, 12, 1), date(2023, 12, 31)),
        ("What did she do in 2023?", date(2023, 1, 1), date(2023, 12, 31)),
        ("What did I say yesterday?", date(2024, 1, 4), date(2024, 1, 4)),
        ("Что я говорил позавчера?", date(2024, 1, 3), date(2024, 1, 3)),
        ("Who called three days ago?", date(2024, 1, 2), date(2024, 1, 2)),
    ],
)
def test_named_days_are_understood(question: str, start: date, end: date) -> None:
    """Dates, months, years and relative days in three languages."""
    assert _days(question) == [(start, end)]


def test_a_month_without_a_year_means_it_in_every_year_talked_about() -> None:
    """June may be any June between the first and the last message."""
    assert [start.year for start, _ in _days("When did we go camping in June?")] == [2023, 2024]


@each_row("question", ["What may happen?", "Who will march?", "31.02.2024", "999999999 days ago", ""])
def test_what_only_looks_like_a_date_names_no_day_or_one(question: str) -> None:
    """Verbs, impossible dates and absurd numbers raise nothing."""
    assert len(_days(question)) <= 2


def test_a_list_of_dates_names_its_first_days_once() -> None:
    """Each day costs a look at all that is stored: those that are repeated count once, and a list is no question."""
    many = " ".join(f"{day}.{month}.2023," for month in range(1, 13) for day in range(10, 29))

    assert len(find_days("on 3 May and 3 May and the 3 May 2023", NOW, FIRST, NOW)) == 1
    assert len(find_days(many, NOW, FIRST, NOW)) == 32
    assert len(find_days("3 may 2001 2002 2003 " * 400 + "9" * 5000 + " days ago", NOW, FIRST, NOW)) == 3


def test_the_bonus_is_full_inside_and_fades_around() -> None:
    """1 on the day, less before than after: people tell of things after they happened."""
    spans = find_days("on 10 June 2023", NOW, FIRST, NOW)
    times = np.array([datetime(2023, 6, day, 12, tzinfo=UTC).timestamp() for day in (5, 10, 15)])

    before, inside, after = score_dates(times, spans)

    assert inside == 1
    assert 0 < before < after < 1


@each_row(
    "text", ["I went last Friday", "На прошлой неделе", "Vor drei Wochen", "in May", "in 2019", "YESTERDAY", "MÄRZ"]
)
def test_passages_say_when(text: str) -> None:
    """Time expressions in three languages, in any case."""
    assert find_time_expressions(text) == (True, True)


def test_a_greeting_says_nothing_of_time() -> None:
    """The words "May I" and "second" are no times; "recently" is a vague one."""
    assert find_time_expressions("May I come in a second?") == (False, False)
    assert find_time_expressions("I recently moved") == (False, True)
