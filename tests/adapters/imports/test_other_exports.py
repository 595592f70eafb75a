"""Exports of Discord, Messenger, Instagram and Slack, zips that hold several files, and what is named instead."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.imports.formats import Format, find_format, looks_exported, open_file, read_export
from bot.errors import ImportRefused
from bot.ports.transfer import ExportedMessage, LeftOut, Read
from tests.adapters.imports.exports import Json, list_left_out, list_messages, telegram, write

NOON = datetime(2026, 2, 7, 12, tzinfo=UTC)


def pack(folder: Path, **files: Json) -> Path:
    """Write a zip of these files."""
    path = folder / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, str) else json.dumps(content))
    return path


def read(path: Path) -> tuple[Format, list[Read]]:
    file = open_file(path)
    wanted = find_format(file)
    return wanted, list(read_export(file, wanted, UTC))


def show(found: list[Read]) -> list[tuple[str, str]]:
    return [(each.author_name, each.text) for each in list_messages(found)]


def discord(number: int, content: str, **more: Json) -> Json:
    """Return one message as DiscordChatExporter writes it."""
    author = {"id": "77", "name": "anna", "discriminator": "0000", "nickname": "Anna", "isBot": False}
    when = {"timestamp": "2026-02-07T13:00:00.1234567+01:00", "timestampEdited": None}
    return {"id": str(number), "type": "Default", **when, "content": content, "author": author, **more}


def test_a_channel_of_discord_is_read(tmp_path: Path) -> None:
    """Answers, forwards and cards are words; notices, stickers and files are counted."""
    messages = [
        discord(1, "hi"),
        discord(2, "yo", type="Reply", reference={"messageId": "1", "channelId": "5"}),
        discord(3, "Anna pinned a message.", type="ChannelPinnedMessage"),
        discord(4, "", attachments=[{"fileName": "sea.png"}]),
        discord(5, "", stickers=[{"name": "Wave"}]),
        discord(6, "", forwardedMessage={"content": "The gate is B17.", "attachments": []}),
        discord(7, "", embeds=[{"title": "Build", "fields": [{"name": "Took", "value": "3 s"}]}]),
    ]
    export = {
        "guild": {"id": "9", "name": "Sea"},
        "channel": {"id": "5", "type": "GuildTextChat", "name": "trip"},
        "dateRange": {"after": None, "before": None},
        "messages": messages,
        "messageCount": 7,
    }
    wanted, found = read(write(tmp_path, export, "trip.json"))
    hi, yo, forward, card = list_messages(found)

    assert wanted is Format.DISCORD
    assert (hi.source, hi.author, hi.author_name) == ("discord:5:1", "77", "Anna")
    assert hi.said_at.replace(microsecond=0) == NOON
    assert (yo.reply_to, forward.forwarded_from, forward.text) == ("discord:5:1", "?", "The gate is B17.")
    assert card.text == "Build\nTook: 3 s"
    assert list_left_out(found) == [LeftOut.SERVICE, LeftOut.PICTURE, LeftOut.STICKER]


def messenger(text: str | None, at: int, **more: Json) -> Json:
    """Return one message as Messenger and Instagram write it: each byte of UTF-8 as a character."""
    broken = {} if text is None else {"content": text.encode().decode("latin-1")}
    return {"sender_name": "Zoë".encode().decode("latin-1"), "timestamp_ms": 1_770_465_600_000 + at, **broken, **more}


def test_messenger_and_instagram_are_read_oldest_first_with_their_letters(tmp_path: Path) -> None:
    """Each file begins with the newest message, and the first file is the newest."""
    more = {"participants": [{"name": "Zo\u00c3\u00ab"}], "title": "Zo\u00c3\u00ab", "thread_path": "inbox/zoe_1"}
    newer = [
        messenger("Привет 🙂", 4_000),
        messenger(None, 3_000, photos=[{"uri": "a.jpg"}]),
        messenger("look", 2_000, share={"link": "https://example.org"}),
        messenger("gone", 2_000, is_unsent=True),
    ]
    parts = {
        "your_activity/messages/inbox/zoe_1/message_1.json": {**more, "messages": newer},
        "your_activity/messages/inbox/zoe_1/message_2.json": {**more, "messages": [messenger("çava", 0)]},
        "notes/readme.txt": "no chat",
    }
    wanted, found = read(pack(tmp_path, **parts))

    assert wanted is Format.MESSENGER
    assert show(found) == [("Zoë", "çava"), ("Zoë", "look\nhttps://example.org"), ("Zoë", "Привет 🙂")]
    assert list_messages(found)[0].said_at == NOON
    assert sorted(list_left_out(found)) == sorted([LeftOut.PICTURE, LeftOut.SERVICE])


def test_encrypted_chats_of_messenger_are_read(tmp_path: Path) -> None:
    """They have other names, and their letters are whole."""
    said = [{"senderName": "Zoë", "text": "çava", "timestamp": 1_770_465_600_000, "type": "text", "isUnsent": False}]
    export = {"participants": ["Zoë", "Anna"], "threadName": "Zoë_1", "messages": said}
    wanted, found = read(pack(tmp_path, **{"Zoë_1.json": export}))

    assert (wanted, show(found)) == (Format.MESSENGER, [("Zoë", "çava")])


def test_a_workspace_of_slack_is_read(tmp_path: Path) -> None:
    """Names come from the list of people; links keep their addresses, threads are answers."""
    people = [
        {"id": "U1", "name": "anna", "profile": {"display_name": "Anna", "real_name": "Anna Lind"}},
        {"id": "U2", "name": "bob", "profile": {"display_name": "", "real_name": "Bob Ross"}},
    ]

    def said(ts: str, user: str, text: str, **more: Json) -> Json:
        return {"type": "message", "user": user, "text": text, "ts": ts, **more}

    days = {
        "trip/2026-02-07.json": [
            said("1770465600.000100", "U1", "hi <@U2> &amp; <!here>, see <https://example.org|the flat> in <#C9|sea>"),
            said("1770465601.000100", "U2", "<@U2> has joined", subtype="channel_join"),
            said("1770465602.000100", "U2", "yo", thread_ts="1770465600.000100"),
            said("1770465603.000100", "U2", "", files=[{"name": "a.png"}]),
        ],
        "D3/2026-02-08.json": [said("1770552000.000100", "U9", "ciao", user_profile={"real_name": "Carl"})],
    }
    lists = {
        "users.json": people,
        "channels.json": [{"id": "C1", "name": "trip", "members": ["U1", "U2"]}],
        "dms.json": [{"id": "D3", "members": ["U1", "U2"]}],
    }
    wanted, found = read(pack(tmp_path, **lists, **days, **{"integration_logs.json": []}))
    messages = {each.text: each for each in list_messages(found)}

    assert wanted is Format.SLACK
    assert list(messages) == ["ciao", "hi @Bob Ross & @here, see the flat (https://example.org) in #sea", "yo"]
    assert (messages["yo"].source, messages["yo"].reply_to) == (
        "slack:C1:1770465602.000100", "slack:C1:1770465600.000100",
    )  # fmt: skip
    assert (messages["yo"].author_name, messages["ciao"].author_name) == ("Bob Ross", "Carl")
    assert list_left_out(found) == [LeftOut.SERVICE, LeftOut.PICTURE]


CHAT = "13.02.26, 14:00 - Anna: {}\n13.02.26, 14:01 - Bob: yo"


def test_a_zip_is_read_as_what_lies_in_it(tmp_path: Path) -> None:
    """Parts, several chats, and texts beside a chat; each of them is taken for an export by itself."""

    def chatgpt(text: str) -> Json:
        message = {"id": text, "author": {"role": "user"}, "content": {"parts": [text]}, "create_time": 1.77e9}
        return [{"id": text, "current_node": "a", "mapping": {"a": {"id": "a", "parent": None, "message": message}}}]

    def account(name: str) -> Json:
        return {"name": name, "id": len(name), "messages": [telegram(1, name)]}

    shapes: dict[Format, tuple[dict[str, Json], list[str]]] = {
        Format.CHATGPT: (
            {f"conversations-{n:03}.json": chatgpt(str(n)) for n in (10, 0, 2)} | {"user.json": {}},
            ["0", "2", "10"],
        ),
        Format.WHATSAPP: (
            {"a-notes.txt": "My diary", "_chat.txt": CHAT.format("hi"), "z.txt": "13.02.26: I met Anna"},
            ["hi", "yo"],
        ),
        Format.TELEGRAM: (
            {"ChatExport_1/result.json": account("A"), "ChatExport_2/result.json": account("Bo")},
            ["A", "Bo"],
        ),
    }
    for wanted, (files, texts) in shapes.items():
        path = pack(tmp_path, **files)
        found, messages = read(path)

        assert (found, [each.text for each in list_messages(messages)]) == (wanted, texts)
        assert looks_exported(path)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("signal-2026-02-07-12-00-00.backup", "\x00\x00\x00\x2a\n(binary", "Signal, which is encrypted"),
        ("msgstore.db.crypt15", "\x01\x02", "encrypted backup of WhatsApp"),
        ("chat.db", "SQLite format 3\x00", "iMessage"),
        ("messages.html", "<!DOCTYPE html>\n<html>\n<head><title>Exported Data</title>", "Telegram's export as HTML"),
        ("chat.html", "<!doctype html><html>", "as HTML"),
        ("line.txt", "[LINE] Chat history with Anna\nSaved on: 2026/02/07", "LINE"),
        ("talk.txt", "Anna 님과 카카오톡 대화\n저장한 날짜", "KakaoTalk"),
        ("messages.json", '{"userId":"live:a","exportDate":"2026-02-07","conversations":[]}', "Skype"),
        ("messages.json", '{"messages": [{"creator": {"name": "Anna"}}]}', "Google Chat"),
        ("2026-02-07.json", '[{"type": "message", "user": "U1", "text": "x", "ts": "1770465600.000100"}]', "Slack"),
        ("messages.json", '[{"ID": 1, "Timestamp": "2026-02-07 12:00:00", "Contents": "x"}]', "Discord's own"),
        ("sms.xml", '<?xml version="1.0"?><smses count="1">', "SMS Backup"),
        ("all.mbox", "From anna@example.org Sat Feb 07\nReceived: by x\n", "a mailbox"),
        ("export.tar", "messages.json\x00\x00", "packed file"),
    ],
)
def test_an_export_that_is_not_read_is_named(tmp_path: Path, name: str, content: str, told: str) -> None:
    """With what to do instead; never as a broken file of another service."""
    path = write(tmp_path, content, name)

    with pytest.raises(ImportRefused, match=told):
        read(path)
    assert not looks_exported(path)


def test_a_zip_of_web_pages_is_named(tmp_path: Path) -> None:
    """What somebody gets who did not choose JSON."""
    with pytest.raises(ImportRefused, match="Facebook or Instagram as HTML"):
        read(pack(tmp_path, **{"start_here.html": "<html>", "messages/inbox/anna/message_1.html": "<html>"}))


def test_a_zip_of_many_files_that_swell_together_is_refused(tmp_path: Path) -> None:
    """Each of them alone would be small enough (read without the check of all together)."""
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"conversations-{number:03}.json", "[" + " " * 9_000_000 + "]")

    with pytest.raises(ImportRefused, match="swell"):
        read(tmp_path / "export.zip")


def test_a_damaged_text_beside_a_chat_spoils_it_not(tmp_path: Path) -> None:
    """It is looked into, and left alone."""
    path = pack(tmp_path, **{"a.txt": "x" * 50, "_chat.txt": CHAT.format("hi")})
    content = path.read_bytes().replace(b"x" * 50, b"y" * 50)
    path.write_bytes(content)

    assert show(read(path)[1]) == [("Anna", "hi"), ("Bob", "yo")]


def test_sources_are_the_same_in_a_second_export(tmp_path: Path) -> None:
    """Nothing is imported twice, though the second file holds more."""
    first = {"participants": [], "title": "Z", "messages": [messenger("a", 0)]}
    second = {**first, "messages": [messenger("b", 1), messenger("a", 0)]}

    def sources(export: Json) -> set[str]:
        _, found = read(write(tmp_path, export, "message_1.json"))
        return {each.source for each in found if isinstance(each, ExportedMessage)}

    assert sources(first) < sources(second)
