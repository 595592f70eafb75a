"""The fake itself: it must be at least as strict as the server it stands for."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from harness.fakes.telegram import FakeTelegram, Fault, SentFile, ViolationsSeen
from harness.fakes.telegram.description import Description, Models, published

GROUP = -100123
_NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""The fake speaks plain HTTP; reading certificates would take most of the time."""
ROOT = Path(__file__).parents[3]


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    """Give a fake that rules are broken against on purpose."""
    async with FakeTelegram(forgiving=True) as fake:
        yield fake


async def form(telegram: FakeTelegram, method: str, **params: str) -> httpx.Response:
    """Call a method as aiogram does: with a form."""
    async with httpx.AsyncClient(verify=_NO_AUTHORITIES) as client:
        return await client.post(f"{telegram.url}/bot{telegram.token}/{method}", data=params)


async def call(telegram: FakeTelegram, method: str, **params: Any) -> httpx.Response:  # Any: JSON
    """Call a method of the Bot API."""
    async with httpx.AsyncClient(verify=_NO_AUTHORITIES) as client:
        return await client.post(f"{telegram.url}/bot{telegram.token}/{method}", json=params)


@pytest.mark.parametrize(
    ("text", "entities", "description"),
    [
        ("", [], "message text is empty"),
        (" \n", [], "message text is empty"),
        ("x" * 4097, [], "message is too long"),
        ("😀" * 2049, [], "message is too long"),
        ("abc", [("bold", 0, 4)], "ENTITY_BOUNDS_INVALID"),
        ("😀", [("bold", 1, 1)], "inside a UTF-16 symbol"),
        ("abcd", [("bold", 0, 3), ("italic", 2, 2)], "overlap in part"),
        ("abcd", [("bold", 0, 4), ("code", 1, 2)], "code and pre stand alone"),
        ("abcd", [("blockquote", 0, 4), ("blockquote", 1, 2)], "one of its kind"),
        ("x" * 101, [("bold", at, 1) for at in range(101)], "too many"),
        ("ab", [("blink", 0, 1)], "unknown entity"),
        (" ab", [("bold", 1, 1)], "offsets would move"),
    ],
)
async def test_wrong_texts_are_refused(
    telegram: FakeTelegram, text: str, entities: list[tuple[str, int, int]], description: str
) -> None:
    """Length in UTF-16 units, bounds and nesting of entities are checked."""
    telegram.chats.meet(7)
    listed = [{"type": kind, "offset": offset, "length": length} for kind, offset, length in entities]
    answer = await call(telegram, "sendMessage", chat_id=7, text=text, entities=listed)

    assert answer.status_code == 400
    assert description in answer.json()["description"]


async def test_updates_are_given_until_they_are_confirmed(telegram: FakeTelegram) -> None:
    """The same offset gives the same updates; the next one confirms them."""
    first = await telegram.says("one", user=7)
    second = await telegram.says("two", user=7)
    batches = [
        [update["update_id"] for update in (await call(telegram, "getUpdates", **params)).json()["result"]]
        for params in ({}, {"offset": first}, {"offset": second}, {"offset": second + 1}, {})
    ]

    assert batches == [[first, second], [first, second], [second], [], []]


async def test_a_second_poller_ends_the_first(telegram: FakeTelegram) -> None:
    """Of two that wait the older one hears of the conflict; with a webhook set nobody may poll."""
    older = asyncio.create_task(call(telegram, "getUpdates", timeout=5))
    await telegram.until(lambda: telegram.calls)
    younger = asyncio.create_task(call(telegram, "getUpdates", timeout=5))
    conflict = await older
    await telegram.says("hello", user=7)
    answer = await younger
    await call(telegram, "setWebhook", url="https://x.y")
    hooked = await call(telegram, "getUpdates")

    assert (conflict.status_code, answer.status_code, hooked.status_code) == (409, 200, 409)


async def test_a_chat_has_a_message_a_second_with_a_small_burst(telegram: FakeTelegram) -> None:
    """Three at once pass, the fourth is one too many; another chat is not concerned."""
    messages, period = telegram.floods.chat
    telegram.floods.chat = (messages, 1000.0)  # a busy machine takes longer than a second for four
    telegram.chats.meet(7)
    telegram.chats.meet(8)
    codes = [(await call(telegram, "sendMessage", chat_id=7, text="x")).status_code for _ in range(3)]
    fourth = await call(telegram, "sendMessage", chat_id=7, text="x")
    other = await call(telegram, "sendMessage", chat_id=8, text="x")

    assert codes == [200, 200, 200]
    assert (messages, period) == (1, 1.0)
    assert fourth.status_code == 429
    assert 1 <= fourth.json()["parameters"]["retry_after"] <= 1000
    assert other.status_code == 200
    assert telegram.floods.refused == 1


