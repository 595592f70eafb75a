"""What waits for a press or a text: for whom, where, how long, how much of it, and that it is used once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.items import SqliteItems
from adapters.sqlite.tickets import SqliteTickets, SqliteToolApprovals
from bot.memory.scope import Scope
from bot.messages import MessageKind
from bot.ports.eraser import ErasureTarget
from bot.ports.tickets import Asked, TicketKind
from harness.samples import ANNA, HERE, NOON, SCOPE, HeldClock, WordEmbedder, item, message

WHO = Asked(SCOPE, HERE, ANNA.id)
OTHER = replace(WHO, scope=Scope("tu43"))
TOPIC = replace(WHO, address=replace(HERE, topic_id=3))
FOUND_BY_PLACE = (TicketKind.TEXT, TicketKind.QUESTION)
ALL = (TicketKind.PROPOSAL, TicketKind.CALL, *FOUND_BY_PLACE)


@pytest.fixture
def tickets(database: Database) -> SqliteTickets:
    return SqliteTickets(database)


async def count(database: Database, kind: TicketKind) -> int:
    """Return how many tickets of a kind are kept."""
    query = "SELECT count(*) FROM tickets WHERE kind = ?"
    rows = await database.read(lambda connection: connection.execute(query, (kind,)).fetchone())
    return int(rows[0])


@pytest.mark.parametrize("kind", ALL)
async def test_a_ticket_is_used_once_by_who_was_asked_where_they_were_asked(
    tickets: SqliteTickets, kind: TicketKind
) -> None:
    """Another person, place, scope, token and update get nothing; the same update gets it again, and what came of it.

    Shown to fail with the asker, the place or the scope left out of the query.
    """
    await tickets.issue(kind, replace(OTHER, person_id=1), ("theirs",), NOON, 300)  # a scope that there is
    token = await tickets.issue(kind, WHO, ("a", "\ud800 b"), NOON, 300)
    strangers = [
        replace(WHO, person_id=43),
        replace(WHO, address=replace(HERE, chat_id=5)),
        replace(WHO, address=replace(HERE, bot_id=8)),
        OTHER,
        *([TOPIC] if kind in FOUND_BY_PLACE else []),
    ]
    for stranger in strangers:
        assert await tickets.find(kind, stranger, NOON, token) is None
        assert await tickets.use(kind, stranger, 1, NOON, token) is None
    others = [other for other in ALL if other is not kind]
    assert [await tickets.use(other, WHO, 1, NOON, token) for other in others] == [None] * 3
    found = await tickets.find(kind, WHO, NOON, token)
    first = await tickets.use(kind, WHO, 1, NOON, token)
    again = await tickets.use(kind, WHO, 1, NOON + timedelta(seconds=301), token)
    await tickets.settle(token, ("done", ""))
    told = await tickets.use(kind, WHO, 1, NOON, token)

    assert found == ("a", "\ud800 b")
    assert first is not None
    assert (first.content, first.first, first.outcome) == (found, True, None)
    assert again == replace(first, first=False)
    assert told == replace(first, first=False, outcome=("done", ""))
    assert await tickets.use(kind, WHO, 2, NOON, token) is None
    assert await tickets.find(kind, WHO, NOON, token) is None


async def test_a_guess_is_no_token(tickets: SqliteTickets) -> None:
    """Nor is none; a token is no button either."""
    token = await tickets.issue(TicketKind.CALL, WHO, ("a",), NOON, 300)
    press = replace(message(token, 3), kind=MessageKind.BUTTON)

    assert await tickets.use(TicketKind.CALL, WHO, 1, NOON) is None
    assert await tickets.use(TicketKind.CALL, WHO, 1, NOON, "guess") is None
    assert await tickets.press(press, NOON) == "button_expired"
    assert len(token) == 24


@pytest.mark.parametrize("kind", ALL)
async def test_a_ticket_lasts_as_long_as_was_said(tickets: SqliteTickets, kind: TicketKind) -> None:
    """To the second, by whichever way the clock was set."""
    token = await tickets.issue(kind, WHO, ("a",), NOON, 600)
    found = [
        await tickets.find(kind, WHO, NOON + timedelta(seconds=seconds), token) is not None
        for seconds in (600, 601, -600, -601)
    ]

    assert found == [True, False, True, False]
    assert await tickets.use(kind, WHO, 1, NOON + timedelta(seconds=601), token) is None


@pytest.mark.parametrize("kind", FOUND_BY_PLACE)
async def test_a_new_question_takes_the_place_of_an_open_one(tickets: SqliteTickets, kind: TicketKind) -> None:
    """Of the same person in the same place; who talks of something else is waited for no longer."""
    other = replace(WHO, person_id=43)
    for asked, content in ((WHO, "old"), (TOPIC, "topic"), (other, "kim"), (WHO, "new")):
        await tickets.issue(kind, asked, (content,), NOON, 300)
    found = [await tickets.find(kind, asked, NOON) for asked in (WHO, TOPIC, other)]
    await tickets.withdraw(kind, WHO)

    assert found == [("new",), ("topic",), ("kim",)]
    assert await tickets.find(kind, WHO, NOON) is None
    assert await tickets.find(kind, other, NOON) == ("kim",)


@pytest.mark.parametrize("kind", [TicketKind.PROPOSAL, TicketKind.CALL])
async def test_a_hundred_wait(database: Database, tickets: SqliteTickets, kind: TicketKind) -> None:
    """Of one memory; what others were asked stays.

    The next question clears away what is over, but what was used only a day later: a turn that a crash interrupted
    asks again what came of it.
    """

    async def issue(asked: Asked, seconds: float) -> str:
        return await tickets.issue(kind, asked, ("a",), NOON + timedelta(seconds=seconds), 600)

    await issue(OTHER, 0)
    tokens = [await issue(WHO, second) for second in range(102)]
    full = await count(database, kind)
    used = [await tickets.use(kind, WHO, 1, NOON, token) is not None for token in (tokens[1], tokens[2])]
    left = []
    for second in (600 + 101, 86_400, 86_400 + 2.5):
        await issue(OTHER, second)
        left.append(await count(database, kind))

    assert full == 101
    assert used == [False, True]
    assert left == [3, 2, 2]


@pytest.mark.parametrize("all_of_it", [True, False])
async def test_an_erase_closes_what_is_open(database: Database, tickets: SqliteTickets, *, all_of_it: bool) -> None:
    """In its scope: it may hold words of what was erased."""
    clock, folder = HeldClock(), database.path.parent / "items"
    mine = [await tickets.issue(kind, WHO, ("a",), NOON, 600) for kind in ALL]
    theirs = await tickets.issue(TicketKind.CALL, OTHER, ("a",), NOON, 600)
    noted = await SqliteItems(database, WordEmbedder(), clock).add(SCOPE, item("ship on Friday"))
    eraser = SqliteEraser(database, clock, folder)
    await (eraser.erase_scope(SCOPE) if all_of_it else eraser.erase(SCOPE, ErasureTarget(items=(noted,))))

    found = [await tickets.find(kind, WHO, NOON, token) for kind, token in zip(ALL, mine, strict=True)]
    assert found == [None] * 4
    assert await tickets.find(TicketKind.CALL, OTHER, NOON, theirs) == ("a",)


async def test_a_changed_tool_is_approved_anew(database: Database) -> None:
    """The first tools of a server are; what changes afterwards waits for somebody's word."""
    approvals = SqliteToolApprovals(database)
    first = await approvals.check("files", {"write": "v1", "read": "v1"})
    changed = await approvals.check("files", {"write": "v2", "read": "v1"})
    await approvals.approve("files", "write", "v2")

    assert first == {"write", "read"}
    assert changed == {"read"}
    assert await approvals.check("files", {"write": "v2", "read": "v1"}) == {"write", "read"}
