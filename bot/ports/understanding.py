"""Understanding of a question before memory is asked: other wordings, a supposed answer, the query mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.ports.rag import QueryMode


@dataclass(frozen=True, slots=True)
class Understood:
    """What was read out of a question; nothing of it is a memory and nothing of it is shown.

    ``wordings`` ask the same in other words (query expansion); ``supposed`` is an invented answer, whose likeness is
    searched (HyDE, Gao et al. 2022), "" for none; ``mode`` how long-term memory should be searched (routing), ``None``
    for the configured one.  ``note`` says what of a long question was not read, "" if all was.
    """

    wordings: tuple[str, ...] = ()
    supposed: str = ""
    mode: QueryMode | None = None
    note: str = ""


class Understanding(Protocol):
    """A reader of questions."""

    async def understand(self, question: str) -> Understood:
        """Return what was read out of ``question``, "" fields for what was not asked for.

        Raises :class:`~bot.errors.ModelUnavailable`, :class:`~bot.errors.ModelRefused` or
        :class:`~bot.errors.ContextTooLong`; the caller goes on with the question as it is.
        """
        ...
