"""The time, the date and sums are told without memory or model, and nothing that is told is taken for a question."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.features.abilities.arithmetic import work_out
from bot.memory.learning.speech_acts import is_trivial
from harness.application import NO_RAG, ConsoleChat, run_console
from harness.fakes.openai import FakeOpenAi, Says
from harness.samples import HeldClock
from language import languages
from tests.cases import each_row

NOW = datetime(2026, 11, 25, 14, 30, tzinfo=ZoneInfo("Europe/Berlin"))
BY_CODE = {each.code: each for each in languages()}
TODAY = {
    "en": "Today is Wednesday, 25 November 2026.",
    "de": "Heute ist Mittwoch, der 25. November 2026.",
    "ru": "Сегодня среда, 25 ноября 2026 года.",
}


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[ConsoleChat]:
    async with run_console(tmp_path, {**NO_RAG, "timeZone": "Europe/Berlin"}, clock=HeldClock(NOW)) as running:
        yield running


@each_row(
    ("asked", "told"),
    [
        ("What time is it?", "It is 14:30 on Wednesday, 25 November 2026."),
        ("hi, can you tell me the time please", "It is 14:30 on"),
        ("Wie spät ist es?", "Es ist 14:30 Uhr am Mittwoch, dem 25. November 2026."),
        ("wieviel uhr ist es", "Es ist 14:30 Uhr"),
        ("Который час?", "Сейчас 14:30, среда, 25 ноября 2026 года."),
        ("сколько сейчас времени", "Сейчас 14:30"),
        ("what time is it in Tokyo?", "It is 22:30 on Wednesday, 25 November 2026. (Asia/Tokyo)"),
        ("time in new york", "It is 08:30 on Wednesday, 25 November 2026. (America/New_York)"),
        ("Wie spät ist es gerade in Kairo?", "Es ist 15:30 Uhr"),
        ("wieviel uhr ist es in Los Angeles", "Es ist 05:30 Uhr"),
        ("который час в Москве?", "Сейчас 16:30"),
        ("сколько сейчас времени в Токио", "Сейчас 22:30"),
        ("what's today's date", TODAY["en"]),
        ("and what day is it then, love", TODAY["en"]),
        ("sag mal was haben wir heut für nen tag", TODAY["de"]),
        ("а какой же сегодня день", TODAY["ru"]),
        ("what day is it today?", TODAY["en"]),
        ("Welcher Tag ist heute?", TODAY["de"]),
        ("der wievielte ist heute", TODAY["de"]),
        ("Какое сегодня число?", TODAY["ru"]),
        ("какой сегодня день недели", TODAY["ru"]),
        ("whats the date 50 days after 3 march 2027", "That is Thursday, 22 April 2027."),
        ("what day is it 10 days from tomorrow", "That is Sunday, 6 December 2026."),
        ("3 weeks before Christmas?", "That is Friday, 4 December 2026."),
        ("welches datum ist 6 wochen vor dem 24. dezember", "Das ist ein Donnerstag: 12. November 2026"),
        ("was ist 21 tage nach dem 8. mai 2027", "Das ist ein Samstag: 29. Mai 2027"),
        ("какое число через 40 дней после 3 марта", "Это понедельник: 12 апреля 2027 года"),
        ("whats 15 percent of 86 dollars", "15 % × 86 = 12.9"),
        ("was sind 20 prozent von 45 euro", "20 % × 45 = 9"),
        ("сколько будет 1200 рублей плюс 350 рублей", "1200 + 350 = 1550"),
        ("What day is 3 May 2027?", "That is Monday, 3 May 2027."),
        ("what day of the week was 1 January 1990", "That is Monday, 1 January 1990."),
        ("какой завтра день", "Это четверг: 26 ноября 2026 года."),
        ("what's the date tomorrow?", "That is Thursday, 26 November 2026."),
        ("Was für ein Wochentag ist der 3. Mai 2027?", "Das ist ein Montag: 3. Mai 2027."),
        ("Какой день недели будет 3 мая 2027?", "Это понедельник: 3 мая 2027 года."),
        ("How many days until Christmas?", "30 days until Friday, 25 December 2026."),
        ("how many days are left until 26 November", "One day until Thursday, 26 November 2026."),
        ("Wie viele Tage sind es noch bis zum 3. Mai 2027?", "Noch 159 Tage bis Montag, 3. Mai 2027."),
        ("how many days since 1 January?", "That was 328 days ago: Thursday, 1 January 2026."),
        ("how many days from 10 july to 2 august", "23 days from 10 July 2027 to 2 August 2027."),
        ("wie viele tage von heute bis weihnachten", "30 Tage, vom 25. November 2026 bis zum 25. Dezember 2026."),
        ("how many nights between 28 December and 4 January?", "7 days from 28 December 2026 to 4 January 2027."),
        ("wie viele Tage vom 3. März bis zum 1. Dezember", "273 Tage, vom 3. März 2026 bis zum 1. Dezember 2026."),
        ("сколько дней с 10 июля по 2 августа", "23 дня: с 10 июля 2027 года до 2 августа 2027 года."),
        ("what day is the 24th of December 2026", "That is Thursday, 24 December 2026."),
        ("Welcher Wochentag ist Silvester 2027?", "Das ist ein Freitag: 31. Dezember 2027."),
        ("какой сейчас год", "Сейчас 2026 год."),
        ("welche Kalenderwoche haben wir", "Es ist Kalenderwoche 48: Mittwoch, 25. November 2026."),
        ("what's 20 percent off 80", "20 % off 80 = 64"),
        ("половина от 90", "1 / 2 × 90 = 45"),
        ("was ist die Wurzel aus 2?", "√2 ≈ 1,4142135624"),
        ("80 + 3/4?", "80 + 3 / 4 = 80.75"),
        ("Сколько дней до Нового года?", "Осталось 37 дней: пятница, 1 января 2027 года."),
        ("сколько до нового года дней", "Осталось 37 дней: пятница, 1 января 2027 года."),
        ("what day was it 10 days ago", "That is Sunday, 15 November 2026."),
        ("Was für ein Wochentag war vor zwei Wochen?", "Das ist ein Mittwoch: 11. November 2026."),
        ("какой день был 10 дней назад", "Это воскресенье: 15 ноября 2026 года."),
    ],
)
async def test_clock_and_calendar_are_told(chat: ConsoleChat, asked: str, told: str) -> None:
    """In the language of the question, in the chat's time zone."""
    answer = await chat.say(asked)

    assert answer.startswith(told)


