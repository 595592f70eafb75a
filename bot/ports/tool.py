"""Tools that the model may call, and the servers that bring some of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from bot.memory.items import Recalled
from bot.ports.chat_model import ToolSpec
from bot.turn import Turn


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A result that names the memories it shows, so that ``/why`` can.

    ``said`` is shown to the user below the answer, whatever the model makes of it: what was done, exactly.
    ``outside`` says that others than the user wrote some of it: then it is read as any other text from outside.
    """

    text: str
    memories: tuple[Recalled, ...] = ()
    said: str = ""
    outside: bool = False


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

    @property
    def writes(self) -> bool:
        """Whether it changes anything: while the model reads text from outside it is refused, or asks."""

    @property
    def outside(self) -> bool:
        """Whether its results hold text from outside (web, files): what is derived from them is trusted no further."""

    async def run(
        self,
        turn: Turn,
        arguments: dict[str, Any],  # Any: JSON from the model, checked by the tool
    ) -> str | ToolResult | ConfirmationRequest:
        """Return the result as text for the model, or what the user is to be asked instead.

        Raises :class:`~bot.errors.CommandInvalid` for arguments that make no sense; the model is told why.
        """


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


class ServerState(StrEnum):
    """What a server is doing."""

    STARTING = "starting"
    READY = "ready"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool as its server describes it now.

    ``version`` changes with every word of its description and schema; ``held`` says that this version was not approved
    yet and is not offered to the model.  ``asks`` says that a call needs somebody's press of a button.
    ``description`` is outside text.
    """

    server: str
    name: str
    version: str
    description: str
    held: bool
    asks: bool


@dataclass(frozen=True, slots=True)
class ToolServer:
    """A server and the tools that it offers and that the settings allow; ``reason`` says why it is not ready."""

    name: str
    state: ServerState
    reason: str = ""
    tools: tuple[OfferedTool, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One exact call: ``arguments`` is the JSON text that was shown, ``version`` that of the tool it was shown for."""

    server: str
    tool: str
    version: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What came of a call.

    ``text`` is outside text if the server answered, else ours.  ``failed`` says that it was not done, or that its
    server says so; ``unsure`` that nobody knows.
    """

    text: str
    failed: bool = False
    unsure: bool = False


class ToolApprovals(Protocol):
    """Which versions of tools were approved: the first that a server shows, and those somebody has agreed to.

    ``origin`` stands for a server and how it is reached: another command or address is another origin.
    """

    async def check(self, origin: str, versions: Mapping[str, str]) -> frozenset[str]:
        """Return the names whose version is approved; what an unknown origin shows first is approved as a whole.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """

    async def approve(self, origin: str, tool: str, version: str) -> None:
        """Let this version take the place of the approved one.  Raises :class:`~bot.errors.StorageUnavailable`."""
