"""Adds it to Mneme."""

from __future__ import annotations

from adapters.sqlite.todo import SqliteTodoList
from bot.features.todo.commands import Todo

from bot.runtime.app import App


async def register(app: App) -> None:
    """Add /todo to Mneme."""
    app.added.commands.append(Todo(SqliteTodoList(app.database)))
    app.added.menu.append(Todo.name)
    app.added.help[Todo.name] = "what is to be done: /todo buy milk, /todo done 1"