async def test_all_chats_have_thirty_calls_a_second(telegram: FakeTelegram) -> None:
    """Sends, edits and "typing…" count together; the one too many is refused and the busiest second is known."""
    telegram.floods.overall = (30, 3600.0)
    for chat in range(1, 32):
        telegram.chats.meet(chat)
    sent = [(await call(telegram, "sendMessage", chat_id=chat, text="x")).status_code for chat in range(1, 30)]
    typing = [(await call(telegram, "sendChatAction", chat_id=1, action="typing")).status_code for _ in range(2)]

    assert set(sent) == {200}
    assert typing == [200, 429]
    assert 1 <= telegram.floods.busiest <= 31


async def test_a_group_has_twenty_messages_a_minute(telegram: FakeTelegram) -> None:
    """The twenty-first has to wait for the rest of the minute."""
    telegram.floods.chat = (1000, 0.001)
    telegram.chats.meet(GROUP)
    codes = [(await call(telegram, "sendMessage", chat_id=GROUP, text="x")).status_code for _ in range(20)]
    over = await call(telegram, "sendMessage", chat_id=GROUP, text="x")

    assert set(codes) == {200}
    assert 30 < over.json()["parameters"]["retry_after"] <= 60


async def test_the_rates_can_be_switched_off(telegram: FakeTelegram) -> None:
    """A test of something else sends as fast as it likes."""
    telegram.floods.enforced = False
    telegram.chats.meet(7)
    codes = [(await call(telegram, "sendMessage", chat_id=7, text="x")).status_code for _ in range(6)]

    assert set(codes) == {200}


_LABEL = {"text": "a"}
_WRONG: list[tuple[str, dict[str, Any]]] = [
    ("sendMessage", {"chat_id": 7}),
    ("sendMessage", {"chat_id": 7, "text": "x", "colour": "red"}),
    ("sendMessage", {"chat_id": 7, "text": 12}),
    ("sendMessage", {"chat_id": [7], "text": "x"}),
    ("sendMessage", {"chat_id": 7, "text": "x", "entities": [{"type": "bold", "offset": "a", "length": 1}]}),
    ("sendMessage", {"chat_id": 7, "text": "x", "entities": [{"type": "bold", "offset": 0}]}),
    ("sendMessage", {"chat_id": 7, "text": "x", "link_preview_options": {"disabled": True}}),
    ("sendMessage", {"chat_id": 7, "text": "x", "link_preview_options": "no"}),
    ("sendMessage", {"chat_id": 7, "text": "x", "reply_parameters": {"allow_sending_without_reply": True}}),
    ("sendMessage", {"chat_id": 7, "text": "x", "parse_mode": "MarkdownV2"}),
    ("sendMessage", {"chat_id": 7, "text": "x", "reply_markup": {"inline_keyboard": [_LABEL]}}),
    ("sendMessage", {"chat_id": 7, "text": "x", "reply_markup": {"inline_keyboard": [[_LABEL]]}}),
    ("sendMessage", {"chat_id": 7, "text": "x", "reply_markup": {"inline_keyboard": [[_LABEL | {"url": 1}]]}}),
    (
        "sendMessage",
        {"chat_id": 7, "text": "x", "reply_markup": {"inline_keyboard": [[_LABEL | {"callback_data": "x" * 65}]]}},
    ),
    (
        "sendMessage",
        {
            "chat_id": 7,
            "text": "x",
            "reply_markup": {"inline_keyboard": [[_LABEL | {"callback_data": "x", "url": "https://x.y"}]]},
        },
    ),
    (
        "sendMessage",
        {"chat_id": 7, "text": "x", "reply_markup": {"inline_keyboard": [[_LABEL | {"callback_data": "x"}] * 9]}},
    ),
    ("editMessageText", {"chat_id": 7, "message_id": "first", "text": "x"}),
    ("editMessageText", {"chat_id": 7, "text": "x"}),
    ("sendMessageDraft", {"chat_id": 7, "text": "x"}),
    ("sendMessageDraft", {"chat_id": 7, "draft_id": 0, "text": "x"}),
    ("sendMessageDraft", {"chat_id": -100123, "draft_id": 1, "text": "x"}),
    ("answerCallbackQuery", {"callback_query_id": "1", "text": "x" * 201}),
    ("answerCallbackQuery", {}),
    ("setMyCommands", {"commands": [{"command": "New", "description": "x"}]}),
    ("setMyCommands", {"commands": [{"command": "x" * 33, "description": "x"}]}),
    ("setMyCommands", {"commands": [{"command": "new", "description": ""}]}),
    ("setMyCommands", {"commands": [{"command": "new", "description": "x" * 257}]}),
    ("setMyCommands", {"commands": [{"command": f"c{number}", "description": "x"} for number in range(101)]}),
    ("setMyCommands", {"commands": [], "language_code": "english"}),
    ("setWebhook", {"url": "http://x.y"}),
    ("setWebhook", {"url": "https://x.y:8080"}),
    ("setWebhook", {"url": "https://x.y", "secret_token": "ä"}),
    ("sendPhoto", {"chat_id": 7, "photo": "id", "caption": "x" * 1025}),
    ("sendDocument", {"chat_id": 7, "document": "an-id"}),
    ("sendDocument", {"chat_id": 7, "document": "attach://nothing"}),
    ("sendDocument", {"chat_id": 7, "document": "attach://x", "caption": "x" * 1025}),
    ("setMessageReaction", {"chat_id": 7, "message_id": 1, "reaction": [{"type": "emoji", "emoji": "🧀"}]}),
    ("setMessageReaction", {"chat_id": 7, "message_id": 1, "reaction": [{"type": "paid"}]}),
    ("setMessageReaction", {"chat_id": 7, "message_id": 1, "reaction": [{"type": "emoji", "emoji": "👍"}] * 2}),
    ("setMyDescription", {"description": "x", "language_code": "english"}),
    ("sendEverything", {}),
]
_BY_DESCRIPTION_ALONE: list[tuple[str, dict[str, Any]]] = [
    ("sendChatAction", {"chat_id": 7, "action": "dancing"}),
    ("getUpdates", {"limit": 101}),
    ("setMyDescription", {"description": "x" * 513}),
    ("setMyShortDescription", {"short_description": "x" * 121}),
    ("sendMessageDraft", {"chat_id": 7, "draft_id": 1, "text": "x" * 4097}),
    ("setWebhook", {"url": "https://x.y", "max_connections": 101}),
    ("setMyCommands", {"commands": [], "scope": {"type": "everybody"}}),
]


