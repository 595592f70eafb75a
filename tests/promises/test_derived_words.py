"""P17, P20: of what was edited or forgotten every table that a room declares is asked, and whoever shows its rows."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from zipfile import ZipFile

from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.derived import list_tables
from bot.memory.scope import Scope
from bot.ports.transfer import Exporter
from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.telegram import FakeTelegram

OLD, NEW = "Kovacs", "Novak"
TOLD = {
    901: "My plumber is called {}.",
    902: "put {} glue on the shopping list",
    903: "remind me in two days at 9 to call {}",
    904: "Always call me Captain {}.",
}
SHOWN = ("/why", "/memory", "/list", "/reminders", "Who is my plumber?", "/sessions", "/memory wishes")
EARLIER = {"exchanges", "items", "traces"}
"""Where earlier versions stay, for an export to tell of them, and of what an answer was made from."""


def _decode(value: object) -> str:
    if isinstance(value, bytes):
        with suppress(zlib.error):
            value = zlib.decompress(value)
        return bytes(value).decode(errors="replace")
    return str(value)


def _list_holders(connection: sqlite3.Connection, word: str) -> Iterator[str]:
    for table in list_tables(ROOMS):
        rows = connection.execute(f"SELECT * FROM {table.name}").fetchall()  # noqa: S608 - declared by a room
        if any(word.casefold() in _decode(value).casefold() for row in rows for value in row):
            yield table.name


async def list_holders(talk: TelegramChats, word: str) -> set[str]:
    """Return the declared tables that hold a word."""
    await talk.app.parts.housekeeping.catch_up()
    return set(await talk.app.parts.housekeeping.database.read(lambda each: list(_list_holders(each, word))))


async def list_showing(talk: TelegramChats, word: str) -> set[str]:
    """Return what shows a word to its author, an export last."""
    shown = {text for text in SHOWN if word in await talk.ask(text)}
    written = await talk.app.parts.need(Exporter).export(Scope(f"tu{ANNA}"))
    if written is not None:
        with ZipFile(written.path) as archive:
            texts = [archive.read(name).decode(errors="replace") for name in archive.namelist()]
        shown |= {"export"} if any(word in text for text in texts) else set()
    return shown


async def test_every_table_and_every_view_follows_an_edit_and_an_erase(tmp_path: Path) -> None:
    """A fact, a list's entry, a reminder and a wish, over restarts: no view shows what was replaced or erased.

    Red where a room's ``revise`` or ``forget`` does nothing: a list then keeps what an edit has taken off it.
    """
    settings = {"memory": {"undoSeconds": 0}}
    async with FakeTelegram() as telegram:
        async with run_on_telegram(tmp_path, telegram, others=settings) as talk:
            for number, text in TOLD.items():
                await talk.ask(text.format(OLD), message_id=number)
            before, showed = await list_holders(talk, OLD), await list_showing(talk, OLD)
            for number, text in TOLD.items():
                await telegram.edits(text.format(NEW), user=ANNA, message_id=number)
                await talk.taken()
            stale, shows = await list_holders(talk, OLD), await list_showing(talk, OLD)
            holds, news = await list_holders(talk, NEW), await list_showing(talk, NEW)
        async with run_on_telegram(tmp_path, telegram, others=settings) as talk:
            again = await list_showing(talk, NEW), await list_showing(talk, OLD)
            for number in TOLD:
                await talk.ask("/forget", reply_to_message=telegram.message("?", user=ANNA, message_id=number))
        async with run_on_telegram(tmp_path, telegram, others=settings) as talk:
            left = [await list_holders(talk, word) for word in (OLD, NEW)]
            seen = [await list_showing(talk, word) for word in (OLD, NEW)]

    views = {*SHOWN, "export"}
    assert before >= {"exchanges", "items", "list_items", "reminders", "mentions", "digest_lines"}
    assert holds >= before | {"names", "items_fts", "recall_utterances"}
    assert stale <= EARLIER
    assert (showed, news, shows) == (views, views - {"/sessions"}, {"export"})
    assert again == (news, {"export"})
    assert left == [set(), set()]
    assert seen == [set(), set()]
