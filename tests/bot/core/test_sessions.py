"""Work between turns: it may fail, wait or be cut off, and loses nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.core.sessions import Extraction, SessionKeeping, Summary
from bot.errors import ContextTooLong, ModelUnavailable
from bot.memory.chronicle import WrittenLine
from bot.memory.scope import Scope
from bot.ports.memory_store import Selector
from bot.ports.turn_store import Learned
from bot.turn import Exchange, Session
from harness.samples import HERE, SCOPE, exchange, item, turn
from language.tokens import count_tokens
from tests.contracts.stores import Stores, sqlite_stores


@dataclass
class Learning:
    """Learns one item per batch, or fails."""

    fails: bool = False
    batches: list[int] = field(default_factory=list)

    async def learn_from(self, exchanges: tuple[Exchange, ...]) -> Learned:
        self.batches.append(len(exchanges))
        if self.fails:
            raise ModelUnavailable("HTTP 503")
        return Learned((item(f"learned {len(self.batches)}"),))


@dataclass
class Summing:
    """Says how many exchanges it read."""

    fails: bool = False
    says: str = ""
    read: list[str] = field(default_factory=list)

    async def summarise(self, exchanges: tuple[Exchange, ...], previous: str) -> str:
        self.read += [each.uid for each in exchanges]
        if self.fails:
            raise ModelUnavailable("HTTP 503")
        return self.says


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    """A real store."""
    async with sqlite_stores(tmp_path) as opened:
        yield opened


def keeping(
    stores: Stores,
    *,
    extraction: Extraction | None = None,
    summary: Summary | None = None,
    idle_minutes: int = 60,
    promoted: list[str] | None = None,
    compact_after_tokens: int = 200,
) -> SessionKeeping:
    """The upkeep of a store."""

    async def promote(scope: Scope) -> int:
        if promoted is not None:
            promoted.append(scope.tag)
        return 0

    return SessionKeeping(
        turns=stores.turns,
        sessions=stores.turns,
        queue=stores.learning,
        promote=promote,
        extraction=extraction,
        summary=summary,
        clock=stores.clock,
        idle_minutes=idle_minutes,
        compact_after_tokens=compact_after_tokens,
    )


async def talked(stores: Stores, count: int, *, synthetic: bool = False) -> Session:
    """A session with so many exchanges."""
    session = await stores.turns.session(HERE)
    for number in range(count):
        said = exchange(
            f"e{number}", f"word {number} " * 20, session=session, said_at=stores.clock.now(), synthetic=synthetic
        )
        await stores.turns.commit(turn(said))
    return session


async def test_silent_sessions_end_and_are_learned_from(stores: Stores) -> None:
    """After the idle time a new session begins; what was said is learned in batches of forty and promoted."""
    learning, promoted = Learning(), list[str]()
    old = await talked(stores, 48)
    upkeep = keeping(stores, extraction=learning, promoted=promoted)
    await upkeep.close_idle()
    too_early = await stores.turns.session(HERE)
    stores.clock.move(minutes=61)
    await upkeep.close_idle()
    await upkeep.learn()
    new = await stores.turns.session(HERE)

    assert (too_early.id, new.id == old.id) == (old.id, False)
    assert learning.batches == [40, 8]
    assert promoted == [SCOPE.tag]
    assert (await stores.items.page(SCOPE, Selector.ALL)).total == 2


async def test_a_session_never_ends_when_that_is_switched_off(stores: Stores) -> None:
    """``session.idleMinutes`` 0."""
    old = await talked(stores, 1)
    stores.clock.move(days=30)
    await keeping(stores, idle_minutes=0).close_idle()

    assert (await stores.turns.session(HERE)).id == old.id


async def test_a_session_that_new_ended_is_learned_from(stores: Stores) -> None:
    """``/new`` ends a session like silence does; nothing of it is learned twice."""
    learning = Learning()
    await talked(stores, 3)
    await stores.turns.close(HERE)
    for _ in range(3):
        await keeping(stores, extraction=learning).learn()

    assert learning.batches == [3]
    assert (await stores.items.page(SCOPE, Selector.ALL)).total == 1


async def test_what_was_compacted_is_learned_from_too(stores: Stores) -> None:
    """A summary hides older exchanges from the history, not from learning."""
    learning, session = Learning(), await talked(stores, 10)
    await keeping(stores, summary=Summing(says="They counted words.")).compact(SCOPE, session)
    await stores.turns.close(HERE)
    await keeping(stores, extraction=learning).learn()

    assert learning.batches == [10]


async def test_what_a_models_outage_kept_from_being_learned_is_learned_later(stores: Stores) -> None:
    """However long the model is down, and in however many processes: each batch is learned once, after growing pauses.

    Without the queue (learning once, when the session ends) this test fails.
    """
    old = await talked(stores, 48)
    stores.clock.move(minutes=61)
    down = Learning(fails=True)
    await keeping(stores).close_idle()
    for _ in range(100):
        await keeping(stores, extraction=down).learn()
        stores.clock.move(minutes=30)
    tried = len(down.batches)

    class Wavering(Learning):
        async def learn_from(self, exchanges: tuple[Exchange, ...]) -> Learned:
            self.fails = len(self.batches) == 1
            return await super().learn_from(exchanges)

    up = Wavering()
    for _ in range(3):
        stores.clock.move(hours=7)
        await keeping(stores, extraction=up).learn()

    assert (await stores.turns.session(HERE)).id != old.id
    assert 8 <= tried <= 20  # fifty hours: a minute first, six hours in the end
    assert up.batches == [40, 8, 8]
    assert (await stores.items.page(SCOPE, Selector.ALL)).total == 2


async def test_exchanges_too_long_for_the_model_are_learned_from_in_smaller_batches(stores: Stores) -> None:
    """A batch that does not fit is halved; an exchange that does not fit alone is left out, and the rest goes on."""

    class Narrow(Learning):
        async def learn_from(self, exchanges: tuple[Exchange, ...]) -> Learned:
            if len(exchanges) > 1 or exchanges[0].uid == "e1":
                raise ContextTooLong("too long")
            return await super().learn_from(exchanges)

    narrow = Narrow()
    await talked(stores, 4)
    await stores.turns.close(HERE)
    await keeping(stores, extraction=narrow).learn()

    assert narrow.batches == [1, 1, 1]
    assert await stores.learning.due(stores.clock.now(), 10) == ()


async def test_the_chronicle_is_worded_with_what_is_learned(stores: Stores) -> None:
    """One call for both; a session that could not be learned from has the rules' lines until it is."""
    said = (
        "After weeks of talking with my sister Vera and the landlord about the flat by the river, and although it "
        "costs more than we wanted, we decided to move to Porto in May."
    )
    session = await stores.turns.session(HERE)
    await stores.turns.commit(turn(exchange("e1", said, session=session)))
    await stores.turns.close(HERE)

    class Wording(Learning):
        async def learn_from(self, exchanges: tuple[Exchange, ...]) -> Learned:
            learned = await super().learn_from(exchanges)
            return replace(learned, lines=(WrittenLine("e1", "We decided to move to Porto in May."),))

    told = []
    for wording in (Wording(fails=True), Wording()):
        await keeping(stores, extraction=wording).learn()
        stores.clock.move(minutes=2)
        told.append([line.text for line in await stores.chronicle.read_lines(SCOPE)])

    assert len(told[0]) == 1
    assert told[0] != told[1]
    assert told[1] == ["We decided to move to Porto in May."]
    assert (await stores.items.page(SCOPE, Selector.ALL)).total == 1


