"""Calls that need consent: what is shown is what is done, at most once, for who was asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from mcp_types import Tool as ServerTool

from adapters.mcp.servers import McpTool, read_offers
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.tickets import SqliteTickets
from bot.errors import CommandInvalid
from bot.memory.items import Trust
from bot.messages import Author
from bot.ports.tickets import Asked, TicketKind
from bot.ports.tool import ConfirmationRequest, ToolOutcome, ToolRequest
from bot.turn import Turn
from harness.samples import HeldClock
from tests.adapters.tools.fixtures import MINE, WHEN, said

OWNER = Author(42, "Anna", Trust.OWNER)


@dataclass
class Called:
    """A server that only notes what it is asked to do."""

    requests: list[ToolRequest] = field(default_factory=list)

    async def __call__(self, request: ToolRequest) -> ToolOutcome:
        self.requests.append(request)
        return ToolOutcome("done")


@pytest.fixture
async def tickets(tmp_path: Path) -> AsyncIterator[SqliteTickets]:
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    yield SqliteTickets(database)
    await database.close()


def by_owner(text: str) -> Turn:
    turn = said(text)
    entry = turn.accepted[0]
    return replace(turn, accepted=(replace(entry, message=replace(entry.message, author=OWNER)),))


def tool(tickets: SqliteTickets, called: Called, *, vouched: bool = False) -> McpTool:
    described = ServerTool(name="write", description="Writes.", input_schema={"type": "object"})
    (offer,) = read_offers("files", [described])
    return McpTool("files", offer, called, tickets, "allow", HeldClock(WHEN).now, vouched=vouched, owner_only=True)


async def test_nothing_is_done_before_it_was_shown_whole(tickets: SqliteTickets) -> None:
    """Server, tool and arguments are shown; what is kept for the press is that very text, hidden letters made visible.

    Shown to fail with the arguments written as they came.
    """
    called = Called()
    arguments = {"path": "a\u202etxt.exe", "text": "zero\u200bwidth\nline"}
    asked = await tool(tickets, called).run(by_owner("write it"), arguments)
    assert isinstance(asked, ConfirmationRequest)
    who = Asked(MINE, by_owner("").message.address, 42)
    taken = await tickets.find(TicketKind.CALL, who, WHEN, asked.command.removeprefix("/allow "))
    assert taken is not None
    head, _, shown = asked.text.partition("\n")

    assert called.requests == []
    assert head == "files → write"
    assert taken[3] == shown
    assert json.loads(shown) == arguments
    assert "\\u202e" in shown
    assert not set(shown) & set("\u202e\u200b")
    assert asked.calls


@pytest.mark.parametrize(
    ("turn", "arguments", "why"),
    [
        (said("write it"), {}, "only the owner"),
        (by_owner("write it"), {"text": "x" * 3000}, "too long to be shown"),
        (by_owner("write it"), {"key": "sk-abcdefghijklmnopqrstuvwxyz0123456789"}, "looks like a secret"),
    ],
    ids=["another user", "too long", "a secret"],
)
async def test_what_is_not_asked_is_not_done_either(
    tickets: SqliteTickets, turn: Turn, arguments: dict[str, object], why: str
) -> None:
    """The model is told why."""
    called = Called()
    with pytest.raises(CommandInvalid, match=why):
        await tool(tickets, called).run(turn, arguments)

    assert called.requests == []


async def test_a_tool_that_is_vouched_for_runs_for_the_owner(tickets: SqliteTickets) -> None:
    """Without a question; its results are outside text, and nobody else may use it."""
    called = Called()
    reading = tool(tickets, called, vouched=True)
    told = await reading.run(by_owner("read it"), {"a": 1})
    with pytest.raises(CommandInvalid, match="only the owner"):
        await reading.run(said("read it"), {"a": 1})

    assert told == "done"
    assert json.loads(called.requests[0].arguments) == {"a": 1}
    assert (reading.writes, reading.outside) == (False, True)
    assert tool(tickets, called).writes
