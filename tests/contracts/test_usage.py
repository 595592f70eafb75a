"""The ledger of tokens: it adds up, keeps scopes apart, and goes with what is erased."""

from __future__ import annotations

from bot.memory.scope import Scope
from bot.usage import Usage, UsageKind
from harness.samples import SCOPE, exchange, turn
from tests.contracts.stores import Stores

MODEL = "llama-3.1"


async def settle(stores: Stores, uid: str) -> None:
    """Store something, so that what was noted is stored along with it."""
    await stores.turns.commit(turn(exchange(uid, "x")))


async def test_calls_add_up_by_purpose_and_day(stores: Stores) -> None:
    """Answers and background are told apart, and today from all the days before."""
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(100, 10, 1, 60, 4))
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(200, 20, 1, 150))
    stores.usage.note(SCOPE, UsageKind.LEARNING, "", Usage(50, 5, 1))
    await settle(stores, "e1")
    stores.clock.move(days=1)
    stores.usage.note(SCOPE, UsageKind.ANSWER, "other", Usage(7, 1, 1))
    await settle(stores, "e2")

    today, in_all = await stores.usage.read(SCOPE)

    assert (today.answers, today.background) == (Usage(7, 1, 1), Usage())
    assert in_all.answers == Usage(307, 31, 3, 210, 4)
    assert in_all.background == Usage(50, 5, 1)
    assert round(in_all.background_share, 3) == round(55 / 393, 3)


async def test_scopes_are_apart_and_erased_with_their_memory(stores: Stores) -> None:
    """Nobody sees what another chat costs; forgetting everything forgets the counts."""
    other = Scope("tu43")
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(100, 10, 1))
    stores.usage.note(other, UsageKind.SUMMARY, MODEL, Usage(9, 9, 1))
    await settle(stores, "e1")
    await stores.eraser.erase_scope(SCOPE)

    (_, mine), (_, theirs) = await stores.usage.read(SCOPE), await stores.usage.read(other)

    assert mine.total == Usage()
    assert theirs.background == Usage(9, 9, 1)


async def test_an_unknown_scope_has_cost_nothing(stores: Stores) -> None:
    """Reading makes nothing."""
    today, in_all = await stores.usage.read(Scope("tu99"))

    assert (today.total, in_all.total, in_all.background_share) == (Usage(), Usage(), 0.0)
