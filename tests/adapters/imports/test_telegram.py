"""Exports of Telegram Desktop of any year: what they hold of words comes in, and the rest is counted."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from adapters.imports.telegram import read_telegram
from bot.ports.transfer import LeftOut
from tests.adapters.imports.exports import Json, list_left_out, list_messages, telegram, write


def chat(*messages: Json) -> Json:
    return {"name": "Trip", "type": "private_group", "id": 9, "messages": list(messages)}


def test_an_export_of_2019_is_read_with_its_authors_and_local_times(tmp_path: Path) -> None:
    """Until 2021 ids were numbers (with the kind above bit 32) and dates stood in the time of the machine alone."""
    old = [
        {"id": number, "type": "message", "date": "2019-07-01T12:00:00", "from": "Anna", "from_id": who, "text": "hi"}
        for number, who in enumerate((42, (1 << 32) + 7, (2 << 32) + 8, 5_000_000_000 << 8, None), 1)
    ]
    read = list_messages(read_telegram(write(tmp_path, chat(*old)), ZoneInfo("Europe/Berlin")))

    assert [each.author for each in read] == ["user42", "chat7", "channel8", "user1280000000000", "Anna"]
    assert {each.said_at for each in read} == {datetime(2019, 7, 1, 10, tzinfo=UTC)}


def test_control_characters_as_telegram_writes_them_are_read_wherever_a_piece_ends(tmp_path: Path) -> None:
    r"""Telegram Desktop writes ``\x0B``, which is no JSON; an x behind an escaped backslash is two characters."""
    export = json.dumps(chat(telegram(1, "@")))
    for more in range(7_950, 8_200):
        text = export.replace("@", "a" * more + r"b\x0Bc\x1F\\x41d\u0041")
        (read,) = list_messages(read_telegram(write(tmp_path, text)))

        assert read.text == "a" * more + "b\x0bc\x1f\\x41dA"


def test_control_characters_as_they_are_become_spaces(tmp_path: Path) -> None:
    """A file that another program has passed on may hold them."""
    (read,) = list_messages(read_telegram(write(tmp_path, json.dumps(chat(telegram(1, "a@b"))).replace("@", "\x01"))))

    assert read.text == "a b"


def test_what_has_words_is_kept_as_words(tmp_path: Path) -> None:
    """Polls, places, contacts, games, invoices, songs; the invoice's object is written as a text."""
    said: dict[str, Json] = {
        "Dinner?\n- Pasta\n- Fish": {
            "poll": {"question": "Dinner?", "closed": False, "answers": [{"text": "Pasta"}, {"text": "Fish"}]}
        },
        "Café Lua\nRua Nova 3\ngeo:41.1,-8.6": {
            "place_name": "Café Lua",
            "address": "Rua Nova 3",
            "location_information": {"latitude": 41.1, "longitude": -8.6},
        },
        "geo:1.0,2.0": {"location_information": {"latitude": 1.0, "longitude": 2.0}},
        "Vera Lind +351 900": {
            "contact_information": {"first_name": "Vera", "last_name": "Lind", "phone_number": "+351 900"}
        },
        "Chess\nA classic": {"game_title": "Chess", "game_description": "A classic"},
        "Ticket\nTo Porto": {
            "invoice_information": json.dumps({"title": "Ticket", "description": "To Porto", "amount": 3})
        },
        "Amália – Lisboa": {
            "media_type": "audio_file",
            "file": "a.mp3",
            "performer": "Amália",
            "title": "Lisboa",
        },
    }
    messages = [telegram(number, "", **more) for number, more in enumerate(said.values())]
    read = list_messages(read_telegram(write(tmp_path, chat(*messages))))

    assert [each.text for each in read] == list(said)
    assert [each.attachment for each in read] == [
        "poll", "location", "location", "contact", "game", "invoice", "audio_file",
    ]  # fmt: skip


def test_what_has_no_words_is_counted_by_its_kind(tmp_path: Path) -> None:
    """Nothing is dropped without being counted; a kind of a later version of Telegram is a file."""
    kinds: dict[LeftOut, Json] = {
        LeftOut.PICTURE: {"photo": "a.jpg"},
        LeftOut.VOICE: {"media_type": "voice_message", "file": "a.ogg"},
        LeftOut.VIDEO: {"media_type": "video_message", "file": "a.mp4"},
        LeftOut.STICKER: {"media_type": "sticker", "sticker_emoji": "🙂", "file": "a.webp"},
        LeftOut.FILE: {"media_type": "hologram", "file": "a.holo"},
        LeftOut.NO_TEXT: {"type": "unsupported"},
        LeftOut.SERVICE: {"type": "service", "action": "edit_group_title", "title": "Trip"},
    }
    messages = [telegram(number, "", **more) for number, more in enumerate(kinds.values())]

    assert list_left_out(read_telegram(write(tmp_path, chat(*messages)))) == list(kinds)


def test_a_link_keeps_its_address(tmp_path: Path) -> None:
    """Behind its words, unless these are the address."""
    text = [
        "see ",
        {"type": "text_link", "text": "the flat", "href": "https://example.org/flat"},
        " or ",
        {"type": "text_link", "text": "https://example.org/b", "href": "https://example.org/b"},
        {"type": "custom_emoji", "text": "🙂", "document_id": "x"},
    ]
    (read,) = list_messages(read_telegram(write(tmp_path, chat(telegram(1, text)))))

    assert read.text == "see the flat (https://example.org/flat) or https://example.org/b🙂"


def test_answers_within_a_topic_belong_to_it(tmp_path: Path) -> None:
    """A message of a topic answers the topic's first message, or a message of the topic; another chat's is no quote."""
    messages = [
        {"id": 1, "type": "service", "action": "topic_created", "title": "Food"},
        telegram(2, "Pasta?", reply_to_message_id=1),
        telegram(3, "Yes.", reply_to_message_id=2),
        telegram(4, "Elsewhere.", reply_to_message_id=2, reply_to_peer_id="channel5"),
    ]
    read = list_messages(read_telegram(write(tmp_path, chat(*messages))))

    assert [each.topic for each in read][:2] == ["Food", "Food"]
    assert [each.reply_to for each in read] == ["telegram:9:1", "telegram:9:2", ""]


@pytest.mark.parametrize("chats", [{"list": [chat(telegram(1, "hi"))]}, [chat(telegram(1, "hi"))]])
def test_an_account_lists_its_chats_in_either_shape(tmp_path: Path, chats: Json) -> None:
    """With what is said about them around the list, or the list alone."""
    (read,) = list_messages(read_telegram(write(tmp_path, {"about": "x", "chats": chats})))

    assert read.source == "telegram:9:1"