async def test_what_is_erased_while_it_is_learned_from_does_not_come_back(stores: Stores) -> None:
    """Items learned from an exchange that is gone meanwhile are not stored; the rest is learned from once more."""
    await talked(stores, 3)
    await stores.turns.close(HERE)

    class Slow(Learning):
        async def learn_from(self, exchanges: tuple[Exchange, ...]) -> Learned:
            if len(exchanges) == 3:
                await stores.eraser.erase_exchanges(SCOPE, ("e1",))
            self.batches.append(len(exchanges))
            return Learned(tuple(item(f"learned from {each.uid}") for each in exchanges))

    slow = Slow()
    await keeping(stores, extraction=slow).learn()
    found = {each.content for each in (await stores.items.page(SCOPE, Selector.ALL)).items}

    assert slow.batches == [3, 2]
    assert found == {"learned from e0", "learned from e2"}


async def test_what_is_history_only_is_not_learned_from(stores: Stores) -> None:
    """Notices, and what was said while memory was off."""
    learning = Learning()
    await talked(stores, 3, synthetic=True)
    stores.clock.move(minutes=61)
    await keeping(stores, extraction=learning).close_idle()
    await keeping(stores, extraction=learning).learn()

    assert learning.batches == []


async def test_a_long_session_is_compacted_by_its_older_half(stores: Stores) -> None:
    """The summary stands for the older exchanges; nothing is deleted."""
    session = await talked(stores, 10)
    size = sum(count_tokens(text) for each in await stores.turns.history(SCOPE, session.id, 20) for text in each.texts)
    summing = Summing(says="They counted words.")
    done = await keeping(stores, summary=summing, compact_after_tokens=size - 1).compact(SCOPE, session)
    now = await stores.turns.session(HERE)
    left = await stores.turns.history(SCOPE, session.id, 20)

    assert done
    assert summing.read + [each.uid for each in left] == [f"e{number}" for number in range(10)]
    assert len(left) == 2  # of ten alike, a quarter at most
    assert sum(count_tokens(text) for each in left for text in each.texts) <= size / 3
    assert now.summary == "They counted words."
    assert await stores.turns.last(HERE) is not None


