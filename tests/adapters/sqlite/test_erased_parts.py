"""Erasure of parts: forgotten text goes from every quotation and forward of it, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.candidates import SqliteKeptTexts
from adapters.sqlite.erasure.eraser import SqliteEraser
from bot.memory.items import Channel, Origin, Part, Recalled, Trust
from bot.messages import Address, Quote
from bot.ports.eraser import ErasureTarget
from bot.turn import Trace
from harness.samples import HERE, SCOPE, HeldClock, exchange, item, message, turn
from tests.adapters.sqlite.test_erased_bytes import CANARY, grep

SECRET = f"The key of the {CANARY} house is under the third stone."
BUSINESS = "The meeting moved to Monday."
ELSEWHERE = Address("telegram", 7, 42, 9)


def forwarded(text: str) -> Part:
    return Part(Origin.FORWARDED, text, "Bob", 43)


def quoted(text: str) -> Part:
    return Part(Origin.QUOTED, text, "Anna", 42, Trust.USER)


async def fill(database: Database) -> None:
    """One statement, and everything that passes it on: in its own session and in another one."""
    turns = SqliteTurns(database)
    first, second = await turns.session(HERE), await turns.session(ELSEWHERE)
    trace = Trace(memories=(Recalled("turn:quoted:user", f"… {SECRET}", Channel.TURN, 1.0, exchange="quoted"),))
    said = [
        (exchange("before", "Look at this.", "Fine."), (forwarded(f"{SECRET} {BUSINESS}"),)),
        (exchange("secret", SECRET, "Noted."), ()),
        (exchange("quoted", "Is that still so?", "It is."), (quoted(SECRET),)),
        (exchange("piece", "What house is that?", "Yours."), (quoted(CANARY),)),
        (exchange("whole", "", "I have read it."), (forwarded(SECRET),)),
        (exchange("mixed", "", "I have read it."), (forwarded(f"{BUSINESS}\n{SECRET}"),)),
        (exchange("other", "Hello there.", "Hello."), (forwarded(BUSINESS), quoted("Good morning."))),
    ]
    for number, (one, parts) in enumerate(said):
        session, address = ((first, HERE), (second, ELSEWHERE))[number % 2]
        told = replace(one, session_id=session.id, parts=parts)
        items = tuple(item(part.text, exchange=one.uid, trust=Trust.FILE) for part in parts if part.text != CANARY)
        seen = trace if one.uid == "other" else None
        await turns.commit(turn(told, address=address, items=items, document=True, trace=seen))
    # A document as the indexer renders it holds the forward, too: it waits in the outbox.
    await database.write(
        lambda connection: connection.execute(
            "UPDATE outbox SET text = text || char(10) || 'Forwarded: ' || ? WHERE source LIKE '%before%'", (SECRET,)
        )
    )


def eraser_of(database: Database, clock: HeldClock, undo_s: float) -> SqliteEraser:
    folder = database.path.parent / "items"
    return SqliteEraser(database, clock, folder, undo_s=lambda: undo_s)


async def parts_of(database: Database) -> dict[str, list[Any]]:  # Any: column values
    """The texts and the waiting documents of every exchange."""

    def read(connection: Any) -> dict[str, list[Any]]:  # Any: sqlite3's types
        said = connection.execute("SELECT uid, user_text, assistant_text, parts FROM exchanges ORDER BY id")
        waiting = connection.execute("SELECT source, text FROM outbox WHERE erase = 0 ORDER BY source")
        return {"said": said.fetchall(), "waiting": waiting.fetchall()}

    return await database.read(read)


async def test_what_is_forgotten_is_gone_from_quotations_and_forwards(database: Database) -> None:
    """No byte of it is left, what else was passed on with it stays, and its documents are made again.

    Red before: only answers were looked at, and forwards and quotations kept the text.
    """
    await fill(database)
    done = await eraser_of(database, HeldClock(), 0.0).erase(SCOPE, ErasureTarget(exchanges=("secret",)))
    left = await parts_of(database)
    await database.close()

    assert grep(database.path.parent) == []
    assert grep(database.path.parent, "third stone") == []
    assert done.residue == ()
    assert [row[0] for row in left["said"]] == ["before", "quoted", "piece", "mixed", "other"]
    assert BUSINESS in left["said"][0][3]
    assert left["said"][3][1] == BUSINESS
    assert BUSINESS in left["said"][4][3]
    assert "Good morning." in left["said"][4][3]
    assert any("before" in source and f"Forwarded (from Bob): {BUSINESS}" in text for source, text in left["waiting"])


async def test_what_is_left_is_told_once_and_only_as_its_newest_version(database: Database) -> None:
    """Long-term memory removes the old document and then gets the new one; what an edit replaced stays replaced."""
    turns = SqliteTurns(database)
    passed_on = (forwarded(f"{SECRET} {BUSINESS}"),)
    await turns.commit(turn(exchange("secret", SECRET), document=True))
    for uid, text in (("first", "Look at that."), ("second", "Look at this.")):
        said = replace(exchange(uid, text, message_id=5, revises=5 if uid == "second" else 0), parts=passed_on)
        await turns.commit(turn(said, document=True))
    await eraser_of(database, HeldClock(), 0.0).erase(SCOPE, ErasureTarget(exchanges=("secret",)))
    queued, found = await database.read(
        lambda connection: (
            connection.execute("SELECT source, erase FROM outbox ORDER BY id").fetchall(),
            connection.execute("SELECT DISTINCT uid FROM recall_utterances JOIN exchanges ON id = exchange").fetchall(),
        )
    )
    names = [(source.rsplit("_", 1)[1], erase) for source, erase in queued]

    assert [one for one in names if one[0] == "second.txt"] == [("second.txt", 1), ("second.txt", 0)]
    assert [one for one in names if one[0] == "first.txt"] == [("first.txt", 1)]
    assert found == [("second",)]


async def test_within_the_minute_it_comes_back_into_every_part(database: Database) -> None:
    """Undo is exact; and once the minute is over nothing of it is in what was held, either."""
    await fill(database)
    clock = HeldClock()
    eraser = eraser_of(database, clock, 60.0)
    before = await parts_of(database)
    await eraser.erase(SCOPE, ErasureTarget(exchanges=("secret",)))
    between = await parts_of(database)
    await eraser.undo(SCOPE, 42)
    after = await parts_of(database)
    await eraser.erase(SCOPE, ErasureTarget(exchanges=("secret",)))
    clock.move(seconds=61)
    await eraser.lapse()
    await database.close()

    assert CANARY not in repr(between["said"])
    assert after == before
    assert grep(database.path.parent) == []


@pytest.mark.parametrize("where", ["quotation", "forward"])
async def test_a_word_is_found_where_only_a_part_holds_it(database: Database, where: str) -> None:
    """/forget WORD looks at quotations and forwards, in exchanges and in messages that nobody answered."""
    turns, journal = SqliteTurns(database), SqliteJournal(database)
    part = quoted(SECRET) if where == "quotation" else forwarded(SECRET)
    await turns.commit(turn(replace(exchange("e1", "Look at this."), parts=(part,))))
    stored = await SqliteKeptTexts(database).find(SCOPE, (CANARY,))
    waiting = await journal.accept(replace(message("And this?", 7), quote=Quote("A word of grindelwald.")))
    found = await SqliteKeptTexts(database).find(SCOPE, ("grindelwald",))

    assert [one.ref for one in stored] == ["turn:e1"]
    assert waiting is not None
    assert [one.ref for one in found] == [f"entry:{waiting.id}"]