@each_row(
    ("asked", "told"),
    [
        ("What's 17 × 23?", "17 × 23 = 391"),
        ("17 x 23", "17 × 23 = 391"),
        ("what is 15% of 80", "15 % × 80 = 12"),
        ("12.5/4", "12.5 / 4 = 3.125"),
        ("12 plus 30 times 2", "12 + 30 × 2 = 72"),
        ("whats 37 times 14 btw", "37 × 14 = 518"),
        ("how much is 80 + 15%?", "80 + 15 % = 92"),
        ("divide 12 by 8", "12 / 8 = 1.5"),
        ("what's two plus twenty-three?", "2 + 23 = 25"),
        ("(2+3)*4=", "(2 + 3) × 4 = 20"),
        ("0.1+0.2", "0.1 + 0.2 = 0.3"),
        ("10 / 3", "10 / 3 ≈ 3.3333333333"),
        ("5 / 0?", "5 / 0: nothing can be divided by zero."),
        ("what is 1,250 times 2", "1250 × 2 = 2500"),
        ("Was ist 17 mal 23?", "17 × 23 = 391"),
        ("wie viel sind 15 Prozent von 80?", "15 % × 80 = 12"),
        ("was ist 12,5 geteilt durch 4", "12,5 / 4 = 3,125"),
        ("wie viel ist 1.250 minus -3", "1250 − −3 = 1253"),
        ("Сколько будет 17 умножить на 23?", "17 × 23 = 391"),
        ("сколько будет 12,5 разделить на 4", "12,5 / 4 = 3,125"),
        ("семь плюс восемь", "7 + 8 = 15"),
        ("rechne mal 12 mal 8", "12 × 8 = 96"),
        ("12 умножь на 8", "12 × 8 = 96"),
        ("take 15 percent off 80", "80 − 15 % = 68"),
        ("what's 80 with 15% off", "80 − 15 % = 68"),
        ("how much is 15 % less than 80", "15 % off 80 = 68"),
        ("zieh 15 % von 80 ab", "80 − 15 % = 68"),
        ("von 80 mal 15 prozent abziehen", "80 − 15 % = 68"),
        ("was sind 80 euro mit 15 % rabatt", "80 − 15 % = 68"),
        ("80 abzüglich 15 %", "80 − 15 % = 68"),
        ("отними 15 процентов от 80", "80 − 15 % = 68"),
        ("вычти из 80 15 процентов", "80 − 15 % = 68"),
        ("сколько будет 80 со скидкой 15%", "80 − 15 % = 68"),
        ("80 - (15 %)", "80 − 15 % = 68"),
        ("80 - (5 + 15 %)", "80 − (5 + 15 %) = 74.25"),
        ("divide 12 by 50 %", "12 / 50 % = 24"),
    ],
)
async def test_sums_are_worked_out(chat: ConsoleChat, asked: str, told: str) -> None:
    """In figures and words; a percentage behind plus is one of what stands before it."""
    answer = await chat.say(asked)

    assert answer.splitlines()[0].replace("\\", "") == told


