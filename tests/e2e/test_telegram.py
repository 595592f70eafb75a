"""Telegram as its users have it: a real process against a strict Bot API over real HTTP."""

from __future__ import annotations

import re
from typing import Any

from harness.fakes.openai import FakeOpenAi, Says
from harness.fakes.telegram import FakeTelegram, Fault
from harness.processes import Home, count, until
from harness.processes import running as started
from language.registry import get_texts

TOKEN = "42:TEST-token-of-the-fake"
ANNA, STRANGER, GROUP = 7, 666, -100500
ENVIRONMENT = {"TELEGRAM_TOKEN": TOKEN}


def settings(telegram: FakeTelegram, **more: Any) -> dict[str, Any]:  # Any: settings as JSON
    return {"telegram": {"apiUrl": telegram.url, **more}, "rag": {"enabled": False}}


async def answered(telegram: FakeTelegram, text: str, *, user: int = ANNA, chat: int | None = None) -> str:
    """Say something and return the new message that the chat shows."""
    place = user if chat is None else chat
    before = len(telegram.texts(place))
    await telegram.says(text, user=user, chat=chat)
    await telegram.until(lambda: len(telegram.texts(place)) > before)
    return telegram.texts(place)[-1]


async def test_a_stranger_becomes_a_user_by_pairing_and_is_remembered(home: Home) -> None:
    """The printed code lets one person in; what they say is recalled after /new; a stranger leaves no byte."""
    async with FakeTelegram() as telegram:
        home.configure(settings(telegram))
        async with started(home, "run", environment=ENVIRONMENT) as mneme:
            await until(lambda: "/start" in home.logged())
            code = re.findall(r"/start (\S+)", home.logged())[0]
            await telegram.says("my zebra canary is zq81xx", user=STRANGER)
            await telegram.says(f"/start {code}", user=ANNA)
            await telegram.until(lambda: telegram.texts(ANNA))
            await telegram.says(f"/start {code}", user=STRANGER)
            for line in ("My sister Vera lives in Porto.", "/new", "Where does my sister live?"):
                await answered(telegram, line)
            ended = await mneme.stop()

    assert "Porto" in telegram.texts(ANNA)[-1]
    assert telegram.texts(STRANGER) == [get_texts("en").service.wrong_code]
    assert not [path for path, data in home.bytes_of().items() if b"zq81xx" in data or b"zebra" in data]
    assert not [path for path, data in home.bytes_of().items() if TOKEN.encode() in data]
    assert ended == 0
    assert telegram.updates.pending == ()


async def test_a_group_member_asks_and_strangers_leave_no_byte(home: Home) -> None:
    """In an allowed group a mention is answered, other talk is not; private memories and other groups stay out."""
    async with FakeTelegram() as telegram:
        home.configure(settings(telegram, allowedUsers=[ANNA], allowedChats=[GROUP]))
        async with started(home, "run", environment=ENVIRONMENT) as mneme:
            await answered(telegram, "My locker code is 7731-K.")
            await telegram.says("nobody asked you about the walrus", user=ANNA, chat=GROUP)
            told = await answered(telegram, "@mneme_bot Our team lunch is at Cafe Lumen.", user=ANNA, chat=GROUP)
            found = await answered(telegram, "@mneme_bot where is our team lunch?", user=ANNA, chat=GROUP)
            private = await answered(telegram, "@mneme_bot what is my locker code?", user=ANNA, chat=GROUP)
            await telegram.says("@mneme_bot the stranger says okapi", user=STRANGER, chat=GROUP)
            await telegram.says("@mneme_bot this other group says okapi", user=STRANGER, chat=GROUP - 1)
            await answered(telegram, "/status")
            ended = await mneme.stop()

    assert "Lumen" in told
    assert "Lumen" in found
    assert "7731" not in private
    assert len(telegram.texts(GROUP)) == 3
    assert telegram.texts(GROUP - 1) == []
    assert not [path for path, data in home.bytes_of(home.data).items() if b"walrus" in data or b"okapi" in data]
    assert ended == 0


async def test_a_restart_in_mid_turn_answers_once(home: Home) -> None:
    """Killed while the model writes, the next process answers; the message is shown one answer and stored once."""
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        model.script.append(Says("You will never see the end of this answer.", pieces=40, pause_s=0.5))
        home.configure(settings(telegram, allowedUsers=[ANNA]) | {"llm": {"url": model.url, "model": "fake-model"}})
        async with started(home, "run", environment=ENVIRONMENT) as mneme:
            await telegram.says("My cat is called Bruno the Great.", user=ANNA)
            await telegram.until(lambda: model.requests and telegram.chats.typing.get(ANNA))
            await mneme.kill()
        async with started(home, "run", environment=ENVIRONMENT) as mneme:
            await telegram.until(lambda: any("Bruno" in text for text in telegram.texts(ANNA)))
            ended = await mneme.stop()

    assert sum("Bruno" in text for text in telegram.texts(ANNA)) == 1
    assert count(home.data, "SELECT count(*) FROM exchanges WHERE user_text LIKE '%Bruno%'") == 1
    assert telegram.updates.pending == ()
    assert ended == 0