def judges() -> list[Description | Models]:
    """Return whoever can judge here: aiogram's models, and the published description where the file is."""
    return [Models(), *([described] if (described := published()) is not None else [])]


@pytest.mark.parametrize("judge", judges())
@pytest.mark.parametrize(("method", "params"), _WRONG)
async def test_what_no_client_may_send_is_a_violation(
    telegram: FakeTelegram, judge: Description | Models, method: str, params: dict[str, Any]
) -> None:
    """Fields, types, lengths, keyboards, commands: refused and kept, whichever of the two judges."""
    telegram.judge = judge
    telegram.chats.meet(7)
    answer = await call(telegram, method, **params)

    assert answer.status_code in {400, 404}
    assert [violation.method for violation in telegram.violations] == [method]


@pytest.mark.skipif(published() is None, reason="the published description is not at hand")
@pytest.mark.parametrize(("method", "params"), _BY_DESCRIPTION_ALONE)
async def test_ranges_and_fixed_words_are_those_published(
    telegram: FakeTelegram, method: str, params: dict[str, Any]
) -> None:
    """What the description says in words is enforced, too."""
    telegram.chats.meet(7)
    answer = await call(telegram, method, **params)

    assert answer.status_code == 400
    assert [violation.method for violation in telegram.violations] == [method]


async def test_a_violation_fails_the_test_that_saw_it() -> None:
    """Leaving the fake raises, unless it is forgiving; an error of the test itself is not hidden."""
    with pytest.raises(ViolationsSeen, match="message text is empty"):
        async with FakeTelegram() as telegram:
            await call(telegram, "sendMessage", chat_id=7, text="")

    async def fails_by_itself() -> None:
        async with FakeTelegram() as telegram:
            await call(telegram, "sendMessage", chat_id=7, text="")
            raise KeyError

    with pytest.raises(KeyError):
        await fails_by_itself()


