"""A model that gives the answers of the test, without HTTP."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from bot.ports.chat_model import ChatMessage, Completed, TextDelta, ToolSpec
from bot.turn import Usage


@dataclass
class Scripted:
    """Gives each answer once: a text, or an error to raise; ``cut`` ends every text by its token limit."""

    answers: list[str | Exception]
    cut: bool = False
    asked: list[tuple[ChatMessage, ...]] = field(default_factory=list)

    async def stream(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...] = (), *, max_tokens: int | None = None
    ) -> AsyncGenerator[TextDelta | Completed]:
        self.asked.append(messages)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        yield TextDelta(answer)
        yield Completed(answer, (), "length" if self.cut else "stop", Usage(1, 1, 1), "scripted")
