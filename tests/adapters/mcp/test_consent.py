"""Calls that need consent: what is shown is what is done, at most once, for who was asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest
from mcp_types import Tool as ServerTool

from adapters.mcp.tools import McpTool, read_offers
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.items.store import SqliteItems
from adapters.sqlite.pending import SqlitePendingCalls
from adapters.sqlite.rooms import ROOMS
from bot.errors import CommandInvalid
from bot.memory.items import Trust
from bot.messages import Author
from bot.ports.tool import ConfirmationRequest, ToolOutcome, ToolRequest
from bot.turn import Turn
from harness.samples import HeldClock
from tests.adapters.tools.fixtures import MINE, OTHER, WHEN, NoEmbedder, item, said

OWNER = Author(42, "Anna", Trust.OWNER)


@dataclass
class Called:
    """A server that only notes what it is asked to do."""

    requests: list[ToolRequest] = field(default_factory=list)

    async def __call__(self, request: ToolRequest) -> ToolOutcome:
        self.requests.append(request)
        return ToolOutcome("done")


@pytest.fixture
async def pending(tmp_path: Path) -> AsyncIterator[SqlitePendingCalls]:
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    yield SqlitePendingCalls(database, "allow")
    await database.close()


def by_owner(text: str) -> Turn:
    turn = said(text)
    entry = turn.accepted[0]
    return replace(turn, accepted=(replace(entry, message=replace(entry.message, author=OWNER)),))


def tool(pending: SqlitePendingCalls, called: Called, *, vouched: bool = False) -> McpTool:
    described = ServerTool(name="write", description="Writes.", input_schema={"type": "object"})
    (offer,) = read_offers("files", [described])
    return McpTool("files", offer, called, pending, HeldClock(WHEN).now, vouched=vouched, owner_only=True)


async def test_nothing_is_done_before_it_was_shown_whole(pending: SqlitePendingCalls) -> None:
    """Server, tool and arguments are shown; what is kept for the press is that very text, hidden letters made visible.

    Shown to fail with the arguments written as they came.
    """
    called = Called()
    arguments = {"path": "a\u202etxt.exe", "text": "zero\u200bwidth\nline"}
    asked = await tool(pending, called).run(by_owner("write it"), arguments)
    assert isinstance(asked, ConfirmationRequest)
    taken = await pending.take(asked.command.removeprefix("/allow "), MINE, 42, 1, WHEN)
    assert taken is not None
    head, _, shown = asked.text.partition("\n")

    assert called.requests == []
    assert head == "files → write"
    assert taken.request.arguments == shown
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
    pending: SqlitePendingCalls, turn: Turn, arguments: dict[str, object], why: str
) -> None:
    """The model is told why."""
    called = Called()
    with pytest.raises(CommandInvalid, match=why):
        await tool(pending, called).run(turn, arguments)

    assert called.requests == []


async def test_a_tool_that_is_vouched_for_runs_for_the_owner(pending: SqlitePendingCalls) -> None:
    """Without a question; its results are outside text, and nobody else may use it."""
    called = Called()
    reading = tool(pending, called, vouched=True)
    told = await reading.run(by_owner("read it"), {"a": 1})
    with pytest.raises(CommandInvalid, match="only the owner"):
        await reading.run(said("read it"), {"a": 1})

    assert told == "done"
    assert json.loads(called.requests[0].arguments) == {"a": 1}
    assert (reading.writes, reading.outside) == (False, True)
    assert tool(pending, called).writes


async def test_a_press_takes_a_call_once_and_a_turn_that_is_run_again_does_not_repeat_it(
    pending: SqlitePendingCalls,
) -> None:
    """After a crash between the call and its answer nobody knows; with its outcome stored, that is told again.

    Shown to fail with ``first`` for every turn of the same update.
    """
    request = ToolRequest("files", "write", "v1", "{}")
    token = (await pending.propose(MINE, 42, request, WHEN)).removeprefix("/allow ")

    assert await pending.take(token, OTHER, 42, 1, WHEN) is None
    assert await pending.take(token, MINE, 43, 1, WHEN) is None
    assert await pending.take("guess", MINE, 42, 1, WHEN) is None
    first = await pending.take(token, MINE, 42, 1, WHEN)
    again = await pending.take(token, MINE, 42, 1, WHEN)
    await pending.settle(token, ToolOutcome("key: sk-abcdefghijklmnopqrstuvwxyz0123456789", failed=True))
    told = await pending.take(token, MINE, 42, 1, WHEN)
    other = await pending.take(token, MINE, 42, 2, WHEN)

    assert first is not None
    assert (first.request, first.first) == (request, True)
    assert again is not None
    assert (again.first, again.outcome) == (False, None)
    assert told is not None
    assert told.outcome is not None
    assert (told.first, told.outcome.failed) == (False, True)
    assert "sk-abc" not in told.outcome.text
    assert other is None


@pytest.mark.parametrize("minutes", [11, -11])
async def test_a_question_does_not_stay_open(pending: SqlitePendingCalls, minutes: int) -> None:
    """Ten minutes by any clock."""
    token = (await pending.propose(MINE, 42, ToolRequest("files", "write", "v1", "{}"), WHEN)).removeprefix("/allow ")

    assert await pending.take(token, MINE, 42, 1, WHEN + timedelta(minutes=minutes)) is None


@pytest.mark.parametrize("all_of_it", [True, False])
async def test_an_erase_closes_what_is_open(tmp_path: Path, *, all_of_it: bool) -> None:
    """Its arguments may hold what was erased."""
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    pending = SqlitePendingCalls(database, "allow")
    eraser = SqliteEraser(database, HeldClock(WHEN), tmp_path / "items")
    token = (await pending.propose(MINE, 42, ToolRequest("files", "write", "v1", "{}"), WHEN)).removeprefix("/allow ")
    theirs = (await pending.propose(OTHER, 42, ToolRequest("files", "write", "v1", "{}"), WHEN)).removeprefix("/allow ")
    noted = await SqliteItems(database, NoEmbedder(), HeldClock(WHEN)).add(MINE, item("ship on Friday"))
    await (eraser.erase_scope(MINE) if all_of_it else eraser.erase_items(MINE, (noted,)))
    mine, others = await pending.take(token, MINE, 42, 1, WHEN), await pending.take(theirs, OTHER, 42, 2, WHEN)
    await database.close()

    assert mine is None
    assert others is not None
