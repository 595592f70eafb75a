"""Files that go with replies: kept as long as somebody may need them, and not a moment longer."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.journal import delete_outdated
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.rows.codec import utc_now
from bot.config.schema import RetentionSettings
from bot.files import OutboundFile, write_outbound
from bot.messages import LOST_DRAFT
from bot.ports.messenger import Delivery, DeliveryOutcome, Fate, OfferWords
from bot.turn import Reply
from harness.samples import HERE, SCOPE, HeldClock, exchange, turn

SENT = DeliveryOutcome(Fate.SENT, 5)
LOST = DeliveryOutcome(Fate.UNKNOWN, reason="no answer")
WORDS = OfferWords(lambda count: "one" if count == 1 else str(count), "show")


def made(database: Database, text: str = "all of it", name: str = "answer.md") -> OutboundFile:
    """A file as a turn makes it."""
    return write_outbound(database.path.parent / "outgoing", name, text.encode())


async def planned(database: Database, file: OutboundFile, *, draft_id: int | None = None) -> Delivery:
    """The delivery of a reply of two parts, the last of which is a file."""
    record = turn(exchange("a1", "hi"), parts=("see", ""), reply=Reply("see", file=file), draft_id=draft_id)
    ids = (await SqliteTurns(database).commit(record)).deliveries
    return Delivery(ids[-1], HERE, "", file=file)


async def test_a_planned_file_is_there_after_a_restart(database: Database) -> None:
    """Where it lies and what it is called is stored with the text; the folder may have moved meanwhile."""
    file = made(database)
    await planned(database, file, draft_id=7)

    text, last = await SqliteDeliveries(database).list_unsent()

    assert (text.file, text.draft_id) == (None, 7)
    assert (last.file, last.draft_id, last.text) == (file, None, "")
    assert file.path.read_bytes() == b"all of it"


@pytest.mark.parametrize("fate", [Fate.SENT, Fate.REFUSED])
async def test_a_settled_file_is_deleted(database: Database, fate: Fate) -> None:
    """Nobody needs it once it has arrived, or never will."""
    delivery = await planned(database, made(database))
    assert delivery.file is not None

    await SqliteDeliveries(database).finish(delivery.id, DeliveryOutcome(fate, 5))

    assert not delivery.file.path.exists()


async def test_a_file_of_unknown_fate_is_kept_without_secrets_and_offered(database: Database) -> None:
    """Its chat may ask for it; what secrets it holds are masked, as those of texts are."""
    delivery = await planned(database, made(database, "my key is sk-proj-" + "a1B2c3D4" * 6))
    assert delivery.file is not None
    deliveries = SqliteDeliveries(database)

    await deliveries.finish(delivery.id, LOST)
    offer = await deliveries.offer(HERE, lambda _: WORDS)
    shown = await deliveries.list_for_repetition(HERE, delivery.id)

    assert offer is not None
    assert [each.file for each in shown] == [delivery.file]
    assert b"a1B2c3D4a1B2" not in delivery.file.path.read_bytes()


async def test_an_interrupted_file_is_not_sent_again(database: Database) -> None:
    """An upload that a kill cut off may have arrived: it is offered, never repeated."""
    delivery = await planned(database, made(database))
    deliveries = SqliteDeliveries(database)
    await deliveries.begin_attempt(delivery.id)

    unsent = await deliveries.list_unsent()
    again = await deliveries.list_for_repetition(HERE)

    assert [each.text for each in unsent] == ["see"]
    assert [each.file for each in again] == [delivery.file]


async def test_a_file_shown_again_outlives_the_reply_it_was_made_for(database: Database) -> None:
    """The file goes when the last reply that needs it is settled: two replies name it while it is shown again."""
    delivery = await planned(database, made(database))
    assert delivery.file is not None
    deliveries = SqliteDeliveries(database)
    await deliveries.finish(delivery.id, LOST)
    again = turn(exchange("a2", "/again"), parts=("",), reply=Reply("", file=delivery.file))
    later = utc_now() + timedelta(days=3)
    (second,) = (await SqliteTurns(database, now=lambda: later).commit(again)).deliveries

    await delete_outdated(database, RetentionSettings(), later + timedelta(hours=1))
    kept = delivery.file.path.exists()
    await deliveries.finish(second, SENT)

    assert kept
    assert not delivery.file.path.exists()


async def test_the_whole_of_a_lost_answer_is_in_doubt(database: Database) -> None:
    """Where nobody knows what the chat shows, its file is offered with its text, as long as any such reply is."""
    delivery = await planned(database, made(database), draft_id=LOST_DRAFT)
    unsent = await SqliteDeliveries(database).list_unsent()
    offered = await SqliteDeliveries(database).list_for_repetition(HERE)
    await delete_outdated(database, RetentionSettings(), utc_now() + timedelta(days=400))

    assert unsent == ()
    assert [each.file for each in offered] == [None, delivery.file]
    assert await SqliteDeliveries(database).list_for_repetition(HERE) == ()
    assert delivery.file is not None
    assert not delivery.file.path.exists()


@pytest.mark.parametrize("everything", [True, False])
async def test_an_erase_takes_the_file_off_the_disk(database: Database, *, everything: bool) -> None:
    """A file of unknown fate holds what is erased."""
    delivery = await planned(database, made(database))
    assert delivery.file is not None
    await SqliteDeliveries(database).finish(delivery.id, LOST)
    eraser = SqliteEraser(database, HeldClock(), database.path.parent / "items")

    if everything:
        await eraser.erase_scope(SCOPE)
    else:
        await eraser.erase_exchanges(SCOPE, ("a1",))

    assert not delivery.file.path.exists()
    assert await database.fetch("SELECT path FROM dropped_files") == []


async def test_a_file_of_a_turn_that_failed_goes_in_time(database: Database) -> None:
    """A file that no reply refers to is left to its turn for an hour; at a start no turn is at work."""
    young, old = made(database), made(database)
    os.utime(old.path, (0, 0))

    await delete_outdated(database, RetentionSettings(), utc_now())
    kept = (young.path.exists(), old.path.exists())
    await SqliteDeliveries(database).list_unsent()

    assert kept == (True, False)
    assert not young.path.exists()


async def test_a_file_elsewhere_is_not_taken(database: Database, tmp_path: Path) -> None:
    """What lies outside the data folder cannot be found again after a restart, and is not ours to delete."""
    stray = OutboundFile(tmp_path.parent / "stray.md", "stray.md")
    record = turn(exchange("a1", "hi"), parts=("",), reply=replace(Reply(""), file=stray))

    with pytest.raises(ValueError, match="stray"):
        await SqliteTurns(database).commit(record)
