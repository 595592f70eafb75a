"""The language model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from bot.files import Picture
from bot.turn import ToolCall
from bot.usage import Usage


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat completion.  ``role``: system, user, assistant, tool, or context.

    ``context`` is what is told for the newest message alone; it stands before that message, and goes out as ``system``
    or as part of the user's, by what the endpoint takes.
    """

    role: str
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    pictures: tuple[Picture, ...] = ()
    """What the user shows along with it."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it; ``parameters`` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]  # Any: JSON Schema has no finite type


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Completed:
    """The end of one model call: the whole text, the tools it wants, why it ended and what it cost."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    finish_reason: str
    usage: Usage
    model: str
    unseen: bool = False
    """Pictures of the request were left out, because the model sees none or refused these."""


@dataclass(frozen=True, slots=True)
class ToldWindow:
    """The tokens that a model can read, prompt and answer together, as its server says.

    ``lasting``: it will not change without the settings.  ``passing``: it is what the server would do with a model that
    is not loaded yet, and is asked again soon.
    """

    tokens: int
    lasting: bool = False
    passing: bool = False


class WindowSource(StrEnum):
    """Who says how much a model can read."""

    SETTINGS = "settings"
    SERVER = "server"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Window:
    """The window that everything is measured by."""

    tokens: int
    source: WindowSource


class ChatModel(Protocol):
    """One call to a model."""

    def stream(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...] = (), *, max_tokens: int | None = None
    ) -> AsyncGenerator[TextDelta | Completed]:
        """Yield deltas as they arrive and exactly one :class:`Completed` at the end.

        Closing the generator ends the request.  Raises :class:`~bot.errors.ModelUnavailable`,
        :class:`~bot.errors.ModelRefused` or :class:`~bot.errors.ContextTooLong`, also between deltas; a call is
        retried inside only while nothing was yielded.
        """
        ...
