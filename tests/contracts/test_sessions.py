"""Sessions that go on: their age, what is learned from them, and whose titles they have."""

from __future__ import annotations

from datetime import timedelta

from bot.messages import Address
from bot.turn import NextSession, Reply
from harness.samples import HERE, SCOPE, exchange, turn
from tests.contracts.stores import Stores


async def test_a_session_that_went_on_is_not_idle_nor_learned_from_twice(stores: Stores) -> None:
    """It is as young as the moment it went on; what was learned from before is not read again.

    Seen to fail with ``active_at`` left as it was, and with ``learned_upto`` left out of what is queued.
    """
    first = await stores.turns.session(HERE)
    await stores.turns.commit(turn(exchange("e1", "My sister Vera lives in Porto.", session=first)))
    await stores.turns.commit(turn(None, reply=Reply("New.", next_session=NextSession())))
    (ended,) = await stores.learning.due(stores.clock.now(), 9)
    await stores.learning.finish(ended)
    stores.clock.move(days=30)
    await stores.turns.commit(turn(None, reply=Reply("Back.", next_session=NextSession(id=first.id))))
    idle = await stores.turns.close_idle(stores.clock.now() - timedelta(hours=6))
    session = await stores.turns.session(HERE)
    nothing_new = await stores.learning.due(stores.clock.now(), 9)
    await stores.turns.commit(turn(exchange("e2", "She has two cats.", session=first)))
    await stores.turns.commit(turn(None, reply=Reply("New.", next_session=NextSession())))
    (again,) = await stores.learning.due(stores.clock.now(), 9)

    assert idle == ()
    assert session.id == first.id
    assert nothing_new == ()
    assert [each.uid for each in await stores.learning.exchanges(again, 9)] == ["e2"]


async def test_titles_go_with_the_memory_they_belong_to(stores: Stores) -> None:
    """Forgetting everything leaves no title, and another place's session cannot be gone on with."""
    elsewhere = Address("telegram", 7, 99)
    await stores.turns.commit(turn(None, reply=Reply("New.", next_session=NextSession("Tulips"))))
    here = await stores.turns.session(HERE)
    await stores.turns.commit(turn(exchange("e1", "Hello there, tulips.", session=here)))
    before = await stores.turns.list_sessions(HERE, SCOPE, limit=9)
    await stores.turns.commit(turn(None, address=elsewhere, reply=Reply("Go.", next_session=NextSession(id=here.id))))
    there = await stores.turns.session(elsewhere)
    await stores.eraser.erase_scope(SCOPE)
    later = stores.clock.now() + timedelta(days=1)
    await stores.turns.commit(turn(exchange("e2", "Now something else.", session=here, said_at=later)))
    after = await stores.turns.list_sessions(HERE, SCOPE, limit=9)

    assert [each.title for each in before.sessions] == ["Tulips"]
    assert there.id != here.id
    assert [each.title for each in after.sessions] == [""]
