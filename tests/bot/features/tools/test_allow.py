"""What a press of /allow makes of a call that waits."""

from __future__ import annotations

import pytest

from adapters.sqlite.database import Database
from adapters.sqlite.tickets import SqliteTickets
from bot.errors import CommandInvalid
from bot.features.tools.register import Allow
from bot.messages import InboundMessage
from bot.ports.system import CommandCall
from bot.ports.tickets import Asked, TicketKind
from bot.ports.tool import ToolOutcome, ToolRequest
from bot.turn import Session
from harness.samples import ANNA, HERE, NOON, SCOPE


async def issue(database: Database) -> str:
    """Return the token of a call that waits."""
    content = ("files", "write", "v1", '{"path": "a.txt"}')
    return await SqliteTickets(database).issue(TicketKind.CALL, Asked(SCOPE, HERE, ANNA.id), content, NOON, 600)


class Server:
    """Answers a text and counts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked = 0

    async def carry_out(self, _: ToolRequest) -> ToolOutcome:
        """Answer."""
        self.asked += 1
        return ToolOutcome(self.text)


async def press(database: Database, server: Server, token: str) -> tuple[str, str]:
    """Press the button and return what is shown and what stands in the history."""
    message = InboundMessage(HERE, 1, 7, ANNA, f"/allow {token}", NOON)
    call = CommandCall("allow", token, message, SCOPE, Session(1, NOON), NOON)
    allow = Allow(SqliteTickets(database), server)  # type: ignore[arg-type]  # the part of the port that is asked
    reply = await allow.run(call)
    assert reply.called is not None
    return reply.text, reply.called.result


async def test_a_press_calls_once_and_says_what_came_of_it(database: Database) -> None:
    """The same press, run again after a crash, is told the same; a guess calls nothing."""
    server = Server("written; key: sk-abcdefghijklmnopqrstuvwxyz0123456789")
    token = await issue(database)
    first, again = [await press(database, server, token) for _ in range(2)]
    with pytest.raises(CommandInvalid, match="not open any more"):
        await press(database, server, "guess")

    assert [each[1].startswith("written") for each in (first, again)] == [True, True]
    assert "written" in first[0]
    assert "sk-abc" not in again[0]
    assert server.asked == 1


@pytest.mark.parametrize(
    ("length", "shown", "kept"), [(3_000, 3_000, 3_000), (3_001, 3_000, 3_001), (9_000, 3_000, 8_000)]
)
async def test_a_long_answer_is_cut(database: Database, length: int, shown: int, kept: int) -> None:
    """Shorter in the chat than in the history that the model reads."""
    token = await issue(database)
    text, history = await press(database, Server("x" * length), token)

    assert text.count("x") == shown
    assert ("…" in text) is (length > shown)
    assert len(history) == kept
