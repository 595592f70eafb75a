"""Servers of tools (Model Context Protocol).

They are closed by default: a tool acts only after a press of a button unless it is vouched for here, and only for the
owner unless the settings let others use it.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from adapters.mcp.options import McpServer
from bot.config.section import LIVE, Conflict, FeatureSection, setting
from bot.config.strict_json import KeyPath


class McpSettings(FeatureSection, applies=LIVE):
    """Tools of other programs, by the Model Context Protocol."""

    key: ClassVar[str] = "mcp"

    servers: Annotated[tuple[McpServer, ...], Field(max_length=20)] = setting((), "The servers; see [mcp.md](mcp.md).")

    def find_conflicts(self, secrets: frozenset[str]) -> Iterator[Conflict]:
        """A server is a program or an address, under a name of its own, and gets no secret of ours."""
        named: set[str] = set()
        for number, server in enumerate(self.servers):
            path: KeyPath = (self.key, "servers", number)
            if bool(server.command) == bool(server.url):
                yield Conflict((*path, "command"), "either a command or a url", "both" if server.url else "neither")
            if server.name in named:
                yield Conflict((*path, "name"), "a name that no server before it has", f'"{server.name}"')
            named.add(server.name)
            for name in (*server.environment, *(header.variable for header in server.headers)):
                if name in secrets:
                    key = "environment" if name in server.environment else "headers"
                    yield Conflict((*path, key), "no variable that holds a secret of Mneme itself", name)
