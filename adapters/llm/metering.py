"""Counts what a model's calls cost, for the conversation that they are made for."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass

from bot.errors import BudgetSpent
from bot.memory.scope import Scope
from bot.ports.chat_model import ChatMessage, ChatModel, Completed, TextDelta, ToolSpec
from bot.usage import Usage, UsageKind, find_charged


@dataclass(frozen=True, slots=True)
class MeteredChat:
    """A model whose every call is noted under ``kind``.

    A call that ends before its time after it began to answer counts as one whose tokens nobody knows; calls outside of
    any conversation are not noted.  ``refuse`` says why a call may not be made (its budget is spent), "" if it may.
    """

    model: ChatModel
    kind: UsageKind
    note: Callable[[Scope, UsageKind, str, Usage], None]
    refuse: Callable[[Scope, UsageKind], str] = lambda _, __: ""

    async def stream(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...] = (), *, max_tokens: int | None = None
    ) -> AsyncGenerator[TextDelta | Completed]:
        """Pass the answer on as it comes; see :class:`~bot.ports.chat_model.ChatModel`.

        Raises :class:`~bot.errors.BudgetSpent`, too.
        """
        scope = find_charged()
        if scope is not None and (why := self.refuse(scope, self.kind)):
            raise BudgetSpent(why)
        begun, used, name = False, Usage(calls=1), ""
        try:
            async with aclosing(self.model.stream(messages, tools, max_tokens=max_tokens)) as pieces:
                async for piece in pieces:
                    begun = True
                    if isinstance(piece, Completed):
                        used, name = piece.usage, piece.model
                    yield piece
        finally:
            if begun and scope is not None:
                self.note(scope, self.kind, name, used)
