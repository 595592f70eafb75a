"""Who may talk to the bot and where: pairing, the users of a bot, moved chats, left chats, what a chat has chosen.

A pairing code is kept as a salted hash and burnt after a few wrong tries; the tries are counted at the codes, so that
nothing about a stranger is ever stored.  Telegram gives a group another id when it becomes a supergroup: its places are
carried over, the names of scopes stay, because they are the names of workspaces in long-term memory.
"""

import asyncio
import hashlib
import hmac
import os
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any, Final

from adapters.sqlite.database import Database, Store, reading, writing
from adapters.sqlite.rows.codec import dump_message, join_time, list_column, load_message, split_time
from adapters.sqlite.rows.derived import ALL_ROWS, Room, Rooms, Table, list_tables
from adapters.sqlite.rows.exchanges import list_told
from bot.errors import Corrupt
from bot.memory.scope import ScopeKind, build_scope
from bot.messages import Address
from bot.ports.chats import Chats, ChatSettings, UserFigures

_NOTE_MIGRATION: Final = (
    "INSERT INTO migrated_chats VALUES (?, ?, ?) ON CONFLICT (bot_id, old_id) DO UPDATE SET new_id = excluded.new_id"
)
_Chat = tuple[int, int]
"""A bot's id and a chat's."""


