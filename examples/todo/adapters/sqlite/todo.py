"""The table of what is to be done."""

from __future__ import annotations

import sqlite3
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import ensure_scope, find_scope
from adapters.sqlite.rows.derived import ALL_ROWS, Room, Table
from bot.memory.sanitise import clean
from bot.memory.scope import Scope

ROOM: Final = Room("todo", (Table("todos", numbered="scope_no", shown="todos", spare=ALL_ROWS),), file="todo")
"""With this an erase of a memory takes its list along, and a recovery saves it."""
_ADD: Final = (
    "INSERT INTO todos (scope_no, number, text) "
    "SELECT ?1, 1 + coalesce(max(number), 0), ?2 FROM todos WHERE scope_no = ?1"
)
_OPEN: Final = "SELECT number, text FROM todos WHERE scope_no = ? AND done = 0 ORDER BY number"


class SqliteTodoList:
    """The port :class:`~bot.features.todo.commands.TodoList`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, text: str) -> None:
        """Put something on the list of a scope."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(_ADD, (ensure_scope(connection, scope), clean(text)))

        await self._database.write(work)

    async def strike_out(self, scope: Scope, number: int) -> bool:
        """Take something off the list; ``False`` where there is nothing of that number."""

        def work(connection: sqlite3.Connection) -> bool:
            done = "UPDATE todos SET done = 1 WHERE scope_no = ? AND number = ? AND done = 0"
            return connection.execute(done, (find_scope(connection, scope), number)).rowcount == 1

        return await self._database.write(work)

    async def list_open(self, scope: Scope) -> tuple[tuple[int, str], ...]:
        """Return number and text of what is left, oldest first."""
        return await self._database.read(
            lambda connection: tuple(connection.execute(_OPEN, (find_scope(connection, scope),)).fetchall())
        )