@each_row(
    ("asked", "told"),
    [
        ("12 stone in kg", "12 stone ≈ 76.2 kg"),
        ("how many feet are in a mile?", "1 mile = 5280 feet"),
        ("convert 350 f to celsius please", "350 f ≈ 176.7 celsius"),
        ("How many minutes in three hours?", "3 hours = 180 minutes"),
        ("how many grams is 0.02 oz", "0.02 oz ≈ 0.567 grams"),
        ("wie viele cm hat ein Zoll?", "1 Zoll = 2,54 cm"),
        ("rechne mal 3 Meilen in km um", "3 Meilen ≈ 4,828 km"),
        ("how many grams is that, 2.5 kilos", "2.5 kilos = 2500 grams"),
        ("2.5 kilos, how many grams is that", "2.5 kilos = 2500 grams"),
        ("wieviel gramm sind das, 2,5 kilo", "2,5 kilo = 2500 gramm"),
        ("was ist das in gramm, 2,5 kilo", "2,5 kilo = 2500 gramm"),
        ("сколько это граммов, 2,5 кг", "2,5 кг = 2500 граммов"),
        ("сколько граммов в 2 фунтах?", "2 фунтах ≈ 907,2 граммов"),
        ("100 градусов по фаренгейту в градусах цельсия", "100 градусов по фаренгейту ≈ 37,78 градусах цельсия"),
    ],
)
async def test_amounts_are_told_in_other_units(chat: ConsoleChat, asked: str, told: str) -> None:
    """Exactly where few digits do, else rounded to what can be measured."""
    answer = await chat.say(asked)

    assert answer.splitlines()[0].replace("\\", "") == told


@pytest.mark.parametrize(
    "said",
    [
        "The meeting takes 17 x 23 minutes.",
        "My room is 4 x 5 metres.",
        "5 kg in 2 bags",
        "How many miles is my flat from work?",
        "The time is 14:30 on my watch.",
        "Today is a good day.",
        "Heute ist der 3. Mai.",
        "Die Pizza kostet 3 mal 8 Euro.",
        "Сегодня хороший день.",
        "Комната 4 на 5 метров.",
        "12/4",
        "24/7",
        "555-1234",
        "+49 170 1234567",
        "2026-11-25",
        "What time does my train leave?",
        "How many days until my holiday?",
        "Which day is the dentist?",
        "Сколько дней до моего отпуска?",
    ],
)
async def test_what_is_told_or_asked_of_memory_is_left_to_it(chat: ConsoleChat, said: str) -> None:
    """A statement with a sum in it is a statement, and a telephone number no subtraction."""
    answer = await chat.say(said)
    told = ("It is", "Today is", "That is", "Es ist", "Heute ist", "Das ist", "Сегодня ср", "Это ")

    assert " = " not in answer
    assert "≈" not in answer
    assert not answer.startswith(told)


async def test_what_it_says_is_no_memory(chat: ConsoleChat) -> None:
    """Neither the question nor the answer comes back when memory is asked."""
    await chat.say("What's 17 × 23?")

    assert "23" not in await chat.say("what do you know about me?")
    assert "17" not in await chat.say("/memory")


async def test_a_model_is_not_spoken_over(tmp_path: Path) -> None:
    """With a language model the question is the model's."""
    async with FakeOpenAi(default=lambda _: Says("Half past two.")) as server:
        model = {"llm": {"url": server.url, "model": "gpt-4o"}}
        async with run_console(tmp_path, NO_RAG | model, clock=HeldClock(NOW)) as talk:
            assert await talk.say("What time is it?") == "Half past two."


@pytest.mark.parametrize(
    "hostile",
    ["9^9^9^9", "9**999999", "(" * 150 + "1+1", "1" * 199 + "+1", "1/" * 50 + "1", "2^-500", "__import__('os')+1"],
)
def test_no_sum_takes_long_or_means_code(hostile: str) -> None:
    """What is too large to be read is no sum, and no text is run."""
    made = work_out(hostile, BY_CODE["en"], asked=True)

    assert made is None or len(made.result) < 60


@each_row(
    "said",
    [
        *("help", "Hilfe", "помощь", "What can you do?", "Was kannst du?", "Что ты умеешь?"),
        *("hey, what kind of stuff can you do", "hallo, was für sachen kannst du so"),
    ],
)
async def test_it_says_what_it_can_do(chat: ConsoleChat, said: str) -> None:
    """By a word or by a question; it is small talk, and no memory."""
    assert "/help" in await chat.say(said)
    assert is_trivial(said)
