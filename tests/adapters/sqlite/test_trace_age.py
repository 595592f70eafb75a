"""The age of traces: how far back /why can look."""

from __future__ import annotations

from datetime import timedelta

from adapters.sqlite.conversations.journal import delete_outdated
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from bot.config.schema import RetentionSettings
from bot.turn import Trace
from harness.samples import HERE, NOON, HeldClock, exchange, turn


async def test_old_traces_go_and_their_exchanges_stay(database: Database) -> None:
    """``retention.traceDays`` counts from when something was said; what was said itself is memory."""
    clock = HeldClock()
    turns = SqliteTurns(database, now=clock.now)
    trace = Trace(notes=("long-term memory unavailable",))
    await turns.commit(turn(exchange("e1", "hello", said_at=NOON), trace=trace))
    await delete_outdated(database, RetentionSettings(trace_days=10), NOON + timedelta(days=9))
    before = await turns.last(HERE)
    await delete_outdated(database, RetentionSettings(trace_days=10), NOON + timedelta(days=11))
    after = await turns.last(HERE)

    assert before is not None
    assert before.trace.notes == trace.notes
    assert after is not None
    assert (after.question, after.trace.notes) == ("hello", ())
