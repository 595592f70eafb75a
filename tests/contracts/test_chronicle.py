"""The contract of :class:`bot.ports.memory_store.Chronicle`: its lines come and go with their exchanges."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.memory.chronicle import WrittenLine
from bot.memory.items import Origin, Part, Trust
from bot.memory.scope import Scope
from bot.ports.eraser import ErasureTarget
from bot.ports.turn_store import EndedSession, Learned
from harness.samples import ANNA, HERE, NOON, SCOPE, exchange, item, turn
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
    for uid, text, revises in (("e1", "I moved to Porto.", 0), ("e2", "I moved to Riga.", 5)):
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


LONG = (
    "After weeks of talking with my sister Vera and the landlord about the flat by the river, and although it costs "
    "more than we wanted, we decided to move to Porto in May."
)
WORDED = "We decided to move to Porto in May."


async def learn(stores: Stores, *written: WrittenLine) -> None:
    """End the session here and save what a model made of it, as learning does."""
    await stores.turns.close(HERE)
    (ended,) = await stores.learning.due(stores.clock.now(), 9)
    read = await stores.learning.exchanges(ended, 40)
    saved = await stores.learning.save_learned(ended, read, Learned((), written), stores.clock.now())
    await stores.learning.finish(saved)


async def test_a_models_line_takes_the_place_of_the_one_it_rewords(stores: Stores) -> None:
    """Same key, weight, author, time and trust: no more than its source has."""
    await say(stores, "e1", LONG, "We decided that you call the landlord.")
    await say(stores, "e2", "I like tea with lemon.")
    before = await stores.chronicle.read_lines(SCOPE)
    await learn(stores, WrittenLine("e1", WORDED))
    after = await stores.chronicle.read_lines(SCOPE)

    assert [line.exchange for line in before] == ["e1", "e1", "e2"]
    assert before[0].text != WORDED
    assert after == (replace(before[0], text=WORDED), *before[1:])


async def test_a_models_line_that_rewords_nothing_changes_nothing(stores: Stores) -> None:
    """Of another exchange, of one that was not read, of one in another scope, or of small talk."""
    await say(stores, "f1", LONG, scope=OTHER)
    await say(stores, "e1", "I like tea with lemon.")
    await say(stores, "e2", "Thanks!")
    before = [await lines(stores), await lines(stores, OTHER)]
    await learn(stores, *(WrittenLine(uid, WORDED) for uid in ("e1", "e2", "e3", "f1")))

    assert [await lines(stores), await lines(stores, OTHER)] == before


async def test_a_models_line_goes_with_its_exchange_and_with_the_whole_chat(stores: Stores) -> None:
    """Erased, it is gone at once; others stay."""
    await say(stores, "e1", LONG)
    await say(stores, "e2", LONG.replace("Porto", "Riga"))
    await learn(stores, WrittenLine("e1", WORDED), WrittenLine("e2", "We move to Riga in May."))
    both = await lines(stores)
    await stores.eraser.erase_exchanges(SCOPE, ("e1",))
    left = await lines(stores)
    await stores.eraser.erase_scope(SCOPE)

    assert both == [WORDED, "We move to Riga in May."]
    assert left == ["We move to Riga in May."]
    assert await lines(stores) == []


async def test_an_edit_takes_a_models_line_out(stores: Stores) -> None:
    """The newest version of the message has the rules' line."""
    session = await stores.turns.session(HERE)
    await stores.turns.commit(turn(exchange("e1", LONG, "", session=session, message_id=5)))
    await learn(stores, WrittenLine("e1", WORDED))
    worded = await lines(stores)
    revised = exchange("e2", "I moved to Riga.", "", session=session, message_id=5, revises=5)
    await stores.turns.commit(turn(revised))

    assert worded == [WORDED]
    assert await lines(stores) == ["I moved to Riga."]


async def test_learning_that_is_repeated_ends_the_same(stores: Stores) -> None:
    """As after a crash between two batches: the newest wording stands, once."""
    await say(stores, "e1", LONG)
    await learn(stores, WrittenLine("e1", "We move to Porto in May."))
    await say(stores, "e2", "Hi!")
    (session,) = {line.session for line in await stores.chronicle.read_lines(SCOPE)}
    again = EndedSession(session, SCOPE, upto=0, attempts=0)
    read = await stores.learning.exchanges(again, 40)
    for _ in range(2):
        await stores.learning.save_learned(again, read, Learned((), (WrittenLine("e1", WORDED),)), NOON)

    assert await lines(stores) == [WORDED]


@pytest.mark.parametrize("how", ["erased", "edited"])
async def test_nothing_is_saved_of_what_changed_while_a_model_read_it(stores: Stores, how: str) -> None:
    """Neither lines nor items, nor how far it went: it is read again."""
    session = await stores.turns.session(HERE)
    for uid, text in (("e1", LONG), ("e2", LONG.replace("Porto", "Riga"))):
        await stores.turns.commit(turn(exchange(uid, text, "", session=session, message_id=int(uid[1]))))
    await stores.turns.close(HERE)
    (ended,) = await stores.learning.due(stores.clock.now(), 9)
    read = await stores.learning.exchanges(ended, 40)
    if how == "erased":
        await stores.eraser.erase(SCOPE, ErasureTarget(exchanges=("e1",)), author_id=ANNA.id)
    else:
        revised = exchange("e3", "We stay.", "", session=session, message_id=1, revises=1)
        await stores.turns.commit(turn(revised))
    learned = Learned((item("Anna moves to Riga.", exchange="e2"),), (WrittenLine("e2", "We move to Riga in May."),))
    saved = await stores.learning.save_learned(ended, read, learned, NOON)

    assert saved == ended
    assert "We move to Riga in May." not in await lines(stores)
    assert WORDED not in await lines(stores)
