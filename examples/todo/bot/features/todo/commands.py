"""/todo: what is to be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from bot.commands.formatting import escape, make_reply
from bot.errors import CommandInvalid
from bot.memory.scope import Scope
from bot.ports.system import CommandCall
from bot.turn import Reply


class TodoList(Protocol):
    """What is to be done, by numbers that are never given twice."""

    async def add(self, scope: Scope, text: str) -> None:
        """Put something on the list of a scope."""

    async def strike_out(self, scope: Scope, number: int) -> bool:
        """Take something off the list; ``False`` where there is nothing of that number."""

    async def list_open(self, scope: Scope) -> tuple[tuple[int, str], ...]:
        """Return number and text of what is left, oldest first."""


@dataclass(frozen=True, slots=True)
class Todo:
    """Puts what is said behind the command on the list, strikes out by number, and shows what is left."""

    todos: TodoList

    name: ClassVar[str] = "todo"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list as it stands then."""
        match call.argument.split():
            case ["done", number]:
                if not number.isdecimal() or not await self.todos.strike_out(call.scope, int(number)):
                    raise CommandInvalid(f"There is no {escape(number)} on the list.")
            case [_, *_]:
                await self.todos.add(call.scope, call.argument)
        left = await self.todos.list_open(call.scope)
        return make_reply("\n".join(f"{number}. {escape(text)}" for number, text in left) or "Nothing is to be done.")
