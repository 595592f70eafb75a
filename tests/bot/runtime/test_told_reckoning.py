"""In the running bot, without a model: days and amounts are reckoned from what was told."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.application import run_console
from harness.samples import HeldClock

_NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


async def tell(folder: Path, *said: str) -> str:
    """Say one a minute, and return the last line of the last reply."""
    clock, answer = HeldClock(_NOW), ""
    async with run_console(folder, clock=clock) as chat:
        for text in said:
            clock.move(minutes=1)
            answer = await chat.say(text, at=clock.at)
    return answer.splitlines()[-1]


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("our wedding is on 12 june 2027", "how many days until the wedding", "197 days until Saturday, 12 June 2027."),
        ("our wedding is on 12 june 2027", "which weekday is the wedding", "That is Saturday, 12 June 2027."),
        ("our wedding is on 12 june 2027", "how many weeks till the wedding", "In weeks: 28, days left over: 1."),
        ("my passport expires on 4 march 2027", "how long till my passport expires", "97 days until Thursday"),
        ("nan was born on 3 february 1942", "how many days till nan's birthday", "68 days until Wednesday, 3 February"),
        ("unser urlaub beginnt am 14. märz 2027", "wie viele tage noch bis zum urlaub", "Noch 107 Tage bis Sonntag"),
        ("oma ist am 3. mai 1941 geboren", "wie viele tage bis omas geburtstag", "Noch 157 Tage bis Montag"),
        ("отпуск начинается 14 марта", "сколько дней до отпуска", "Осталось 107 дней: воскресенье"),
        ("отпуск начинается 14 марта", "в какой день недели начинается отпуск", "Это воскресенье: 14 марта 2027 года."),
    ],
)
async def test_days_are_counted_to_what_was_told(tmp_path: Path, told: str, asked: str, answer: str) -> None:
    """Seen to fail: the sentence that tells the day was all that was said."""
    assert answer in await tell(tmp_path, told, asked)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (("i weigh 12 stone 4", "what is that in kilos"), "12 stone 4 ≈ 78.02 kilos"),
        (("rob is 6 foot 1", "carla is 5 foot 4", "how tall is rob in cm"), "6 foot 1 ≈ 185.4 cm"),
        (("it's 12 miles to work", "nan is 84", "how far is it to work in km"), "12 miles ≈ 19.31 km"),
        (("the tank holds 40 litres", "how many gallons is that"), "10.57 gallons (US) / 8.799 gallons (UK)"),
        (("ich wiege 82 kilo", "wie viel pfund sind das"), "82 kilo = 164 pfund"),
        (("der ofen soll auf 350 fahrenheit", "wie viel celsius sind das"), "350 fahrenheit ≈ 176,7 celsius"),
        (("до работы 26 миль", "сколько это в километрах"), "26 миль ≈ 41,84 километрах"),
        (("what's 45 days after 1 june",), "That is Friday, 16 July 2027."),
        (("что будет через 45 дней после 1 июня",), "Это пятница: 16 июля 2027 года."),
        (("20 gallons in litres",), "20 gallons ≈ 75.71 litres (US) / 90.92 litres (UK)"),
        (("wie viel gramm sind 3 pfund",), "3 pfund = 1500 gramm"),
        (("сколько килограммов в 5 пудах",), "5 пудах ≈ 81,9 килограммов"),
    ],
)
async def test_an_amount_that_was_told_is_told_in_another_unit(
    tmp_path: Path, said: tuple[str, ...], answer: str
) -> None:
    """Seen to fail: "I don't know", or the amount as it was told."""
    assert answer in await tell(tmp_path, *said)


async def test_nothing_is_reckoned_with_what_holds_no_more_or_may_be_another(tmp_path: Path) -> None:
    """Of two that are told the same of neither is meant; a day that was called off is no day."""
    moved = ("the concert is on 3 march", "the concert is cancelled", "how many days until the concert")
    two = ("rob weighs 80 kilos", "carla weighs 60 kilos", "how many pounds do they weigh")

    same = ("the doctor lowered the tablets to 2.5 mg", "how many milligrams are the tablets")
    born = ("rob's birthday is 20 june", "which day was rob born")

    assert "=" not in await tell(tmp_path / "same", *same)
    assert "Sunday" not in await tell(tmp_path / "born", *born)
    assert "days until" not in await tell(tmp_path / "moved", *moved)
    assert "pounds" not in await tell(tmp_path / "two", *two)


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("nan was born on 3 february 1942", "how old will nan be in 2030", "Age in 2030: 88."),
        ("oma ist am 3. mai 1941 geboren", "wie alt wird oma nächstes jahr", "Alter im Jahr 2027: 86."),
        ("мама родилась 3 мая 1941 года", "сколько лет будет маме в следующем году", "В 2027 году исполнится: 86."),
        ("мама родилась 3 мая 1941 года", "сколько лет маме", "Сегодня полных лет: 85."),
    ],
)
async def test_an_age_is_that_of_the_year_that_is_named(tmp_path: Path, told: str, asked: str, answer: str) -> None:
    """Seen to fail: whatever year was named, it was today's age."""
    assert await tell(tmp_path, told, asked) == answer


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (("my train leaves at 14:20", "it takes 1 hour 50", "when do i get there"), "14:20 + 1:50 = 16:10"),
        (("the roast goes in at 5pm", "it needs two and a half hours", "when is the roast done"), "= 19:30"),
        (("der zug fährt um 8:14 los", "die fahrt dauert 3 stunden 20", "wann komme ich an"), "08:14 + 3:20 = 11:34"),
        (("braten kommt um 16 uhr rein", "der braucht 90 minuten", "wann ist er fertig"), "16:00 + 1:30 = 17:30"),
        (("поезд отходит в 14:20", "ехать 3 часа 15 минут", "во сколько приеду"), "14:20 + 3:15 = 17:35"),
        (("пирог поставила в 17:00", "печется полтора часа", "когда будет готов"), "17:00 + 1:30 = 18:30"),
        (
            (
                "I put the lasagne in the oven at 18:00 and it takes 45 minutes",
                "the exam begins at 9:30 and lasts three hours",
                "when does the exam end?",
            ),
            "09:30 + 3:00 = 12:30",
        ),
        (("der Kurs beginnt um 9:15 und dauert 90 Minuten", "wann ist der Kurs vorbei"), "09:15 + 1:30 = 10:45"),
        (("экзамен начинается в 9:30 и длится 3 часа", "когда экзамен закончится"), "09:30 + 3:00 = 12:30"),
    ],
)
async def test_an_end_is_reckoned_from_a_beginning_and_how_long_it_takes(
    tmp_path: Path, said: tuple[str, ...], answer: str
) -> None:
    """Seen to fail: "I don't know", though both were told one behind the other."""
    assert answer in await tell(tmp_path, *said)


@pytest.mark.parametrize("asked", ["when is the concert over", "when is the ride over"])
async def test_the_end_of_something_else_is_not_reckoned(tmp_path: Path, asked: str) -> None:
    """What the question names is not what began."""
    said = ("my train leaves at 14:20", "the ride takes 1 hour 50", asked)

    assert "16:10" not in await tell(tmp_path, *said)


@pytest.mark.parametrize(
    ("told", "asked", "whole"),
    [
        ("for the trip Mia paid 120, Otis 80 and i paid 200", "how much did Mia and Otis pay together", "200"),
        ("für strom zahlt Jule 45, Mats 38 und ich 60", "was zahlen Jule und Mats zusammen?", "83"),
        ("за интернет Вася платит 450, Коля 300, а я 700", "сколько платят Вася и Коля вместе", "750"),
        ("потратил на краску 1800, на кисти 240 и за телефон 550", "сколько всего я потратил?", "2590"),
    ],
)
async def test_of_a_row_of_amounts_those_are_added_up_that_are_meant(
    tmp_path: Path, told: str, asked: str, whole: str
) -> None:
    """Whoever is named beside them; a telephone may be a thing that is paid for."""
    said = await tell(tmp_path, told, asked)

    assert f" {whole}." in said
