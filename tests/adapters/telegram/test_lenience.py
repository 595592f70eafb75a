"""Odd updates: nothing fails, nobody waits, and an allowed user's text comes through."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from adapters.telegram.updates import BotIdentity, Ignored, read_update
from bot.messages import InboundMessage, MessageKind
from harness.fakes.telegram import FakeTelegram
from tests.adapters.telegram.fakes import ANNA, STRANGER, Journal, receiver_for, running
from tests.cases import each_row

US = BotIdentity(42, "mneme_bot", frozenset({"new"}))
NOW = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)
USER = {"id": ANNA, "is_bot": False, "first_name": "Anna", "last_name": "B", "language_code": "en"}
OTHER = {"id": 9, "is_bot": False, "first_name": "Eve", "username": "eve"}
FILE = {"file_id": "f", "file_unique_id": "u", "width": 1, "height": 1}
PATHS_OF_OLD: tuple[str, ...] = ("forward_from", "forward_sender_name", "forward_date", "forward_from_chat")

RICH: dict[str, Any] = {  # Any: JSON
    "message_id": 5,
    "message_thread_id": 3,
    "is_topic_message": True,
    "date": 1_770_000_000,
    "edit_date": 1_770_000_001,
    "chat": {"id": ANNA, "type": "private", "first_name": "Anna"},
    "from": USER,
    "sender_chat": {"title": "Club", "type": "supergroup"},
    "text": "My sister Vera lives in Porto, @mneme_bot.",
    "entities": [{"type": "mention", "offset": 31, "length": 10}, {"type": "custom_emoji", "offset": 0, "length": 2}],
    "caption": "caption",
    "caption_entities": [{"type": "text_mention", "offset": 0, "length": 2, "user": OTHER}],
    "quote": {"text": "second.", "position": 7, "entities": [{"type": "bold", "offset": 0, "length": 1}]},
    "reply_to_message": {
        "message_id": 4, "date": 1, "chat": {"id": ANNA, "type": "private"}, "from": OTHER, "text": "first. second.",
        "sticker": FILE | {"type": "regular"}, "forum_topic_created": None,
    },
    "external_reply": {"origin": {"type": "hidden_user", "date": 1, "sender_user_name": "Eve"}},
    "forward_origin": {"type": "user", "date": 1, "sender_user": OTHER},
    "via_bot": {"id": 8, "is_bot": True, "first_name": "Gif", "username": "gif"},
    "sticker": FILE | {"type": "regular", "is_animated": False, "is_video": False},
    "photo": [FILE],
    "media_group_id": "99",
    "link_preview_options": {"is_disabled": True},
    "brand_new_content": {"of": ["another", {"version": 11}]},
}  # fmt: skip
STRANGE: tuple[Any, ...] = (  # Any: JSON of every kind
    "brand_new", "", "\ud83d\0", 5, -1, 0, 2**70, -(2**63), 1.5, float("nan"), None, False,
    [], [None], [[[]]], {}, {"id": "x"}, {"type": 3},
)  # fmt: skip
NEEDED = {("text",), ("chat",), ("chat", "id"), ("from",), ("from", "id")}


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # Any: JSON and its keys
    """Yield the way to every field of a JSON value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield (*path, key)
        yield from paths(inner, (*path, key))


def changed(path: tuple[Any, ...], value: Any = ..., *, of: dict[str, Any] = RICH) -> dict[str, Any]:  # Any: JSON
    """Return the message with one field replaced, or taken out."""
    message = copy.deepcopy(of)
    at: Any = message
    for key in path[:-1]:
        at = at[key]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return message


@each_row("path", [path for path in paths(RICH) if path not in NEEDED])
def test_no_other_field_costs_the_text(path: tuple[Any, ...]) -> None:
    """With text, chat id and author id there, any other field may be missing, unknown or of any type."""
    for value in (..., *STRANGE):
        message = read_update({"update_id": 1, "message": changed(path, value)}, US, NOW)

        assert isinstance(message, InboundMessage), (path, value, message)
        assert "My sister Vera lives in Porto" in message.text
        assert (message.author.id, message.address.chat_id) == (ANNA, ANNA)


@each_row("name", ["forward_origin", *PATHS_OF_OLD])
def test_a_forward_of_any_kind_is_foreign_text(name: str) -> None:
    """An origin that cannot be read still says that the text is somebody else's."""
    for value in (value for value in STRANGE if value is not None):
        message = read_update({"update_id": 1, "message": changed((name,), value, of=without_marks())}, US, NOW)

        assert isinstance(message, InboundMessage)
        assert message.forwarded_from


def without_marks() -> dict[str, Any]:  # Any: JSON
    """Return the message as its author's own."""
    return {key: value for key, value in RICH.items() if key not in {"forward_origin", "via_bot"}}


@each_row("kind", ["message", "edited_message", "callback_query", "my_chat_member", "brand_new"])
def test_reading_never_fails(kind: str) -> None:
    """Several fields at once, the needed ones too, in every kind of update: a message or a reason, never an error."""
    pick = random.Random(7)
    query = {"id": "1", "from": USER, "chat_instance": "1", "data": "forget:7", "message": RICH}
    every = sorted({path for base in (RICH, query) for path in paths(base)}, key=str)
    for _ in range(150):
        body: Any = copy.deepcopy(query if kind == "callback_query" else RICH)  # Any: JSON
        for path in pick.sample(every, 4):
            try:
                body = changed(path, pick.choice((..., *STRANGE)), of=body)
            except (KeyError, TypeError, IndexError):
                continue  # an earlier change took this field away
        outcome = read_update({"update_id": 1, kind: pick.choice((body, body, body, pick.choice(STRANGE)))}, US, NOW)

        assert isinstance(outcome, (InboundMessage, Ignored)), outcome


async def test_a_stranger_delays_nobody(telegram: FakeTelegram) -> None:
    """A stranger's updates of every shape are taken once each; what an allowed user wrote after them is accepted."""
    journal = Journal()
    strange = [
        changed(path, value, of=RICH | {"from": OTHER | {"id": STRANGER}, "chat": {"id": STRANGER, "type": "private"}})
        for path in (
            ("forward_origin", "type"),
            ("sticker", "type"),
            ("entities", 0, "type"),
            ("date",),
            ("chat", "type"),
        )
        for value in STRANGE
        if value == value  # noqa: PLR0124 - JSON over HTTP has no NaN
    ]
    ids = [await telegram.push({"message": message}) for message in strange]
    await telegram.says("still there?", user=ANNA)
    async with running(receiver_for(telegram, journal)) as receiver:
        await telegram.until(lambda: journal.accepted)
        await telegram.until(lambda: len(telegram.updates.confirmed) == len(ids) + 1)

    assert journal.texts == ["still there?"]
    assert {telegram.updates.given.count(update_id) for update_id in ids} == {1}
    assert receiver.trouble == ""


async def test_an_allowed_users_text_survives_an_unknown_origin(telegram: FakeTelegram) -> None:
    """A forward of a kind that Telegram invented yesterday is accepted, as somebody else's words."""
    journal = Journal()
    async with running(receiver_for(telegram, journal)):
        await telegram.says("lives in Porto", user=ANNA, forward_origin={"type": "brand_new_origin"})
        await telegram.says("sticker", user=ANNA, sticker={"type": "brand_new"})
        await telegram.until(lambda: len(journal.accepted) == 2)

    assert [(m.text, m.forwarded_from, m.kind) for m in journal.accepted] == [
        ("lives in Porto", "unknown", MessageKind.TEXT),
        ("sticker", None, MessageKind.UNSUPPORTED),
    ]
