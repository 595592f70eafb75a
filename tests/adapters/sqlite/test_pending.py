"""What waits for a press of a button: how much of it, for how long, and what a press makes of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from adapters.sqlite.database import Database
from adapters.sqlite.pending import SqlitePendingCalls, SqliteProposals, SqliteToolApprovals
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.ports.tickets import Proposal
from bot.ports.tool import ToolRequest
from harness.samples import ANNA, NOON, SCOPE

REQUEST = ToolRequest("files", "write", "v1", '{"path": "a.txt"}')
OTHER = Scope("tu43")


async def count(database: Database, table: str) -> int:
    """Return how many rows a table has."""
    rows = await database.read(lambda connection: connection.execute(f"SELECT count(*) FROM {table}").fetchone())  # noqa: S608 - a name of ours
    return int(rows[0])


@pytest.mark.parametrize("table", ["pending_calls", "proposals"])
async def test_a_hundred_wait_a_day(database: Database, table: str) -> None:
    """Of one memory; what others were asked stays, and a day later the next question clears all away."""
    calls, proposals = SqlitePendingCalls(database, "allow"), SqliteProposals(database, "keep")

    async def propose(scope: Scope, seconds: float) -> str:
        at = NOON + timedelta(seconds=seconds)
        if table == "proposals":
            return await proposals.propose(scope, ANNA.id, Proposal("text", Trust.USER), at)
        return await calls.propose(scope, ANNA.id, REQUEST, at)

    await propose(OTHER, 0)
    commands = [await propose(SCOPE, second) for second in range(102)]
    full = await count(database, table)
    await propose(SCOPE, 86_400 + 101)
    kept = await count(database, table)
    await propose(SCOPE, 86_400 + 102.5)

    assert full == 101
    assert kept == 2
    assert await count(database, table) == 2
    assert {len(command.partition(" ")[2]) for command in commands} == {16 if table == "proposals" else 24}


async def test_a_call_may_be_agreed_to_for_ten_minutes(database: Database) -> None:
    """To the second, by whichever way the clock was set."""
    calls = SqlitePendingCalls(database, "allow")
    for seconds, open_ in ((600, True), (601, False), (-600, True), (-601, False)):
        token = (await calls.propose(SCOPE, ANNA.id, REQUEST, NOON)).partition(" ")[2]
        taken = await calls.take(token, SCOPE, ANNA.id, 1, NOON + timedelta(seconds=seconds))
        assert (taken is not None) is open_, seconds


async def test_a_changed_tool_is_approved_anew(database: Database) -> None:
    """The first tools of a server are; what changes afterwards waits for somebody's word."""
    approvals = SqliteToolApprovals(database)
    first = await approvals.check("files", {"write": "v1", "read": "v1"})
    changed = await approvals.check("files", {"write": "v2", "read": "v1"})
    await approvals.approve("files", "write", "v2")

    assert first == {"write", "read"}
    assert changed == {"read"}
    assert await approvals.check("files", {"write": "v2", "read": "v1"}) == {"write", "read"}