async def test_forms_are_read_as_the_declared_types_say(telegram: FakeTelegram) -> None:
    """A form carries everything as text: digits stay text where text is declared, JSON is parsed."""
    telegram.chats.meet(7)
    right = await form(
        telegram, "sendMessage", chat_id="7", text="12", entities='[{"type":"bold","offset":0,"length":2}]'
    )
    wrong = await form(telegram, "editMessageText", chat_id="7", message_id="x", text="12")

    assert right.json()["result"]["text"] == "12"
    assert wrong.status_code == 400
    assert [violation.method for violation in telegram.violations] == ["editMessageText"]


async def test_a_group_migrates(telegram: FakeTelegram) -> None:
    """The old id is refused and names the new one; both chats get a service message."""
    await telegram.says("hello", user=7, chat=-500)
    new = await telegram.migrates(-500)
    old = (await call(telegram, "sendMessage", chat_id=-500, text="x")).json()
    there = await call(telegram, "sendMessage", chat_id=new, text="x")
    updates = (await call(telegram, "getUpdates")).json()["result"]

    assert (old["error_code"], old["parameters"]) == (400, {"migrate_to_chat_id": new})
    assert there.status_code == 200
    assert updates[1]["message"]["migrate_to_chat_id"] == new
    assert (updates[2]["message"]["migrate_from_chat_id"], updates[2]["message"]["chat"]["id"]) == (-500, new)
    assert updates[1]["message"]["chat"]["type"] == "group"


async def test_topics_close_and_open(telegram: FakeTelegram) -> None:
    """A closed topic refuses messages until it is opened again."""
    telegram.chats.meet(GROUP, 3)
    telegram.close_topic(GROUP, 3)
    closed = await call(telegram, "sendMessage", chat_id=GROUP, message_thread_id=3, text="x")
    telegram.close_topic(GROUP, 3, opened=True)
    opened = await call(telegram, "sendMessage", chat_id=GROUP, message_thread_id=3, text="x")

    assert closed.json()["description"] == "Bad Request: TOPIC_CLOSED"
    assert opened.status_code == 200


async def test_presses_get_too_old(telegram: FakeTelegram) -> None:
    """Only a press that is known and fresh can be answered; neither is a violation."""
    telegram.chats.meet(7)
    await call(telegram, "sendMessage", chat_id=7, text="x")
    await telegram.presses("data", user=7, shown=telegram.chats.of(7)[0])
    fresh = await call(telegram, "answerCallbackQuery", callback_query_id="1")
    telegram.expire_queries()
    old = await call(telegram, "answerCallbackQuery", callback_query_id="1")

    assert fresh.status_code == 200
    assert "query is too old" in old.json()["description"]
    assert telegram.violations == []


async def test_who_blocks_the_bot_cannot_be_written_to(telegram: FakeTelegram) -> None:
    """403 and an update, and the same the other way round; a group that threw it out likewise."""
    telegram.chats.meet(7)
    await telegram.blocks(7)
    blocked = await call(telegram, "sendMessage", chat_id=7, text="x")
    await telegram.unblocks(7)
    again = await call(telegram, "sendMessage", chat_id=7, text="x")
    await telegram.adds_bot(GROUP, user=7)
    await telegram.removes_bot(GROUP, user=7)
    kicked = await call(telegram, "sendMessage", chat_id=GROUP, text="x")
    updates = (await call(telegram, "getUpdates")).json()["result"]

    assert (blocked.status_code, again.status_code, kicked.status_code) == (403, 200, 403)
    assert [update["my_chat_member"]["new_chat_member"]["status"] for update in updates] == [
        *("kicked", "member", "member", "kicked"),
    ]


async def test_replies_need_what_they_reply_to(telegram: FakeTelegram) -> None:
    """A reference to nothing is refused, unless the message may go without it."""
    await telegram.says("hello", user=7, message_id=55)
    known = await call(telegram, "sendMessage", chat_id=7, text="a", reply_parameters={"message_id": 55})
    unknown = await call(telegram, "sendMessage", chat_id=7, text="b", reply_parameters={"message_id": 56})
    lenient = {"message_id": 56, "allow_sending_without_reply": True}
    anyway = await call(telegram, "sendMessage", chat_id=7, text="c", reply_parameters=lenient)

    assert (known.status_code, unknown.status_code, anyway.status_code) == (200, 400, 200)
    assert [shown.reply_to for shown in telegram.chats.of(7)] == [55, None]
    assert telegram.violations == []


