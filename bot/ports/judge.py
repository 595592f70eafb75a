"""Judge: compares an answer with what it was based on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.memory.items import Recalled


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well they fit, as shares in 0..1.

    ``relevance``: of the memories, those that have to do with the question; ``faithfulness``: of the answer's
    statements, those that the memories or the conversation bear out.
    ``unsupported`` are statements that nothing bears out, as they stand in the answer.
    """

    relevance: float
    faithfulness: float
    unsupported: tuple[str, ...] = ()


class Judge(Protocol):
    """A judge of answers."""

    async def judge(self, question: str, answer: str, memories: tuple[Recalled, ...], said: str) -> Verdict:
        """Return the verdict; ``said`` is what else the answer could know: the conversation so far.

        Raises :class:`~bot.errors.ModelUnavailable`, :class:`~bot.errors.ModelRefused` or
        :class:`~bot.errors.ContextTooLong`.
        """
        ...
