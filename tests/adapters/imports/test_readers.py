"""Readers of exported conversations: what each format says, and a clear error for what is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.imports.formats import looks_exported
from adapters.imports.messengers import read_chatgpt, read_claude, read_discord, read_jsonl, read_messenger
from adapters.imports.telegram import read_telegram
from adapters.imports.whatsapp import read_whatsapp
from bot.errors import ImportRefused
from bot.ports.transfer import LeftOut, Read, Speaks
from tests.adapters.imports.exports import list_messages, telegram, write
from tests.cases import each_row

Json = Any  # an export as it stands in its file


def test_a_chat_of_telegram_is_read_with_authors_dates_replies_and_forwards(tmp_path: Path) -> None:
    """Texts are strings or mixed lists; service messages and messages without words are left out."""
    messages = [
        {"id": 1, "type": "service", "action": "create_group", "text": ""},
        telegram(2, ["I moved to ", {"type": "bold", "text": "Porto"}, "."], edited_unixtime="1770474700"),
        telegram(3, "Nice!", **{"from": None, "from_id": "user77", "reply_to_message_id": 2}),
        telegram(4, "The gate is B17.", forwarded_from="Vera"),
        telegram(5, "", photo="photos/1.jpg"),
        telegram(6, "At the sea", photo="photos/2.jpg"),
    ]
    export = {"name": "Trip", "type": "private_group", "id": 9, "messages": messages}
    found = list(read_telegram(write(tmp_path, export)))
    moved, nice, forward, caption = list_messages(iter(found))
    assert [each for each in found if isinstance(each, LeftOut)] == [LeftOut.SERVICE, LeftOut.PICTURE]

    assert (moved.text, moved.author, moved.author_name) == ("I moved to Porto.", "user42", "Anna")
    assert moved.said_at == datetime.fromtimestamp(1770474600, UTC)
    assert moved.edited_at == datetime.fromtimestamp(1770474700, UTC)
    assert (nice.reply_to, nice.author, nice.author_name) == (moved.source, "user77", "")
    assert forward.forwarded_from == "Vera"
    assert (caption.text, caption.attachment) == ("At the sea", "photo")


def test_an_account_of_telegram_holds_many_chats(tmp_path: Path) -> None:
    """Each message is told of its own chat; one that says its name behind its messages loses the name alone."""
    chats = [
        {"name": "Vera", "type": "personal_chat", "id": 1, "messages": [telegram(1, "one")]},
        {"type": "saved_messages", "id": 2, "messages": [telegram(1, "two")]},
        {"name": "Trip", "type": "private_group", "id": 3, "messages": [telegram(1, "three")]},
    ]
    export = {"about": "x", "personal_information": {"user_id": 42}, "chats": {"about": "y", "list": chats}}
    read = list_messages(read_telegram(write(tmp_path, export)))

    assert [each.source for each in read] == ["telegram:1:1", "telegram:2:1", "telegram:3:1"]


@each_row(
    ("lines", "first"),
    [
        (
            "[07.02.26, 14:30:05] Anna: hi\nthere\n[13.02.26, 09:00:00] Bob: yo",
            datetime(2026, 2, 7, 14, 30, 5, tzinfo=UTC),
        ),
        (
            "2/7/26, 2:30\u202fPM - Anna: hi\nthere\n2/13/26, 9:00 AM - Bob: yo",
            datetime(2026, 2, 7, 14, 30, tzinfo=UTC),
        ),
        ("07/02/2026, 14:30 - Anna: hi\nthere\n13/02/2026, 09:00 - Bob: yo", datetime(2026, 2, 7, 14, 30, tzinfo=UTC)),
        ("2026-02-07, 14:30 - Anna: hi\nthere\n2026-02-13, 09:00 - Bob: yo", datetime(2026, 2, 7, 14, 30, tzinfo=UTC)),
        ("7. 2. 2026 14:30 - Anna: hi\nthere\n13. 2. 2026 9:00 - Bob: yo", datetime(2026, 2, 7, 14, 30, tzinfo=UTC)),
        (
            "07/02/2026 \u00e0 14:30 - Anna: hi\nthere\n13/02/2026 \u00e0 09:00 - Bob: yo",
            datetime(2026, 2, 7, 14, 30, tzinfo=UTC),
        ),
        (
            "7/2/26 2:30 p.\u00a0m. - Anna: hi\nthere\n13/2/26 9:00 a.\u00a0m. - Bob: yo",
            datetime(2026, 2, 7, 14, 30, tzinfo=UTC),
        ),
    ],
)
def test_whatsapp_is_read_in_the_styles_of_phones(tmp_path: Path, lines: str, first: datetime) -> None:
    """The file tells which number is the day; a message may have many lines."""
    read = list_messages(read_whatsapp(write(tmp_path, lines, "Trip.txt"), UTC))

    assert [(each.author, each.text) for each in read] == [("Anna", "hi\nthere"), ("Bob", "yo")]
    assert read[0].said_at == first


def test_whatsapp_without_a_day_over_twelve_is_refused(tmp_path: Path) -> None:
    """A guess would put every date wrong."""
    with pytest.raises(ImportRefused, match="day/month"):
        list(read_whatsapp(write(tmp_path, "2/7/26, 2:30 PM - Anna: hi", "x.txt"), UTC))


def test_the_branch_of_chatgpt_that_was_kept_is_read(tmp_path: Path) -> None:
    """Versions that were replaced, hidden messages and calls of tools were not said."""

    def node(name: str, parent: str | None, role: str, text: str, **more: Json) -> Json:
        said = {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "create_time": 1.0}
        return {"id": name, "parent": parent, "message": {"id": name, **said, **more}}

    nodes = [
        {"id": "root", "parent": None, "message": None},
        node("a", "root", "user", "first try"),
        node("b", "root", "user", "second try"),
        node("c", "b", "assistant", "search('x')", recipient="browser"),
        node("d", "c", "assistant", "an answer"),
    ]
    export = [{"id": "k", "title": "T", "current_node": "d", "mapping": {each["id"]: each for each in nodes}}]
    read = list_messages(read_chatgpt(write(tmp_path, export)))

    assert [(each.speaks, each.text) for each in read] == [
        (Speaks.PERSON, "second try"),
        (Speaks.ASSISTANT, "an answer"),
    ]


def test_claude_and_json_lines_are_read(tmp_path: Path) -> None:
    """Their words, with who said them and when."""
    said = {"uuid": "m", "sender": "human", "created_at": "2026-02-07T14:30:00Z", "text": "old"}
    export = [{"uuid": "k", "name": "T", "chat_messages": [{**said, "content": [{"type": "text", "text": "hi"}]}]}]
    line = {"id": 1, "chat": "c", "author": "Bob", "text": "yo", "said_at": "2026-02-07T14:30:00+00:00"}
    (claude,) = list_messages(read_claude(write(tmp_path, export)))
    (plain,) = list_messages(read_jsonl(write(tmp_path, json.dumps(line) + "\n", "x.jsonl")))

    assert (claude.text, claude.speaks, claude.said_at) == ("hi", Speaks.PERSON, plain.said_at)
    assert (plain.author, plain.speaks) == ("Bob", Speaks.PERSON)


SAID = '{"id": 1, "chat": "c", "author": "Bob", "text": "yo", "said_at": "2026-02-07T14:30:00+00:00"}'


@each_row(
    ("content", "surely"),
    [
        ({"name": "Bob", "type": "personal_chat", "id": 2, "messages": [telegram(1, "hi")]}, True),
        ([{"title": "T", "create_time": 1.0, "mapping": {}, "current_node": "d"}], True),
        ([{"uuid": "k", "chat_messages": [{"sender": "human"}]}], True),
        ("7/2/26, 14:30 - Anna: hi\nthere\n7/2/26, 14:31 - Bob: yo", True),
        (f"{SAID}\n{SAID}", True),
        ("7/2/26, 14:30 - the harbour was closed\n7/2/26, 15:30 - and opened", False),
        ("My diary: I met Anna.\nBob: yo", False),
        ({"messages": ["saved", "sent"]}, False),
        ([{"mapping": {"a": 1}}], False),
        ('{"port": 80}', False),
        ("PK\x03\x04 no zip at all", False),
        ("", False),
    ],
)
def test_a_file_is_taken_for_an_export_only_where_it_surely_is_one(
    tmp_path: Path, content: Json, *, surely: bool
) -> None:
    """Whoever sends notes or settings wants them read, not imported."""
    assert looks_exported(write(tmp_path, content, "file")) is surely


READERS: tuple[Callable[[Path], Iterator[Read]], ...] = (
    read_telegram, read_chatgpt, read_claude, read_discord, read_messenger,
)  # fmt: skip


@each_row("reader", READERS)
@each_row(
    "content",
    [
        b'{"name": "x", "messages": [{"id": 1, "te',
        b"not json",
        b"",
        '{"a": 1}'.encode("utf-16"),
        b'{"name": "\xff\xfe", "messages": []}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
    ],
)
def test_a_hostile_file_gets_a_clear_error(
    tmp_path: Path, reader: Callable[[Path], Iterator[Read]], content: bytes
) -> None:
    """It says which file and why, and neither fills memory nor ends the program."""
    path = tmp_path / "export.json"
    path.write_bytes(content)

    with pytest.raises(ImportRefused, match=r"export\.json"):
        list(reader(path))
