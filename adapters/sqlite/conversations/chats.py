"""Chats that got another id, and chats that the bot was removed from.

Telegram gives a group another id when it becomes a supergroup.  Its places are carried over, so that sessions and
planned replies go on; the names of scopes stay, because they are the names of workspaces in long-term memory.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import dump_message, load_message
from bot.errors import Corrupt
from bot.messages import Address

_NOTE_LEFT: Final = "INSERT INTO left_chats VALUES (?, ?) ON CONFLICT DO NOTHING"
_NOTE_MIGRATION: Final = (
    "INSERT INTO migrated_chats VALUES (?, ?, ?) ON CONFLICT (bot_id, old_id) DO UPDATE SET new_id = excluded.new_id"
)
_Chat = tuple[int, int]
"""A bot's id and a chat's."""


class SqliteChats:
    """The port :class:`~bot.ports.chats.Chats`; :meth:`load` before use."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._moved: dict[_Chat, int] = {}
        self._homes: dict[_Chat, int] = {}
        self._gone: set[_Chat] = set()

    async def load(self) -> None:
        """Read what is known, and address to the new ids what waits for an answer since before a restart."""
        moved, gone = await self._database.read(_read_chats)
        if moved:
            await self._database.write(_readdress)
        for bot_id, old_id, new_id in moved:
            self._note(bot_id, old_id, new_id)
        self._gone |= gone

    def home(self, bot_id: int, chat_id: int) -> int:
        """Return the id that a chat had first."""
        return self._homes.get((bot_id, chat_id), chat_id)

    def current(self, address: Address) -> Address:
        """Return where a place is now."""
        new_id = self._moved.get((address.bot_id, address.chat_id))
        return address if new_id is None else replace(address, chat_id=new_id, reply_to=None)

    def is_gone(self, address: Address) -> bool:
        """Whether the bot was removed from the chat."""
        return (address.bot_id, address.chat_id) in self._gone

    async def has_met(self, bot_id: int, chat_id: int) -> bool:
        """Whether a place in this chat is known."""
        return await self._database.read(
            lambda connection: (
                connection.execute(
                    "SELECT 1 FROM places WHERE bot_id = ? AND chat_id = ?", (bot_id, chat_id)
                ).fetchone()
                is not None
            )
        )

    async def record_move(self, bot_id: int, old_id: int, new_id: int) -> None:
        """Carry places, sessions and planned replies over."""
        if self._moved.get((bot_id, old_id)) == new_id or old_id == new_id:
            return
        self._note(bot_id, old_id, new_id)
        await self._database.write(lambda connection: _carry_over(connection, bot_id, old_id, new_id))

    async def record_departure(self, bot_id: int, chat_id: int) -> None:
        """Note that the bot is not there any more."""
        self._gone.add((bot_id, chat_id))
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "INSERT INTO left_chats VALUES (?, ?) ON CONFLICT DO NOTHING", (bot_id, chat_id)
                ).rowcount
            )
        )

    async def record_arrival(self, bot_id: int, chat_id: int) -> None:
        """Note that the bot is there; costs nothing where it never left."""
        if (bot_id, chat_id) not in self._gone:
            return
        self._gone.discard((bot_id, chat_id))
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "DELETE FROM left_chats WHERE bot_id = ? AND chat_id = ?", (bot_id, chat_id)
                ).rowcount
            )
        )

    def _note(self, bot_id: int, old_id: int, new_id: int) -> None:
        self._moved[bot_id, old_id] = new_id
        self._homes[bot_id, new_id] = self.home(bot_id, old_id)


def _read_chats(connection: sqlite3.Connection) -> tuple[list[tuple[int, int, int]], set[_Chat]]:
    moved = connection.execute("SELECT bot_id, old_id, new_id FROM migrated_chats").fetchall()
    gone = connection.execute("SELECT bot_id, chat_id FROM left_chats").fetchall()
    return moved, {(bot_id, chat_id) for bot_id, chat_id in gone}


def _carry_over(connection: sqlite3.Connection, bot_id: int, old_id: int, new_id: int) -> None:
    connection.execute(_NOTE_MIGRATION, (bot_id, old_id, new_id))
    places = connection.execute(
        "SELECT no, key, door, topic_id, session_id FROM places WHERE bot_id = ? AND chat_id = ?", (bot_id, old_id)
    ).fetchall()
    for number, key, platform, topic_id, session_id in places:
        # Messages are numbered anew in the new chat: what the old numbers named must not be taken for what the same
        # numbers name there.
        connection.execute("UPDATE exchanges SET message_id = 0 WHERE place_no = ? AND message_id <> 0", (number,))
        connection.execute(
            "UPDATE deliveries SET draft_id = NULL, reply_to = NULL WHERE place_no = ? AND state = 0", (number,)
        )
        connection.execute("UPDATE journal SET draft_id = NULL WHERE place = ? AND state = 0", (key,))
        connection.execute("UPDATE reminders SET origin = '' WHERE place_no = ?", (number,))
        new_key = Address(platform, bot_id, new_id, topic_id).key
        there = connection.execute("SELECT no, session_id FROM places WHERE key = ?", (new_key,)).fetchone()
        if there is None:
            connection.execute("UPDATE places SET key = ?, chat_id = ? WHERE no = ?", (new_key, new_id, number))
        else:
            _join_places(connection, number, session_id, *there)


def _join_places(
    connection: sqlite3.Connection, old: int, old_session: int | None, new: int, session: int | None
) -> None:
    """Let one place hold what two hold: somebody wrote in the new chat before we heard that it is the old one."""
    connection.execute("UPDATE exchanges SET place_no = ? WHERE place_no = ?", (new, old))
    connection.execute("UPDATE sessions SET place_no = ? WHERE place_no = ?", (new, old))
    connection.execute("UPDATE deliveries SET place_no = ? WHERE place_no = ?", (new, old))
    connection.execute("UPDATE reminders SET place_no = ? WHERE place_no = ?", (new, old))
    if session is not None and old_session is not None:
        connection.execute(
            "UPDATE sessions SET ended_at = coalesce(active_at, started_at) WHERE id = ? AND ended_at IS NULL",
            (old_session,),
        )
    connection.execute(
        "UPDATE places SET session_id = coalesce(session_id, ?1), last_exchange = coalesce(last_exchange, "
        "(SELECT last_exchange FROM places WHERE no = ?2)) WHERE no = ?3",
        (old_session, old, new),
    )
    connection.execute("DELETE FROM places WHERE no = ?", (old,))


def _readdress(connection: sqlite3.Connection) -> None:
    waiting = connection.execute(
        "SELECT journal.id, payload, new_id FROM journal JOIN migrated_chats ON journal.bot_id = migrated_chats.bot_id "
        "AND journal.place LIKE journal.door || ':' || migrated_chats.bot_id || ':' || old_id || ':%' WHERE state = 0"
    ).fetchall()
    for entry_id, payload, new_id in waiting:
        try:
            message = load_message(payload)
        except Corrupt:
            continue  # whoever reads the journal sets it aside, and says so
        address = replace(message.address, chat_id=new_id, reply_to=None)
        connection.execute(
            "UPDATE journal SET place = ?, payload = ?, draft_id = NULL WHERE id = ?",
            (address.key, dump_message(replace(message, address=address, message_id=0)), entry_id),
        )
