"""A Telegram chat without a model, as a new user has it: orders are obeyed, and answers read like talk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from tests.cases import each_row

pytestmark = pytest.mark.usefixtures("noon")


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[TelegramChats]:
    """A chat in which Anna has told a few things."""
    async with FakeTelegram() as telegram:
        telegram.chats.meet(ANNA)
        async with run_on_telegram(tmp_path, telegram) as running:
            await running.ask("The gate code is 4711.")
            await running.ask("My brother Tom is allergic to peanuts.")
            yield running


@pytest.mark.parametrize(
    "order",
    [
        "Can you delete the gate code?",
        "could you please forget the gate code",
        "Please delete the gate code",
        "Kannst du the gate code löschen?",
        "Можешь удалить gate code?",
    ],
)
async def test_an_order_to_forget_shows_what_would_go(talk: TelegramChats, order: str) -> None:
    """A list with buttons, in the form of a question or not; nothing is gone yet, and it is no answer."""
    answer = await talk.ask(order)

    assert "/forget" in answer
    assert "4711" in await talk.ask("What is the gate code?")


@pytest.mark.parametrize("order", ["could you remind me to call mum tomorrow at 9?", "Can you wake me at 7 tomorrow?"])
async def test_an_order_to_remind_makes_a_reminder(talk: TelegramChats, order: str) -> None:
    """In the form of a question."""
    assert (await talk.ask(order)).startswith("I will remind you")


@each_row(
    ("asked", "told"),
    [
        ("waht is the gate code", "The gate code is 4711. (You told me today.)"),
        ("What did I tell you today?", "• Your brother Tom is allergic to peanuts."),
        ("Am I allergic to peanuts?", "I don't know: nothing I was told here answers that."),
        ("What's 17 × 23?", "17 × 23 = 391"),
        ("what day is 3 May 2027", "That is Monday, 3 May 2027."),
    ],
)
async def test_questions_of_a_new_user(talk: TelegramChats, asked: str, told: str) -> None:
    """Through the receiver that production has."""
    assert told in await talk.ask(asked)


@pytest.mark.parametrize("order", ["/забудь код", "/löschen Code"])
async def test_a_command_in_the_letters_of_any_language_is_one(talk: TelegramChats, order: str) -> None:
    """It is not known, which is said, and it is no memory."""
    name = order.partition(" ")[0]
    answer = await talk.ask(order)
    found = await talk.ask("/memory")

    assert "/help" in answer
    assert name in answer
    assert name not in found


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("Wir haben einen Schrebergarten in Pankow.", "Wo ist unser Garten?", "Pankow"),
        ("Wir haben 2014 geheiratet.", "In welchem Jahr haben wir geheiratet?", "2014"),
        ("Papa wird am 12. Mai operiert.", "Wann ist Papas OP?", "12. Mai"),
        ("Opa war früher Bergmann.", "Was war Opa von Beruf?", "Bergmann"),
        ("Дедушка раньше был шахтёром.", "Кем работал дедушка?", "шахтёром"),
        ("Мою начальницу зовут Гульнара.", "Кто моя начальница?", "Гульнара"),
        ("I see my therapist every other Thursday.", "How often do I see my therapist?", "every other Thursday"),
    ],
)
async def test_other_words_of_the_same_thing_find_it(talk: TelegramChats, told: str, asked: str, answer: str) -> None:
    """Compounds, cases, a verb for its noun: it is answered, not guessed."""
    await talk.ask(told)
    lines = (await talk.ask(asked)).splitlines()

    assert answer in lines[0]


@pytest.mark.parametrize(
    ("likes", "dislikes", "asked", "otherwise"),
    [
        ("I like figs.", "I don't like olives.", "What do I like?", "What don't I like?"),
        ("Ich mag Feigen.", "Ich mag keine Oliven.", "Was mag ich?", "Was mag ich nicht?"),
        ("Я люблю инжир.", "Я не люблю оливки.", "Что я люблю?", "Что я не люблю?"),
    ],
)
async def test_what_is_not_liked_is_not_told_as_liked(
    talk: TelegramChats, likes: str, dislikes: str, asked: str, otherwise: str
) -> None:
    """Each of two questions has its own answer."""
    await talk.ask(likes)
    await talk.ask(dislikes)
    liked, disliked = await talk.ask(asked), await talk.ask(otherwise)

    assert likes[-5:-1] in liked
    assert dislikes[-5:-1] not in liked
    assert dislikes[-5:-1] in disliked
    assert likes[-5:-1] not in disliked
