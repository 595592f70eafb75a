"""Tools that the model may call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from bot.memory.items import Recalled
from bot.ports.chat_model import ToolSpec
from bot.turn import ToolRun, Turn


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A result that names the memories it shows, so that ``/why`` can.

    ``said`` is shown to the user below the answer, whatever the model makes of it: what was done, exactly.
    """

    text: str
    memories: tuple[Recalled, ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class ConfirmationRequest:
    """Something that is done only if the user wants it: ``text`` is shown exactly, ``command`` is what agrees to it.

    ``forgets`` says that the text would be erased, not kept; ``fetches`` that it is an address which would be read;
    ``calls`` that it is the call of a foreign tool that would be made.
    ``question`` and ``agree`` are the words to ask with and on the button, where it is about something else.
    ``about`` names the memories that the button is bound to (:attr:`bot.turn.Reply.about`): once one of them has
    changed, it does nothing.
    """

    text: str
    command: str
    forgets: bool = False
    question: str = ""
    agree: str = ""
    about: tuple[str, ...] = ()
    fetches: bool = False
    calls: bool = False


class Tool(Protocol):
    """One tool.  Side effects need the user's word: see ``writes``."""

    @property
    def spec(self) -> ToolSpec:
        """Name, description and parameters for the model."""
        ...

    @property
    def writes(self) -> bool:
        """Whether it changes anything: while the model reads text from outside it is refused, or asks."""
        ...

    @property
    def outside(self) -> bool:
        """Whether its results hold text from outside (web, files): what is derived from them is trusted no further."""
        ...

    async def run(
        self,
        turn: Turn,
        arguments: dict[str, Any],  # Any: JSON from the model, checked by the tool
    ) -> str | ToolResult | ConfirmationRequest:
        """Return the result as text for the model, or what the user is to be asked instead.

        Raises :class:`~bot.errors.CommandInvalid` for arguments that make no sense; the model is told why.
        """
        ...


@runtime_checkable
class ConfirmingTool(Protocol):
    """A tool that changes something and can leave the decision to the user."""

    async def ask(
        self,
        turn: Turn,
        arguments: dict[str, Any],  # Any: JSON from the model, checked by the tool
    ) -> ConfirmationRequest:
        """Change nothing and return what to ask; called in place of ``run`` while the model reads text from outside.

        Raises :class:`~bot.errors.CommandInvalid` like ``run``.
        """
        ...


@runtime_checkable
class RequestAwareTool(Protocol):
    """A tool that changes something and can tell whether the user's own words ask for exactly that."""

    def is_requested(
        self,
        turn: Turn,
        arguments: dict[str, Any],  # Any: JSON from the model, checked by the tool
    ) -> bool:
        """Whether what ``run`` would do is asked for in so many words in what the user typed in this turn.

        Then it is done also while the model reads text from outside.  A mere "yes" asks for nothing in so many words.
        Raises :class:`~bot.errors.CommandInvalid` like ``run``.
        """
        ...


__all__ = ["ConfirmationRequest", "ConfirmingTool", "RequestAwareTool", "Tool", "ToolResult", "ToolRun", "ToolSpec"]
