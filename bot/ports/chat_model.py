"""What is asked of language models: answers, verdicts, readings of a question, and extracts."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from bot.files import Picture
from bot.memory.items import Recalled
from bot.ports.rag import QueryMode
from bot.turn import ToolCall, Usage


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


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well they fit, as shares in 0..1.

    ``relevance``: of the memories, those that have to do with the question; ``faithfulness``: of the answer's
    statements, those that the memories or the conversation bear out.
    """

    relevance: float
    faithfulness: float


class Judge(Protocol):
    """A judge of answers."""

    async def judge(self, question: str, answer: str, memories: tuple[Recalled, ...], said: str) -> Verdict:
        """Return the verdict; ``said`` is what else the answer could know: the conversation so far.

        Raises :class:`~bot.errors.ModelUnavailable`, :class:`~bot.errors.ModelRefused` or
        :class:`~bot.errors.ContextTooLong`.
        """


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


class Compressor(Protocol):
    """Shortens memories for a question; slower and better than leaving sentences out."""

    async def compress(self, question: str, found: tuple[Recalled, ...], budget_tokens: int) -> tuple[Recalled, ...]:
        """Return ``found`` within ``budget_tokens``, best first, each with a text that its own bears out.

        Raises :class:`~bot.errors.ModelUnavailable`, :class:`~bot.errors.ModelRefused` or
        :class:`~bot.errors.ContextTooLong`; the caller leaves sentences out instead.
        """
