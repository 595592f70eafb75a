"""In the running bot, without a model: what was spent, or earned, in a time that a question names."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.application import run_console
from harness.samples import HeldClock

_DAYS = ("2026-09-02", "2026-10-03", "2026-10-20", "2026-11-04", "2026-11-20", "2026-11-27")
_TOLD = {
    "en": (
        "spent 34 on new tyres for the car",
        "car service came to 180",
        "bought the twins winter coats, 76 quid",
        "spent 40 on seed potatoes",
        "paid the vet 92 for Mabel",
        "the rent is 640 pounds a month, the code is 75",
    ),
    "de": (
        "hab 48 euro für winterreifen am auto bezahlt",
        "inspektion vom auto hat 310 euro gekostet",
        "für finn hallenschuhe gekauft, 55 euro",
        "klassenfahrt finn angezahlt, 90 euro",
        "strom nachzahlung 140 euro",
        "wir haben zwei söhne, skat ist mittwochs um 19 uhr",
    ),
    "ru": (
        "потратила 2300 на рассаду",
        "ремонт машины обошелся в 12000",
        "купила внукам куртки за 7200",
        "за газ заплатила 1850",
        "поменяла масло в машине, 2600",
        "света должна мне 500",
    ),
}


async def tell(folder: Path, language: str, *said: str, days: tuple[str, ...] = _DAYS) -> list[str]:
    """Tell one message a day, and say the others on the last; return the replies to these."""
    clock = HeldClock()
    replies = []
    async with run_console(folder, clock=clock) as chat:
        for day, text in (*zip(days, _TOLD[language], strict=True), *((days[-1], text) for text in said)):
            clock.at = datetime.fromisoformat(f"{day}T12:00").replace(tzinfo=UTC)
            replies.append(await chat.say(text, at=clock.at))
    return replies[len(days) :]


@pytest.mark.parametrize(
    ("language", "asked", "amount"),
    [
        ("en", "how much have i spent this month", "132."),
        ("en", "what did i spend in october", "256 quid."),
        ("en", "how much did i pay for the car since october", "180."),
        ("de", "wie viel hab ich diesen monat ausgegeben", "230 euro."),
        ("de", "was hab ich seit oktober ausgegeben", "595 euro."),
        ("de", "wie viel hab ich letzten monat fürs auto bezahlt", "310 euro."),
        ("ru", "сколько я потратила в этом месяце", "4450."),
        ("ru", "сколько потратила в октябре", "19200."),
        ("ru", "сколько ушло с начала октября", "23650."),
    ],
)
async def test_a_sum_is_of_the_time_that_is_asked_about(tmp_path: Path, language: str, asked: str, amount: str) -> None:
    """Seen to fail: one of the amounts, or one of another month, was quoted as the answer."""
    [answer] = await tell(tmp_path, language, asked)

    assert answer.endswith(f": {amount}")


@pytest.mark.parametrize(
    ("language", "said", "amounts"),
    [
        ("en", ("how much have i spent this month", "and last month?"), ("132.", "256 quid.")),
        ("de", ("wie viel hab ich diesen monat ausgegeben", "und im oktober?"), ("230 euro.", "365 euro.")),
        ("ru", ("сколько я потратила в этом месяце", "а в прошлом месяце?"), ("4450.", "19200.")),
    ],
)
async def test_another_time_alone_asks_the_same_of_that(
    tmp_path: Path, language: str, said: tuple[str, ...], amounts: tuple[str, ...]
) -> None:
    """Seen to fail: the month was looked for in what was told."""
    answers = await tell(tmp_path, language, *said)

    assert [each.rpartition(": ")[2] for each in answers] == list(amounts)


@pytest.mark.parametrize(
    ("language", "said", "amount"),
    [
        ("en", ("paid the vet 29 not 92",), "69."),
        ("en", ("got 12 refunded for the seed potatoes",), "120."),
        ("ru", ("за газ было 1580, а не 1850",), "4180."),
    ],
)
async def test_a_sum_counts_what_an_amount_has_become(
    tmp_path: Path, language: str, said: tuple[str, ...], amount: str
) -> None:
    """What came back is taken off, what was put right counts as it is now."""
    asked = {"en": "how much did i spend this month", "de": "was hab ich diesen monat ausgegeben"}
    *_, answer = await tell(tmp_path, language, *said, asked.get(language, "сколько потратила в этом месяце"))

    assert answer.endswith(f": {amount}")


async def test_what_was_bought_on_two_days_counts_twice_and_what_came_in_is_asked_for(tmp_path: Path) -> None:
    """A time of which nothing was told has nothing, whatever was told of others."""
    said = (
        "i charge 85 for a big dog",
        "sold the old clippers for 30",
        "got my wages, 120",
        "how much did i earn this month",
    )
    bought = ("coffee beans 14 quid", "what did i spend today", "what did i spend in june")
    [*_, earned, _, spent, nothing] = await tell(tmp_path, "en", *said, *bought)

    assert earned.endswith(": 150.")
    assert spent.endswith(": 14 quid.")
    assert nothing == "Nothing: you told me nothing then."


@pytest.mark.parametrize(
    ("said", "asked", "amount"),
    [
        (
            (
                "Last month I paid 90 pounds for the vet",
                "I spent 12 pounds on lunch",
                "Back in July I spent 400 pounds",
            ),
            {"how much did I spend this month": "12 pounds.", "how much did I spend in July": "400 pounds."},
            "502 pounds.",
        ),
        (
            ("am 12. Oktober hab ich 45 Euro für Schuhe ausgegeben", "hab heute 8 Euro fürs Essen ausgegeben"),
            {"wie viel hab ich diese Woche ausgegeben": "8 Euro.", "und im Oktober?": "45 Euro."},
            "53 Euro.",
        ),
        (
            ("купила дрель за 6000 рублей", "магазин вернул 2000 рублей за дрель", "в июле отдала 900 рублей за обувь"),
            {"сколько я потратила в этом месяце": "4000 рублей.", "сколько я потратила в июле": "900 рублей."},
            "4900 рублей.",
        ),
        (
            ("I bought a tent for 140 euros in October and a stove for 35 euros on 3 November",),
            {"how much did I spend in October": "140 euros.", "how much did I spend this month": "35 euros."},
            "175 euros.",
        ),
    ],
)
async def test_what_was_paid_is_of_the_day_that_was_named(
    tmp_path: Path, said: tuple[str, ...], asked: dict[str, str], amount: str
) -> None:
    """Seen to fail: it counted for the day it was told on, and "back in July" was taken off."""
    whole = {"e": "how much have I spent", "a": "wie viel hab ich ausgegeben", "к": "сколько я потратила"}
    every = {**asked, whole.get(said[0][0], whole["e"]): amount}
    answers = await say_at(tmp_path, *said, *every)

    assert [each.rpartition(": ")[2] for each in answers[len(said) :]] == list(every.values())


@pytest.mark.parametrize(
    ("said", "asked", "rows"),
    [
        (("I spent 20 pounds on lunch", "I spent 30 euros on a hat"), "how much did I spend this month", 2),
        (("заплатила няне 3000 за 4 часа", "такси 450"), "сколько я сегодня потратила", 2),
    ],
)
async def test_what_may_not_be_added_up_is_quoted_without_a_total(
    tmp_path: Path, said: tuple[str, ...], asked: str, rows: int
) -> None:
    """Two currencies, and a bare amount that may have been paid as well."""
    *_, answer = await say_at(tmp_path, *said, asked)

    assert answer.count("•") == rows
    assert not any(total in answer for total in ("Together", "Вместе"))


@pytest.mark.parametrize(
    ("said", "owed", "owes"),
    [
        (("Ben owes me 20 pounds", "I owe the bank 300 pounds"), "who owes me money", "who do I owe money to"),
        (("Ben schuldet mir 20 Euro", "ich schulde der Bank 300 Euro"), "wer schuldet mir was", "wem schulde ich was"),
        (("Серега должен мне 20 рублей", "я должен банку 300 рублей"), "кто мне должен", "кому я должен"),
    ],
)
async def test_a_debt_is_told_for_the_one_who_owes_it(
    tmp_path: Path, said: tuple[str, ...], owed: str, owes: str
) -> None:
    """Seen to fail: both debts, or the other one, were told."""
    *_, first, second = await say_at(tmp_path, *said, owed, owes)

    assert ("20" in first, "300" in first) == (True, False)
    assert ("20" in second, "300" in second) == (False, True)


async def test_the_hour_of_something_is_no_amount(tmp_path: Path) -> None:
    """Seen to fail: "62008 вечера"."""
    *_, answer = await say_at(tmp_path, "вебинар сегодня в 8 вечера, заплатила 62000", "сколько я сегодня потратила")

    assert answer.endswith(": 62000.")


async def say_at(folder: Path, *said: str) -> list[str]:
    """Say one a minute on one day; return the replies."""
    clock = HeldClock(datetime(2026, 11, 28, 12, tzinfo=UTC))
    replies = []
    async with run_console(folder, clock=clock) as chat:
        for each in said:
            clock.move(minutes=1)
            replies.append((await chat.say(each, at=clock.at)).partition("\n\n")[0])
    return replies