async def test_a_standby_takes_over_from_a_killed_process(home: Home) -> None:
    """It answers nothing while the first lives; after kill -9 in mid-turn it gives the answers, each once.

    Mutation check: without ``patience_s`` the second ends at once, naming the first.
    """
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        model.script.append(Says("You will never see the end of this answer.", pieces=40, pause_s=0.5))
        home.configure(settings(telegram, allowedUsers=[ANNA]) | {"llm": {"url": model.url, "model": "fake-model"}})
        async with started(home, "run", environment=ENVIRONMENT) as first:
            await telegram.says("My cat is called Bruno the Great.", user=ANNA)
            await telegram.until(lambda: model.requests and telegram.chats.typing.get(ANNA))
            async with started(home, "run", "--standby", environment=ENVIRONMENT) as second:
                await until(lambda: f"another Mneme uses {home.data}" in home.logged())
                asked = len(model.requests)
                await first.kill()
                await telegram.says("My boat is called Marlin.", user=ANNA)
                await telegram.until(lambda: any("Marlin" in text for text in telegram.texts(ANNA)))
                ended = await second.stop()

    assert asked == 1
    assert [sum(name in text for text in telegram.texts(ANNA)) for name in ("Bruno", "Marlin")] == [1, 1]
    assert count(home.data, "SELECT count(*) FROM exchanges WHERE user_text LIKE '%is called%'") == 2
    assert telegram.updates.pending == ()
    assert ended == 0


async def test_a_reply_whose_fate_is_unknown_is_not_repeated(home: Home) -> None:
    """Telegram delivers and drops its answer, then Mneme is killed: the reply stands there once and is listed."""
    async with FakeTelegram() as telegram:
        telegram.fail("sendMessage", Fault.DROPPED_AFTER)
        home.configure(settings(telegram, allowedUsers=[ANNA]))
        async with started(home, "run", environment=ENVIRONMENT) as mneme:
            await telegram.says("My tent is the green one.", user=ANNA)
            await until(lambda: '"DeliveryUnknown"' in home.logged())
            await mneme.kill()
        async with started(home, "run", environment=ENVIRONMENT) as mneme:
            status = await answered(telegram, "/status")
            await mneme.stop()

    assert sum("tent" in text for text in telegram.texts(ANNA)) == 1
    assert count(home.data, "SELECT count(*) FROM deliveries WHERE state = 3") == 1
    assert re.search(r"\b1\b", status)


async def test_a_second_poller_is_named_and_nothing_is_lost(home: Home) -> None:
    """HTTP 409 is said in the log in words an operator understands, and polling goes on once the other is gone."""
    async with FakeTelegram() as telegram:
        home.configure(settings(telegram, allowedUsers=[ANNA]))
        async with started(home, "run", environment=ENVIRONMENT) as mneme:
            await telegram.until(lambda: any(method.lower() == "getupdates" for method, _ in telegram.calls))
            await telegram.updates.get(offset=None, limit=1, timeout_s=0.2)
            await until(lambda: "another instance polls" in home.logged())
            reply = await answered(telegram, "My bicycle is blue.")
            ended = await mneme.stop()

    assert "bicycle" in reply
    assert ended == 0


async def test_sigterm_under_load_loses_and_doubles_nothing(home: Home) -> None:
    """SIGTERM in the middle of many turns ends with code 0; the next process answers the rest, once."""
    marks = [f"QX{number:03d}Z" for number in range(24)]
    async with FakeTelegram() as telegram:
        home.configure(settings(telegram, allowedUsers=list(range(7, 15))))
        async with started(home, "run", environment=ENVIRONMENT) as mneme:
            await answered(telegram, "/help")
            for number, mark in enumerate(marks):
                await telegram.says(f"My locker number is {mark} now.", user=7 + number % 8)
            await telegram.until(lambda: any("QX" in shown.text for shown in telegram.chats.of()))
            ended = await mneme.stop()
        shown = " ".join(message.text for message in telegram.chats.of())
        async with started(home, "run", environment=ENVIRONMENT) as mneme:
            await telegram.until(
                lambda: all(any(mark in shown.text for shown in telegram.chats.of()) for mark in marks)
            )
            again = await mneme.stop()

    assert (ended, again) == (0, 0)
    assert [sum(mark in shown.text for shown in telegram.chats.of()) for mark in marks] == [1] * len(marks)
    assert not all(mark in shown for mark in marks)
