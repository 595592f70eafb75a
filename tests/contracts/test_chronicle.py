"""The contract of :class:`bot.ports.chronicle.Chronicle`: its lines come and go with their exchanges."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.memory.items import Origin, Part, Trust
from bot.memory.scope import Scope
from harness.samples import ANNA, NOON, SCOPE, exchange, turn
from tests.contracts.stores import Stores
from tests.contracts.test_eraser import OTHER, say


async def lines(stores: Stores, scope: Scope = SCOPE) -> list[str]:
    """What a scope's chronicle says."""
    return [line.text for line in await stores.chronicle.read_lines(scope)]


async def test_what_was_said_is_written_down_with_its_source(stores: Stores) -> None:
    """Each line names its exchange, session, author, time and trust; small talk gives none."""
    session = await say(stores, "e1", "We decided to paint the kitchen green.")
    await say(stores, "e2", "Thanks!")
    first, *others = await stores.chronicle.read_lines(SCOPE)

    assert others == []
    assert first.text == "We decided to paint the kitchen green."
    assert (first.exchange, first.session, first.role) == ("e1", session.id, "user")
    assert (first.author_id, first.author, first.trust) == (ANNA.id, ANNA.name, ANNA.trust)
    assert first.said_at == NOON


async def test_an_exchange_that_is_not_stored_yet_has_no_line_and_scopes_are_apart(stores: Stores) -> None:
    """A scope reads its own lines alone."""
    await say(stores, "e1", "We decided to paint the kitchen green.")
    await say(stores, "f1", "We decided to sell the boat.", scope=OTHER)

    assert await lines(stores) == ["We decided to paint the kitchen green."]
    assert await lines(stores, OTHER) == ["We decided to sell the boat."]
    assert await lines(stores, Scope("tu99")) == []


async def test_lines_go_with_their_exchange_and_with_the_whole_chat(stores: Stores) -> None:
    """Erased, they are gone at once; others stay."""
    await say(stores, "e1", "We decided to paint the kitchen green.")
    await say(stores, "e2", "I moved to Porto in May.")
    await stores.eraser.erase_exchanges(SCOPE, ("e1",))
    left = await lines(stores)
    await stores.eraser.erase_scope(SCOPE)

    assert left == ["I moved to Porto in May."]
    assert await lines(stores) == []


async def test_an_edit_takes_the_old_line_out(stores: Stores) -> None:
    """The newest version of a message alone is in the chronicle."""
    session = await stores.turns.session(turn(exchange("x", "y")).address)
    for uid, text, revises in (("e1", "I moved to Porto.", False), ("e2", "I moved to Riga.", True)):
        said = exchange(uid, text, "", session=session, message_id=5, revises=revises)
        await stores.turns.commit(turn(said))

    assert await lines(stores) == ["I moved to Riga."]


async def test_what_somebody_else_wrote_and_what_only_repeats_memory_is_left_out(stores: Stores) -> None:
    """A forward is not its sender's word, nor is an echo a new one."""
    session = await stores.turns.session(turn(exchange("x", "y")).address)
    part = Part(Origin.FORWARDED, "We decided to close the shop.", "Boris", 7, Trust.FILE)
    await stores.turns.commit(turn(replace(exchange("e1", "", "", session=session), parts=(part,))))
    await stores.turns.commit(turn(replace(exchange("e2", "", "We decided to close it.", session=session), echo=True)))

    assert await lines(stores) == []


async def test_lines_are_read_in_order_of_time(stores: Stores) -> None:
    """Oldest first."""
    session = await stores.turns.session(turn(exchange("x", "y")).address)
    for number in range(3):
        said = exchange(f"e{number}", f"I moved to town number {number}.", "", session=session)
        await stores.turns.commit(turn(said))
    read = await stores.chronicle.read_lines(SCOPE)

    assert [line.exchange for line in read] == ["e0", "e1", "e2"]
    assert timedelta(0) <= read[-1].said_at - read[0].said_at
