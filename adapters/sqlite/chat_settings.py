"""The port ChatSettingsStore over SQLite: read once at the start, written through.

Choices are about how a chat is spoken to and hold nothing that anybody said, so that forgetting everything leaves them.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from datetime import time
from typing import Any, Final

from adapters.sqlite.database import Database, Store
from adapters.sqlite.rows.derived import ALL_ROWS, Room, Table
from bot.memory.scope import ScopeKind
from bot.messages import Address
from bot.ports.chats import Chats, ChatSettings

_READ: Final = (
    "SELECT platform, bot_id, chat_id, language, memory, streaming, time_zone, quiet_from, quiet_to, scope "
    "FROM chat_settings ORDER BY 1, 2, 3"
)
_WRITE: Final = "INSERT INTO chat_settings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_DELETE: Final = "DELETE FROM chat_settings WHERE platform = ? AND bot_id = ? AND chat_id = ?"
_NONE: Final = ChatSettings()
_Chat = tuple[str, int, int]
"""A platform, a bot's id and a chat's."""


class SqliteChatSettings(Store):
    """The port :class:`~bot.ports.chats.ChatSettingsStore`; :meth:`load` before use.

    ``chats`` knows the id that a group had before it became a supergroup: its settings go by that one.
    """

    def __init__(self, database: Database, chats: Chats) -> None:
        super().__init__(database)
        self._chats = chats
        self.known: dict[_Chat, ChatSettings] = {}
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

    def _key(self, address: Address) -> _Chat:
        return address.platform, address.bot_id, self._chats.home(address.bot_id, address.chat_id)


def _store(connection: sqlite3.Connection, key: _Chat, own: _Chat, settings: ChatSettings) -> int:
    connection.execute(_DELETE, own)  # made before anybody said which group it is
    before = connection.execute(_DELETE, key).rowcount
    if settings == _NONE:
        return before
    values = (
        settings.language,
        settings.memory,
        settings.streaming,
        settings.time_zone,
        _dump_time(settings.quiet_from),
        _dump_time(settings.quiet_to),
        settings.scope and settings.scope.value,
    )
    return connection.execute(_WRITE, (*key, *values)).rowcount


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