async def test_a_compaction_reads_no_more_than_history_may_hold(stores: Stores) -> None:
    """A history that grew far over its room (a smaller model was set) is summarised in several calls, oldest first."""
    await talked(stores, 20)
    summing = Summing(says="They counted words.")
    upkeep = keeping(stores, summary=summing, compact_after_tokens=300)
    read = []
    while await upkeep.compact(SCOPE, await stores.turns.session(HERE)):
        read.append(len(summing.read))

    assert len(read) > 1
    assert summing.read == [f"e{number}" for number in range(read[-1])]
    assert read[0] < 10


@pytest.mark.parametrize("summing", [Summing(fails=True), Summing(says="  ")])
async def test_nothing_is_dropped_when_the_summary_fails(stores: Stores, summing: Summing) -> None:
    """A model that is down or says nothing leaves the history whole."""
    session = await talked(stores, 10)
    with pytest.raises(ModelUnavailable):
        await keeping(stores, summary=summing).compact(SCOPE, session)

    assert len(await stores.turns.history(SCOPE, session.id, 20)) == 10


async def test_a_short_session_is_left_alone(stores: Stores) -> None:
    """As long as it fits there is nothing to gain; without a model nothing is summarised at all."""
    session = await talked(stores, 3)
    summing = Summing(says="short")

    assert not await keeping(stores, summary=summing).compact(SCOPE, session)
    assert not await keeping(stores).compact(SCOPE, await talked(stores, 10))
    assert summing.read == []


async def test_a_session_that_was_used_again_stays_open(stores: Stores) -> None:
    """Idleness counts from the newest exchange."""
    session = await talked(stores, 1)
    stores.clock.move(minutes=59)
    await stores.turns.commit(turn(exchange("late", "and another thing", session=session, said_at=stores.clock.now())))
    stores.clock.move(minutes=59)
    await keeping(stores).close_idle()

    assert (await stores.turns.session(HERE)).id == session.id


async def test_a_summary_of_what_was_forgotten_meanwhile_is_not_kept(stores: Stores) -> None:
    """The model had read it before; what is left is summed up the next time, and /compact tells of nothing done."""

    class Slow(Summing):
        async def summarise(self, exchanges: tuple[Exchange, ...], previous: str) -> str:
            await stores.eraser.erase_exchanges(SCOPE, (exchanges[0].uid,))
            return "They spoke of word 0."

    session = await talked(stores, 9)
    condensed = await keeping(stores, summary=Slow()).condense(SCOPE, session)
    kept = (await stores.turns.session(HERE)).summary
    await keeping(stores, summary=Summing(says="They spoke.")).condense(SCOPE, session)

    assert (condensed.summary, condensed.exchanges, kept) == ("", 0, "")
    assert (await stores.turns.session(HERE)).summary == "They spoke."