async def test_edits_that_change_nothing_or_find_nothing_are_refused(telegram: FakeTelegram) -> None:
    """Each in the server's own words; those that changed nothing are counted."""
    telegram.chats.meet(7)
    sent = (await call(telegram, "sendMessage", chat_id=7, text="x")).json()["result"]["message_id"]
    same = await call(telegram, "editMessageText", chat_id=7, message_id=sent, text="x")
    telegram.chats.delete(7, sent)
    gone = await call(telegram, "editMessageText", chat_id=7, message_id=sent, text="y")

    assert "message is not modified" in same.json()["description"]
    assert "message to edit not found" in gone.json()["description"]
    assert telegram.chats.unmodified == 1


async def test_a_draft_leaves_no_message(telegram: FakeTelegram) -> None:
    """It is seen until the message comes, and an empty one is a placeholder."""
    telegram.chats.meet(7)
    empty = await call(telegram, "sendMessageDraft", chat_id=7, draft_id=1, text="")
    await call(telegram, "sendMessageDraft", chat_id=7, draft_id=1, text="so far")
    seen = dict(telegram.chats.previews)
    await call(telegram, "sendMessage", chat_id=7, text="whole")

    assert (empty.status_code, seen, telegram.chats.previews) == (200, {7: "so far"}, {})
    assert telegram.texts(7) == ["whole"]


@pytest.mark.parametrize(
    ("fault", "status", "shown"),
    [
        (Fault.FAILED, 503, []),
        (Fault.UNREAD, 503, []),
        (Fault.FAILED_AFTER, 503, ["x"]),
        (Fault.GATEWAY, 502, []),
        (Fault.GARBAGE, 200, ["x"]),
        (Fault.SLOW, 200, ["x"]),
        (Fault.DROPPED, None, []),
        (Fault.DROPPED_AFTER, None, ["x"]),
        (Fault.HANGS, None, []),
    ],
)
async def test_faults_come_before_or_after(
    telegram: FakeTelegram, fault: Fault, status: int | None, shown: list[str]
) -> None:
    """Each fault answers as ordered, with or without the message in its chat; the next call is whole again."""
    telegram.chats.meet(7)
    telegram.fail("sendMessage", fault, seconds=0.05, code=503)
    try:
        answered: int | None = (await call(telegram, "sendMessage", chat_id=7, text="x")).status_code
    except httpx.TransportError:
        answered = None
    after = telegram.texts(7)
    again = await call(telegram, "sendMessage", chat_id=7, text="y")

    assert (answered, after) == (status, shown)
    assert again.status_code == 200


async def test_it_can_be_away(telegram: FakeTelegram) -> None:
    """Connections are refused for a while, and everything is there when it is back."""
    telegram.chats.meet(7)
    async with telegram.away():
        with pytest.raises(httpx.ConnectError):
            await call(telegram, "getMe")
    back = await call(telegram, "sendMessage", chat_id=7, text="x")

    assert back.status_code == 200


async def test_only_kinds_of_updates_that_were_asked_for_come(telegram: FakeTelegram) -> None:
    """``allowed_updates`` is a filter; what it left out is known."""
    await telegram.says("hello", user=7)
    await telegram.blocks(7)
    given = (await call(telegram, "getUpdates", allowed_updates=["message"])).json()["result"]

    assert [sorted(update) for update in given] == [["message", "update_id"]]
    assert [sorted(update) for update in telegram.updates.unwanted] == [["my_chat_member", "update_id"]]


async def test_chats_write_in_their_own_name(telegram: FakeTelegram) -> None:
    """An anonymous admin writes as the group, a channel's post as the channel."""
    await telegram.says_as_chat("one", chat=GROUP)
    await telegram.says_as_chat("two", chat=GROUP, sender_chat=-100777)
    given = [update["message"] for update in (await call(telegram, "getUpdates")).json()["result"]]

    assert [message["sender_chat"]["id"] for message in given] == [GROUP, -100777]
    assert [message["from"]["username"] for message in given] == ["GroupAnonymousBot", "Channel_Bot"]


