"""What plain sentences ask to forget is shown and never becomes a memory; what is noted is what /memory lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.memory.scope import Scope
from bot.ports.memory_store import Selector
from harness.application import ConsoleChat, run_console
from language.registry import get_texts


async def _list_memories(talk: ConsoleChat) -> list[str]:
    page = await talk.app.parts.editor.page(Scope("cu42"), Selector.ALL, size=100)
    return [one.content for one in page.items]


@pytest.mark.parametrize(
    ("language", "fact", "orders"),
    [
        (
            "en",
            "My sister Vera lives in Porto.",
            (
                "Forget that my sister Vera lives in Porto.",
                "Please forget what I told you about my sister",
                "Could you delete the thing about Vera?",
                "Don't remember that Vera lives in Porto any more",
            ),
        ),
        (
            "de",
            "Meine Schwester Vera wohnt in Porto.",
            (
                "Vergiss, dass meine Schwester Vera in Porto wohnt.",
                "Vergiss bitte, was ich dir über meine Schwester gesagt habe",
                "Kannst du das mit Vera löschen?",
            ),
        ),
        (
            "ru",
            "Моя сестра Вера живёт в Порту.",
            (
                "Забудь, что моя сестра Вера живёт в Порту.",
                "Забудь, пожалуйста, что я говорил про сестру",
                "Удали из памяти, что Вера живёт в Порту",
            ),
        ),
    ],
)
async def test_an_order_to_forget_is_none_to_remember(
    tmp_path: Path, language: str, fact: str, orders: tuple[str, ...]
) -> None:
    """Each shows what it may mean, with what to press; nothing is learnt from it and nothing goes without that."""
    async with run_console(tmp_path, {"rag": {"enabled": False}, "language": language}) as talk:
        await talk.say(fact)
        told = await _list_memories(talk)
        for order in orders:
            shown = await talk.say(order)
            assert fact.rstrip(".") in shown, order
            assert "/forget " in shown, order
            assert await _list_memories(talk) == told, order
        await talk.say(f"/forget {shown.partition('/forget ')[2].split('`')[0]}")

        assert await _list_memories(talk) == []


@pytest.mark.parametrize(
    ("language", "facts", "question", "orders"),
    [
        (
            "en",
            ("I love jazz.", "The gate code is with Mr Ott."),
            "What do I love?",
            ("delete that", "Forget what I just said.", "/forget that", "remove it please"),
        ),
        (
            "de",
            ("Ich liebe Jazz.", "Den Schlüssel hat Herr Ott."),
            "Was liebe ich?",
            ("vergiss das", "Lösch das bitte wieder", "Vergiss, was ich gerade gesagt habe"),
        ),
        (
            "ru",
            ("Я люблю джаз.", "Ключ у соседа Отто."),
            "Что я люблю?",
            ("забудь это", "Удали это, пожалуйста", "Забудь, что я сейчас сказал"),
        ),
    ],
)
async def test_that_is_what_was_told_last(
    tmp_path: Path, language: str, facts: tuple[str, str], question: str, orders: tuple[str, ...]
) -> None:
    """Whatever holds the word itself, and whatever was asked since."""
    async with run_console(tmp_path, {"rag": {"enabled": False}, "language": language}) as talk:
        for said in (*facts, question):
            await talk.say(said)
        for order in orders:
            shown = await talk.say(order)
            assert facts[1].rstrip(".") in shown, order
            assert facts[0].rstrip(".") not in shown, order
        await talk.say(f"/forget {shown.partition('/forget ')[2].split('`')[0]}")

        assert await _list_memories(talk) == [facts[0]]


async def test_who_wants_everything_forgotten_is_asked_and_not_told_that_there_is_nothing(tmp_path: Path) -> None:
    """In the language of the sentence, whatever the chat's; what names somebody is still looked for."""
    orders = (
        "Forget everything you know about me.",
        "Please forget all I told you.",
        "/forget everything about me",
        "Vergiss alles über mich.",
        "Lösche alles, was du über mich weißt.",
        "Забудь всё обо мне.",
    )
    async with run_console(tmp_path) as talk:
        await talk.say("My sister Vera lives in Porto.")
        shown = [await talk.say(order) for order in orders]
        named = await talk.say("Forget everything about Vera.")

        asked = [get_texts(code).forget.confirm_everything for code in ("en", "de", "ru")]
        assert all(any(one in each for one in asked) for each in shown), shown
        assert "My sister Vera" in named
        assert await _list_memories(talk) != []


