"""The ledger of tokens: it adds up, keeps scopes apart, and goes with what is erased."""

from __future__ import annotations

from datetime import date

from bot.memory.scope import Scope
from bot.ports.usage import UsageRow
from bot.turn import Usage, UsageKind
from harness.samples import NOON, SCOPE, exchange, turn
from tests.contracts.stores import Stores

MODEL = "llama-3.1"


async def settle(stores: Stores, uid: str) -> None:
    """Store something, so that what was noted is stored along with it."""
    await stores.turns.commit(turn(exchange(uid, "x")))


async def test_calls_add_up_by_purpose_and_day(stores: Stores) -> None:
    """Answers and background are told apart, and today from all the days before."""
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(100, 10, 1, 60, 4))
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(200, 20, 1, 150, cache_writes=40))
    stores.usage.note(SCOPE, UsageKind.LEARNING, "", Usage(50, 5, 1))
    await settle(stores, "e1")
    stores.clock.move(days=1)
    stores.usage.note(SCOPE, UsageKind.ANSWER, "other", Usage(7, 1, 1))
    await settle(stores, "e2")

    today, in_all = await stores.usage.read(SCOPE)

    assert (today.answers, today.background) == (Usage(7, 1, 1), Usage())
    assert in_all.answers == Usage(307, 31, 3, 210, 4, cache_writes=40)
    assert in_all.background == Usage(50, 5, 1)
    assert round(in_all.background_share, 3) == round(55 / 393, 3)


async def test_scopes_are_apart_and_erased_with_their_memory(stores: Stores) -> None:
    """Nobody sees what another chat costs; what was forgotten stays on the bill, without saying whose it was."""
    other = Scope("tu43")
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(100, 10, 1))
    stores.usage.note(other, UsageKind.SUMMARY, MODEL, Usage(9, 9, 1))
    await settle(stores, "e1")
    await stores.eraser.erase_scope(SCOPE)

    (_, mine), (_, theirs) = await stores.usage.read(SCOPE), await stores.usage.read(other)

    assert mine.total == Usage()
    assert {row.scope: row.used.prompt for row in await stores.usage.add_up(NOON.date(), NOON.date())} == {
        "": 100,
        "tu43": 9,
    }
    assert theirs.background == Usage(9, 9, 1)


async def test_an_unknown_scope_has_cost_nothing(stores: Stores) -> None:
    """Reading makes nothing."""
    today, in_all = await stores.usage.read(Scope("tu99"))

    assert (today.total, in_all.total, in_all.background_share) == (Usage(), Usage(), 0.0)


async def test_sums_tell_reported_costs_from_others(stores: Stores) -> None:
    """By scope, model and kind, of the days that are asked for; what has no cost is never added to what has one."""
    day = NOON.date()
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(100, 10, 1, cost=7))
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(100, 10, 1, cost=0))
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(1, 1, 1))
    stores.usage.note(Scope("tu43"), UsageKind.CHECK, "", Usage(2, 2, 1))
    await settle(stores, "e1")
    stores.clock.move(days=1)
    stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(5, 5, 1))
    await settle(stores, "e2")

    first, of_all = await stores.usage.add_up(day, day, SCOPE), await stores.usage.add_up(day, date.max)

    assert first == (
        UsageRow(SCOPE.tag, "", MODEL, UsageKind.ANSWER, Usage(1, 1, 1)),
        UsageRow(SCOPE.tag, "", MODEL, UsageKind.ANSWER, Usage(200, 20, 2, cost=7)),
    )
    assert [(row.scope, row.model, row.used.prompt, row.used.cost) for row in of_all] == [
        ("tu42", MODEL, 6, None),
        ("tu42", MODEL, 200, 7),
        ("tu43", "", 2, None),
    ]


async def test_a_scopes_days_are_read_page_by_page(stores: Stores) -> None:
    """In order of days, each whole, and nothing of another scope."""
    for number in range(3):
        stores.usage.note(SCOPE, UsageKind.ANSWER, MODEL, Usage(number + 1, 1, 1))
        stores.usage.note(SCOPE, UsageKind.SEARCH, MODEL, Usage(10, 1, 1))
        stores.usage.note(Scope("tu43"), UsageKind.ANSWER, MODEL, Usage(99, 9, 1))
        await settle(stores, f"e{number}")
        stores.clock.move(days=1)

    first = await stores.usage.list_days(SCOPE, limit=2)
    rest = await stores.usage.list_days(SCOPE, first[-1].day, limit=2)

    assert [(row.day, row.used.prompt) for row in first] == [
        ("2026-02-07", 1),
        ("2026-02-07", 10),
        ("2026-02-08", 2),
        ("2026-02-08", 10),
    ]
    assert [(row.day, row.used.prompt) for row in rest] == [("2026-02-09", 3), ("2026-02-09", 10)]