class SqliteChats(Store):
    """The port :class:`~bot.ports.chats.Chats`; :meth:`load` before use."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._moved: dict[_Chat, int] = {}
        self._homes: dict[_Chat, int] = {}
        self._gone: set[_Chat] = set()

    async def load(self) -> None:
        """Read what is known, and address to the new ids what waits for an answer since before a restart.

        Of several workers somebody may be about to answer it, under the old id.
        """
        moved = await self.database.fetch("SELECT bot_id, old_id, new_id FROM migrated_chats")
        if moved and not self.database.shared:
            await self.database.write(_readdress)
        for bot_id, old_id, new_id in moved:
            self._note(bot_id, old_id, new_id)
        self._gone = set(await self.database.fetch("SELECT bot_id, chat_id FROM left_chats"))

    def home(self, bot_id: int, chat_id: int) -> int:
        return self._homes.get((bot_id, chat_id), chat_id)

    def current(self, address: Address) -> Address:
        new_id = self._moved.get((address.bot_id, address.chat_id))
        return address if new_id is None else replace(address, chat_id=new_id, reply_to=None)

    def is_gone(self, address: Address) -> bool:
        return (address.bot_id, address.chat_id) in self._gone

    async def has_met(self, bot_id: int, chat_id: int) -> bool:
        return await self.database.has("SELECT 1 FROM places WHERE bot_id = ? AND chat_id = ?", (bot_id, chat_id))

    async def has_said(self, address: Address, message_id: int) -> bool:
        return bool(await self.database.read(lambda connection: list_told(connection, address.key, message_id)))

    async def record_move(self, bot_id: int, old_id: int, new_id: int) -> None:
        if self._moved.get((bot_id, old_id)) == new_id or old_id == new_id:
            return
        self._note(bot_id, old_id, new_id)
        await self.database.write(
            lambda connection: _carry_over(connection, self.database.rooms, bot_id, old_id, new_id)
        )

    async def record_departure(self, bot_id: int, chat_id: int) -> None:
        self._gone.add((bot_id, chat_id))
        await self.database.change("INSERT INTO left_chats VALUES (?, ?) ON CONFLICT DO NOTHING", (bot_id, chat_id))

    async def record_arrival(self, bot_id: int, chat_id: int) -> None:
        """Note that the bot is there; costs nothing where it never left."""
        if (bot_id, chat_id) not in self._gone:
            return
        self._gone.discard((bot_id, chat_id))
        await self.database.change("DELETE FROM left_chats WHERE bot_id = ? AND chat_id = ?", (bot_id, chat_id))

    def _note(self, bot_id: int, old_id: int, new_id: int) -> None:
        self._moved[bot_id, old_id] = new_id
        self._homes[bot_id, new_id] = self.home(bot_id, old_id)


def _carry_over(connection: sqlite3.Connection, rooms: Rooms, bot_id: int, old_id: int, new_id: int) -> None:
    connection.execute(_NOTE_MIGRATION, (bot_id, old_id, new_id))
    places = connection.execute(
        "SELECT no, key, door, topic_id, session_id FROM places WHERE bot_id = ? AND chat_id = ?", (bot_id, old_id)
    ).fetchall()
    for number, key, platform, topic_id, session_id in places:
        # Messages are numbered anew in the new chat: what the old numbers named must not be taken for what the same
        # numbers name there.
        connection.execute("UPDATE exchanges SET message_id = 0 WHERE place_no = ? AND message_id <> 0", (number,))
        connection.execute("UPDATE deliveries SET message_id = NULL WHERE place_no = ?", (number,))
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
            _join_places(connection, rooms, number, session_id, *there)


def _join_places(
    connection: sqlite3.Connection, rooms: Rooms, old: int, old_session: int | None, new: int, session: int | None
) -> None:
    """Let one place hold what two hold: somebody wrote in the new chat before we heard that it is the old one."""
    for table in (each for each in list_tables(rooms) if each.place):
        statement = f"UPDATE {table.name} SET {table.place} = ? WHERE {table.place} = ?"  # noqa: S608 - declared by a room
        connection.execute(statement, (new, old))
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


_TRIES: Final = 100
"""Wrong tries that a code survives, less one."""
_CODES: Final = 5
"""Open codes of a bot: an older one gives way."""


class SqliteAccess(Store):
    """The port :class:`~bot.ports.chats.Access`."""

    async def is_paired(self, bot_id: int, user_id: int) -> bool:
        return await self.database.has("SELECT 1 FROM pairings WHERE bot_id = ? AND user_id = ?", (bot_id, user_id))

    async def issue(self, bot_id: int, code: str, expires_at: datetime) -> None:
        """Store a code's hash; the bot's newest five count."""
        salt = os.urandom(16)
        digest = await asyncio.to_thread(_hash, code, salt)
        await self._issue(bot_id, salt, digest, split_time(expires_at)[0])

    async def redeem(self, bot_id: int, user_id: int, code: str, now: datetime) -> bool:
        seconds, _ = split_time(now)
        rows = await self.database.fetch(
            "SELECT id, salt, hash FROM pairing_codes WHERE bot_id = ? AND expires_at > ?", (bot_id, seconds)
        )
        if not rows:
            return False
        matching = await asyncio.to_thread(
            lambda: [number for number, salt, digest in rows if hmac.compare_digest(_hash(code, salt), digest)]
        )
        if not matching:
            await self._count_wrong_try(bot_id)
            return False
        return await self._pair(matching[-1], bot_id, user_id, seconds)

    @writing
    def _issue(
        self, connection: sqlite3.Connection, bot_id: int, salt: bytes, digest: bytes, expires_at: float
    ) -> None:
        values = (bot_id, salt, digest, expires_at)
        connection.execute("INSERT INTO pairing_codes (bot_id, salt, hash, expires_at) VALUES (?, ?, ?, ?)", values)
        connection.execute(
            "DELETE FROM pairing_codes WHERE bot_id = ?1 AND id NOT IN "
            "(SELECT id FROM pairing_codes WHERE bot_id = ?1 ORDER BY id DESC LIMIT ?2)",
            (bot_id, _CODES),
        )

    @writing
    def _count_wrong_try(self, connection: sqlite3.Connection, bot_id: int) -> None:
        connection.execute("UPDATE pairing_codes SET tries = tries + 1 WHERE bot_id = ?", (bot_id,))
        connection.execute("DELETE FROM pairing_codes WHERE bot_id = ? AND tries >= ?", (bot_id, _TRIES))

    @writing
    def _pair(self, connection: sqlite3.Connection, code_id: int, bot_id: int, user_id: int, seconds: float) -> bool:
        if connection.execute("DELETE FROM pairing_codes WHERE id = ?", (code_id,)).rowcount != 1:
            return False
        connection.execute("INSERT INTO pairings VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (bot_id, user_id, seconds))
        return True

    async def unpair(self, bot_id: int, user_id: int) -> bool:
        pairing = (bot_id, user_id)
        return await self.database.change("DELETE FROM pairings WHERE bot_id = ? AND user_id = ?", pairing) == 1


def _hash(code: str, salt: bytes) -> bytes:
    """Return a slow hash (RFC 7914, 8 MiB), so that a stolen file does not give away an open code."""
    return hashlib.scrypt(code.strip().encode(errors="replace"), salt=salt, n=2**13, r=8, p=1)


_PLATFORM: Final = "telegram"
_PAIRED: Final = "SELECT user_id, paired_at FROM pairings WHERE bot_id = ?"
_PLACES: Final = "SELECT no FROM places WHERE door = ? AND bot_id = ? AND chat_id = ?"
_SEEN: Final = "SELECT max(active_at) FROM sessions WHERE place_no = ?"
_SAID: Final = "SELECT count(*) FROM exchanges WHERE place_no = ? AND message_id <> 0 AND replaced_by IS NULL"
_NAME: Final = (
    "SELECT author_name FROM exchanges WHERE place_no = ? AND message_id <> 0 AND author_id = ? "
    "ORDER BY message_id DESC LIMIT 1"
)
_TOKENS: Final = (
    "SELECT coalesce(sum(prompt + completion), 0) FROM usage JOIN scopes ON no = scope_no "
    "WHERE tag IN (?, ?) AND day BETWEEN ? AND ?"
)


class SqliteUsers(Store):
    """Describes users from what is stored anyway."""

    @reading
    def describe(
        self, connection: sqlite3.Connection, bot_id: int, listed: tuple[int, ...], first: date, last: date
    ) -> tuple[UserFigures, ...]:
        """Return who is paired with a bot, and who is ``listed``, by id; tokens are those of these days (UTC)."""
        days = (first.isoformat(), last.isoformat())
        paired: dict[int, float] = dict(connection.execute(_PAIRED, (bot_id,)).fetchall())
        return tuple(
            _describe_user(connection, bot_id, user, paired.get(user), days) for user in sorted({*paired, *listed})
        )


def _describe_user(
    connection: sqlite3.Connection, bot_id: int, user: int, paired_at: float | None, days: tuple[str, str]
) -> UserFigures:
    places = list_column(connection, _PLACES, _PLATFORM, bot_id, user)
    seen = [row[0] for place in places for row in connection.execute(_SEEN, (place,)) if row[0] is not None]
    names = [row[0] for place in places for row in connection.execute(_NAME, (place, user))]
    tags = [
        build_scope(kind, platform=_PLATFORM, user_id=user, chat_id=user).tag
        for kind in (ScopeKind.USER, ScopeKind.CHAT)
    ]
    return UserFigures(
        id=user,
        name=next((name for name in names if name), ""),
        paired_at=None if paired_at is None else join_time(paired_at, 0).astimezone(UTC),
        last_seen=join_time(max(seen), 0).astimezone(UTC) if seen else None,
        messages=sum(connection.execute(_SAID, (place,)).fetchone()[0] for place in places),
        tokens=connection.execute(_TOKENS, (*tags, *days)).fetchone()[0],
    )


_READ: Final = (
    "SELECT platform, bot_id, chat_id, language, memory, streaming, time_zone, quiet_from, quiet_to, scope "
    "FROM chat_settings ORDER BY 1, 2, 3"
)
_WRITE: Final = "INSERT INTO chat_settings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_DELETE: Final = "DELETE FROM chat_settings WHERE platform = ? AND bot_id = ? AND chat_id = ?"
_NONE: Final = ChatSettings()
_AnyChat = tuple[str, int, int]
"""A platform, a bot's id and a chat's."""


class SqliteChatSettings(Store):
    """The port :class:`~bot.ports.chats.ChatSettingsStore`: read once at the start, written through.

    Choices are about how a chat is spoken to and hold nothing that anybody said, so that forgetting everything leaves
    them.

    ``chats`` knows the id that a group had before it became a supergroup: its settings go by that one.
    """

    def __init__(self, database: Database, chats: Chats) -> None:
        super().__init__(database)
        self._chats = chats
        self.known: dict[_AnyChat, ChatSettings] = {}
        self._changing = asyncio.Lock()

    async def load(self) -> None:
        """Read what is known; a choice that cannot be read (a zone that is not there any more) counts as none."""
        rows = await self.database.fetch(_READ)
        self.known = {(platform, bot_id, chat_id): _load(row) for platform, bot_id, chat_id, *row in rows}

    def find(self, address: Address) -> ChatSettings:
        """Return a chat's choices; those made under the new id before anybody said which group it was count, too."""
        own = self.known.get((address.platform, address.bot_id, address.chat_id))
        return self.known.get(self._key(address)) or own or _NONE

    async def adjust(self, address: Address, edit: Callable[[ChatSettings], ChatSettings]) -> ChatSettings:
        async with self._changing:
            settings = edit(self.find(address))
            key, own = self._key(address), (address.platform, address.bot_id, address.chat_id)
            await self.database.write(lambda connection: _store(connection, key, own, settings))
            self.known.pop(own, None)
            if settings != _NONE:
                self.known[key] = settings
            else:
                self.known.pop(key, None)
            return settings

    def list_chats(self) -> tuple[tuple[Address, ChatSettings], ...]:
        return tuple(
            (Address(*key), settings) for key, settings in sorted(self.known.items(), key=lambda each: each[0])
        )

    def _key(self, address: Address) -> _AnyChat:
        return address.platform, address.bot_id, self._chats.home(address.bot_id, address.chat_id)


def _store(connection: sqlite3.Connection, key: _AnyChat, own: _AnyChat, settings: ChatSettings) -> int:
    connection.execute(_DELETE, own)  # made before anybody said which group it is
    before = connection.execute(_DELETE, key).rowcount
    if settings == _NONE:
        return before
    chosen = (settings.language, settings.memory, settings.streaming, settings.time_zone)
    quiet = (_dump_time(settings.quiet_from), _dump_time(settings.quiet_to))
    return connection.execute(_WRITE, (*key, *chosen, *quiet, settings.scope and settings.scope.value)).rowcount


def _dump_time(at: time | None) -> str | None:
    return None if at is None else f"{at:%H:%M}"


def _load(row: list[Any]) -> ChatSettings:  # Any: column values
    language, memory, streaming, zone, quiet_from, quiet_to, scope = row
    memory, streaming = (None if each is None else bool(each) for each in (memory, streaming))
    kind = ScopeKind(scope) if scope in set(ScopeKind) else None
    return ChatSettings.read(language, memory, streaming, zone, (quiet_from, quiet_to), kind)


ROOM: Final = Room(
    "chat settings",
    (Table("chat_settings", why="what a chat has settled, chosen from what there is", spare=ALL_ROWS),),
    file="chat_settings",
)