@pytest.mark.skipif(published() is None, reason="the published description is not at hand")
async def test_its_own_updates_and_answers_are_as_published(telegram: FakeTelegram) -> None:
    """What the fake itself sends keeps the rules that it asks of the bot."""
    description = published()
    assert description is not None
    await telegram.says("/start @somebody_else", user=7, chat=GROUP, topic=3)
    await telegram.edits("hi", user=7, message_id=5)
    await telegram.says_as_chat("one", chat=GROUP)
    await telegram.says_as_chat("two", chat=GROUP, sender_chat=-100777)
    markup = {"inline_keyboard": [[{"text": "a", "callback_data": "b"}]]}
    shown = (await call(telegram, "sendMessage", chat_id=7, text="x", reply_markup=markup)).json()["result"]
    await telegram.presses("b", user=7, shown=telegram.chats.of(7)[0])
    await telegram.migrates(-500)
    await telegram.blocks(7)
    await telegram.adds_bot(GROUP, user=7)
    updates = (await call(telegram, "getUpdates")).json()["result"]
    problems = [problem for update in updates for problem in description.problems_of("Update", update)]

    assert len(updates) == 9
    assert problems == []
    assert description.problems_of("Message", shown) == []
    assert description.problems_of("User", (await call(telegram, "getMe")).json()["result"]) == []
    assert description.problems_of("WebhookInfo", (await call(telegram, "getWebhookInfo")).json()["result"]) == []


async def test_a_webhook_is_called_until_it_answers(telegram: FakeTelegram) -> None:
    """With its secret and in the order of the chat; what was not answered 2xx comes again, and the reason is kept."""
    statuses, heard = [500, 302, 204, 200], list[tuple[str, str]]()

    async def answer(request: web.Request) -> web.Response:
        text = (await request.json())["message"]["text"]
        heard.append((request.headers["X-Telegram-Bot-Api-Secret-Token"], text))
        return web.Response(status=statuses.pop(0))

    application = web.Application()
    application.add_routes([web.post("/hook", answer)])
    async with TestServer(application) as server:
        telegram.webhooks.proxy = f"http://127.0.0.1:{server.port}"
        await call(telegram, "setWebhook", url="https://x.y/hook", secret_token="s", allowed_updates=["message"])
        await telegram.says("one", user=7)
        await telegram.edits("unwanted", user=7, message_id=1)
        await telegram.says("two", user=7)
        await telegram.until(lambda: telegram.updates.unwanted and telegram.updates.confirmed)
        await telegram.until(lambda: not telegram.updates.pending)
        info = (await call(telegram, "getWebhookInfo")).json()["result"]
        await call(telegram, "deleteWebhook")
        await telegram.says("three", user=7)
        polled = (await call(telegram, "getUpdates")).json()["result"]

    assert heard == [("s", "one")] * 3 + [("s", "two")]
    assert telegram.webhooks.answers == [500, 302, 204, 200]
    assert info["last_error_message"] == "Wrong response from the webhook: 302 Found"
    assert [update["message"]["text"] for update in polled] == ["three"]
    assert (described := published()) is None or described.problems_of("WebhookInfo", info) == []


async def test_a_webhook_without_answers_is_called_again(telegram: FakeTelegram) -> None:
    """Nobody listens, or the answer gets lost: both are no answer."""
    telegram.webhooks.put_proxy()
    await call(telegram, "setWebhook", url="https://x.y")
    await telegram.says("one", user=7)
    await telegram.until(lambda: len(telegram.webhooks.answers) > 1)
    info = (await call(telegram, "getWebhookInfo")).json()["result"]

    assert set(telegram.webhooks.answers) == {0}
    assert (info["last_error_message"], info["pending_update_count"]) == ("Connection refused", 1)


async def test_uploads_are_held_to_the_rules(telegram: FakeTelegram) -> None:
    """A file has a name and content, is named by its field, stands in a chat and a topic that are there."""
    telegram._forgiving = True
    telegram.chats.meet(7)
    url, field = f"{telegram.url}/bot{telegram.token}/sendDocument", {"document": "attach://f"}
    async with httpx.AsyncClient() as client:

        async def sends(file: tuple[str, bytes], **fields: object) -> int:
            data = {"chat_id": 7, **field, **fields}
            return (await client.post(url, data=data, files={"f": file})).status_code

        good = await sends(("a.md", b"x"))
        wrong = [
            await sends(("a.md", b"")),
            await sends(("a.md", b"x"), document="attach://g"),
            await sends(("a.md", b"x"), message_thread_id=99),
            await sends(("a.md", b"x"), chat_id=8),
            await sends(("a.md", b"x"), caption="x", caption_entities='[{"type": "bold", "offset": 0, "length": 9}]'),
        ]
        stray = (
            await client.post(
                f"{telegram.url}/bot{telegram.token}/sendMessage", data={"chat_id": 7, "text": "x"}, files={"f": b"x"}
            )
        ).status_code

    assert good == 200
    assert set(wrong) == {400}
    assert stray == 400
    [shown] = telegram.chats.of(7)
    assert shown.file == SentFile("a.md", b"x")