async def test_a_number_is_the_number_of_a_memory(tmp_path: Path) -> None:
    """A number that is gone finds no times and no amounts."""
    async with run_console(tmp_path) as talk:
        await talk.say("My flight LH 815 leaves at 10:30.")
        gone = await talk.say("/forget 10")

        assert gone == get_texts("en").forget.missing.format(ref="10")
        assert len(await _list_memories(talk)) == 1


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "my brother Max works at Siemens"),
        ("en", "Remember that the spare key is under the blue pot"),
        ("en", "hello there, I am allergic to nuts"),
        ("en", "Hm, the weather was nice and we laughed a lot"),
        ("de", "Merk dir bitte, dass der Ersatzschlüssel unter dem Topf liegt"),
        ("de", "Ich bin gegen Nüsse allergisch"),
        ("ru", "Запомни, что запасной ключ лежит под горшком"),
        ("ru", "У меня аллергия на орехи"),
    ],
)
async def test_what_is_noted_is_what_is_listed(tmp_path: Path, language: str, said: str) -> None:
    """Word for word; where nothing is kept as a memory, nothing is said to be noted."""
    phrases = get_texts(language).answers
    async with run_console(tmp_path, {"rag": {"enabled": False}, "language": language}) as talk:
        noted = await talk.say(said)
        kept = await _list_memories(talk)

    start = phrases.noted.opening()
    assert noted.startswith(start) == bool(kept)
    assert all(content in noted for content in kept)


@pytest.mark.parametrize(
    ("language", "told", "question", "order"),
    [
        (
            "ru",
            "домофон тут 63к4471, соседка снизу Тамара Ильинична",
            "какой у нас код домофона",
            "забудь код домофона, его сегодня меняют",
        ),
        ("de", "am hoftor ist es 63k4471", "wie ist der code am hoftor?", "vergiss den code am hoftor, der ist neu"),
        ("en", "the gate is 63k4471 now", "what is the code of the gate?", "forget the code of the gate"),
    ],
)
async def test_what_told_it_is_offered_before_what_asked_for_it(
    tmp_path: Path, language: str, told: str, question: str, order: str
) -> None:
    """Though the question has more of the words."""
    async with run_console(tmp_path, {"rag": {"enabled": False}, "language": language}) as talk:
        await talk.say(told)
        await talk.say(question)
        shown = await talk.say(order)

        assert told in shown
        assert question not in shown.partition(told)[0]


@pytest.mark.parametrize(
    ("language", "told", "question", "later", "order"),
    [
        (
            "ru",
            "Запасной ключ у соседки Лены.",
            "где запасной ключ?",
            "Вера любит чай.",
            "удали его на всякий случай",
        ),
        (
            "de",
            "Der Ersatzschlüssel ist bei Frau Demirci.",
            "wo ist der Ersatzschlüssel?",
            "Vera mag Tee.",
            "vergiss den bitte, wir kriegen eh ein neues Schloss",
        ),
        (
            "en",
            "The spare key is in the blue tin.",
            "where is the spare key?",
            "Vera likes tea.",
            "delete it just in case",
        ),
    ],
)
async def test_it_is_what_the_answer_told_where_nothing_has_the_other_words(
    tmp_path: Path, language: str, told: str, question: str, later: str, order: str
) -> None:
    """It is offered, whatever was told since."""
    async with run_console(tmp_path, {"rag": {"enabled": False}, "language": language}) as talk:
        for said in (told, later, question):
            await talk.say(said)
        shown = await talk.say(order)

        assert told.rstrip(".") in shown
        assert " ," not in shown
        assert later.rstrip(".") not in shown


@pytest.mark.parametrize(
    "said",
    [
        *("The safe code at mum's is 4417b, don't let me forget it", "Ava is vegan, I must not forget that"),
        *(
            "Mein Spind ist Nummer 58, lass mich das nicht vergessen",
            "Dass Ava Veganerin ist, darf ich nicht vergessen",
        ),
        *("Мой шкафчик номер 58, не дай мне забыть", "Только не забудь: Ава веган"),
    ],
)
async def test_what_must_not_be_forgotten_orders_nothing_to_be(tmp_path: Path, said: str) -> None:
    """Nothing is offered to go."""
    async with run_console(tmp_path, {"rag": {"enabled": False}}) as talk:
        answer = await talk.say(said)

    assert "/forget" not in answer


@pytest.mark.parametrize(
    ("fact", "orders"),
    [
        (
            "My old address is 4 Mill Lane.",
            (
                "please keep the old address",
                "remember what I told you about the old address",
                "don't lose my old address",
                "note that down please",
                "write that down",
            ),
        ),
        (
            "Meine alte Adresse ist Mühlweg 4.",
            (
                "bitte behalte die alte Adresse",
                "merk dir, was ich dir über die alte Adresse gesagt habe",
                "lösch die alte Adresse nicht",
                "notier dir das bitte",
                "halt das fest",
            ),
        ),
        (
            "Мой старый адрес — Мельничная 4.",
            (
                "пожалуйста, сохрани старый адрес",
                "запомни, что я говорил тебе про старый адрес",
                "не удаляй старый адрес",
                "отметь это, пожалуйста",
                "запиши это",
            ),
        ),
    ],
)
async def test_an_order_to_keep_is_none_to_forget(tmp_path: Path, fact: str, orders: tuple[str, ...]) -> None:
    """Nothing goes, is taken back or is offered to go by words that say to remember, note or keep."""
    async with run_console(tmp_path, {"rag": {"enabled": False}}) as talk:
        await talk.say(fact)
        told = await _list_memories(talk)
        for order in orders:
            shown = await talk.say(order)
            assert "/forget" not in shown, order
            assert "/undo" not in shown, order
            assert set(told) <= set(await _list_memories(talk)), order

        assert told
