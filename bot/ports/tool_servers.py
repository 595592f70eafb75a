"""Servers that bring tools: what they offer now, which of it may be used, and one call that somebody agreed to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.ports.tool import Tool


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


class ToolServers(Protocol):
    """The configured servers."""

    def list_servers(self) -> tuple[ToolServer, ...]:
        """Return every configured server that is not switched off, in the order of the settings."""
        ...

    def list_tools(self) -> tuple[Tool, ...]:
        """Return the tools that may be offered to the model now."""
        ...

    async def carry_out(self, request: ToolRequest) -> ToolOutcome:
        """Make exactly this call, if the tool still is what it was when it was asked for.

        Never raises but on cancellation.
        """
        ...

    async def approve(self, server: str, tool: str, version: str) -> bool:
        """Let a version of a tool be used; ``False`` if that is not what the server offers now.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...


class ToolApprovals(Protocol):
    """Which versions of tools were approved: the first that a server shows, and those somebody has agreed to.

    ``origin`` stands for a server and how it is reached: another command or address is another origin.
    """

    async def check(self, origin: str, versions: Mapping[str, str]) -> frozenset[str]:
        """Return the names whose version is approved; what an unknown origin shows first is approved as a whole.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...

    async def approve(self, origin: str, tool: str, version: str) -> None:
        """Let this version take the place of the approved one.  Raises :class:`~bot.errors.StorageUnavailable`."""
        ...
