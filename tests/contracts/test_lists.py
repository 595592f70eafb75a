"""The contract of :class:`bot.ports.lists.Lists`: nothing twice, nothing lost, and gone with what asked for it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.sqlite import lists as store
from bot.memory.scope import Scope
from bot.ports.eraser import ErasureTarget
from bot.ports.lists import Deed, ItemState, ListItem, TakenBack
from bot.ports.reminders import name_message
from bot.ports.transfer import ImportProgress
from harness.samples import HERE, NOON, SCOPE, exchange, turn
from tests.contracts.stores import Stores

OTHER = Scope("tu43")


def by(exchange_uid: str, message_id: int = 0, *, user: int = 42) -> Deed:
    """What somebody does by a message."""
    origin = name_message(HERE, message_id) if message_id else ""
    return Deed(user, "Anna", NOON, exchange_uid, origin)


def things(*texts: str, deed: Deed) -> list[ListItem]:
    """Things to buy, each named by the message and its words."""
    origins = [f"{deed.origin}:{text}" if deed.origin else "" for text in texts]
    return [
        ListItem("shopping", "", text, Deed(deed.by, deed.name, deed.at, deed.exchange, origin))
        for text, origin in zip(texts, origins, strict=True)
    ]


async def list_open(stores: Stores, scope: Scope = SCOPE) -> list[str]:
    """What is still open."""
    return [one.text for one in await stores.lists.read(scope) if one.state is ItemState.OPEN]


async def test_a_message_that_is_run_again_adds_nothing_twice(stores: Stores) -> None:
    """Also where somebody has bought it meanwhile; another message may put it there anew."""
    first = await stores.lists.add(SCOPE, things("milk", "eggs", deed=by("e1", 5)))
    await stores.lists.mark(SCOPE, [first[0].id], ItemState.DONE, by("e2", 6))
    again = await stores.lists.add(SCOPE, things("milk", "eggs", deed=by("e1", 5)))
    anew = await stores.lists.add(SCOPE, things("Milk", "eggs", deed=by("e3", 7)))

    assert [one.id for one in again] == [one.id for one in first]
    assert [one.text for one in anew] == ["Milk", "eggs"]
    assert anew[1].id == first[1].id
    assert await list_open(stores) == ["eggs", "Milk"]


async def test_two_at_once_lose_nothing(stores: Stores) -> None:
    """Each gets numbers of its own, and of one thing that both tick one is told that they did."""
    added = await asyncio.gather(
        *(stores.lists.add(SCOPE, things(f"thing {number}", deed=by(f"e{number}"))) for number in range(8))
    )
    (first,) = added[0]
    ticked = await asyncio.gather(
        *(stores.lists.mark(SCOPE, [first.id], ItemState.DONE, by("", user=user)) for user in (1, 2))
    )

    assert len({one.id for each in added for one in each}) == 8
    assert sorted(map(len, ticked)) == [0, 1]
    assert await list_open(stores, OTHER) == []


async def test_the_message_that_ticked_ticks_the_same_again(stores: Stores) -> None:
    """A crash behind the tick runs the turn once more; somebody else's later tick changes nothing."""
    (milk,) = await stores.lists.add(SCOPE, things("milk", deed=by("e1", 5)))
    once = await stores.lists.mark(SCOPE, [milk.id], ItemState.DONE, by("e2", 6))
    again = await stores.lists.mark(SCOPE, [milk.id], ItemState.DONE, by("e2", 6))
    late = await stores.lists.mark(SCOPE, [milk.id], ItemState.DONE, by("e3", 7, user=43))
    foreign = await stores.lists.mark(OTHER, [milk.id], ItemState.OPEN, by("e4", 8))

    assert once == again
    assert (late, foreign) == ((), ())


async def test_what_an_exchange_did_is_taken_back(stores: Stores) -> None:
    """What it put there is off, what it closed is open; what others have closed since stays as it is."""
    milk, eggs = await stores.lists.add(SCOPE, things("milk", "eggs", deed=by("e1", 5)))
    await stores.lists.mark(SCOPE, [milk.id], ItemState.REMOVED, by("e2", 6))
    opened = await stores.lists.take_back(SCOPE, "e2", by("u1", 7))
    await stores.lists.mark(SCOPE, [eggs.id], ItemState.DONE, by("e3", 7))
    taken = await stores.lists.take_back(SCOPE, "e1", by("u2", 8))

    assert [one.text for one in opened.opened] == ["milk"]
    assert [one.text for one in taken.taken_off] == ["milk"]
    left = await stores.lists.read(SCOPE)
    assert [(one.text, one.state) for one in left] == [("milk", ItemState.REMOVED), ("eggs", ItemState.DONE)]
    for nothing in ("", "e9"):
        assert await stores.lists.take_back(SCOPE, nothing, by("u3", 9)) == TakenBack()


async def test_what_is_forgotten_takes_its_items_along_and_an_undo_brings_them_back(stores: Stores) -> None:
    """Who bought something is forgotten with the message that said so; bought it stays."""
    await stores.turns.commit(turn(exchange("e1", "put milk on the list")))
    await stores.turns.commit(turn(exchange("e2", "got the eggs")))
    await stores.lists.add(SCOPE, things("milk", deed=by("e1", 5)))
    (eggs,) = await stores.lists.add(SCOPE, things("eggs", deed=by("", 0)))
    await stores.lists.mark(SCOPE, [eggs.id], ItemState.DONE, by("e2", 6))
    before = await stores.lists.read(SCOPE)

    receipt = await stores.undoing.erase_exchanges(SCOPE, ("e1", "e2"))
    (left,) = await stores.lists.read(SCOPE)
    await stores.undoing.undo(SCOPE, 0, receipt.undo, anyones=True)

    assert (left.text, left.state) == ("eggs", ItemState.DONE)
    assert left.closed == Deed(0, "", NOON)
    assert await stores.lists.read(SCOPE) == before


async def test_an_edited_message_takes_back_what_it_does_not_name_now(stores: Stores) -> None:
    """What it named before and names no more is gone, what it ticked before is open."""
    shown = exchange("e2", "got the bread", message_id=6, revises=6)
    bread, milk = await stores.lists.add(SCOPE, things("bread", "milk", deed=by("e1", 5)))
    await stores.lists.mark(SCOPE, [milk.id], ItemState.DONE, by("e0", 6))
    await stores.lists.add(SCOPE, things("eggs", "salt", deed=by("e0", 6)))

    await stores.lists.add(SCOPE, things("salt", deed=by("e2", 6)))
    await stores.lists.mark(SCOPE, [bread.id], ItemState.DONE, by("e2", 6))
    await stores.turns.commit(turn(shown))

    assert await list_open(stores) == ["milk", "salt"]


async def test_what_an_export_holds_comes_back_once(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """With who closed it; whatever has become of it since stays, and of what is closed the newest are kept."""
    closed = [
        replace(item, state=ItemState.DONE, closed=replace(by("e9", user=43), at=NOON + timedelta(hours=number)))
        for number, item in enumerate(things("tea", "jam", deed=by("e1")))
    ]
    brought = [*closed, *things("milk", "eggs", deed=by("e1"))]
    first = await stores.imports.add(SCOPE, brought, ImportProgress())
    items = await stores.lists.read(SCOPE)
    await stores.lists.mark(SCOPE, [items[2].id], ItemState.REMOVED, by("e2", 6))
    again = await stores.imports.add(SCOPE, brought, ImportProgress())
    monkeypatch.setattr(store, "CLOSED", 1)
    later = replace(by("e3"), at=NOON + timedelta(days=1))
    await stores.imports.add(SCOPE, things("rum", deed=later), ImportProgress())
    left = await stores.lists.read(SCOPE)

    assert (first.added, again.added, again.known) == (4, 0, 4)
    assert [(one.text, one.state) for one in items[:2]] == [("tea", ItemState.DONE), ("jam", ItemState.DONE)]
    assert [one.closed and one.closed.by for one in items] == [43, 43, None, None]
    assert [one.text for one in left] == ["jam", "eggs", "rum"]
    assert await stores.lists.list_in_use() == {SCOPE.tag}


async def test_an_import_brings_no_more_open_things_than_there_may_be(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is closed takes no place."""
    monkeypatch.setattr(store, "MOST", 1)
    tea, milk, eggs = things("tea", "milk", "eggs", deed=by("e1"))
    got = replace(tea, state=ItemState.DONE, closed=by("e2"))
    progress = await stores.imports.add(SCOPE, [got, milk, eggs], ImportProgress())

    assert (progress.added, progress.known) == (2, 1)
    assert await list_open(stores) == ["milk"]


async def test_a_thing_is_read_as_it_was_kept(stores: Stores) -> None:
    """Who put it there and when, and whether it was taken off or got."""
    kept = await stores.lists.add(SCOPE, things("milk", "eggs", deed=by("e1", 5)))
    deed = replace(by("e2", 6, user=43), at=NOON + timedelta(hours=1))
    await stores.lists.mark(SCOPE, [kept[1].id], ItemState.REMOVED, deed)

    assert await stores.lists.read(SCOPE) == (kept[0], replace(kept[1], state=ItemState.REMOVED, closed=deed))


async def test_one_thing_alone_is_forgotten_in_its_own_memory(stores: Stores) -> None:
    """By what names it where no exchange stands for it; whoever is elsewhere has no use for that name."""
    milk, eggs = await stores.lists.add(SCOPE, things("milk", "eggs", deed=by("")))
    await stores.lists.add(OTHER, things("salt", deed=by("")))
    for scope, key in ((OTHER, milk.id), (SCOPE, f"{milk.id}x"), (SCOPE, "0"), (SCOPE, eggs.id)):
        await stores.undoing.erase(scope, ErasureTarget(copies=(f"lists:{key}",)))

    assert (await list_open(stores), await list_open(stores, OTHER)) == (["milk"], ["salt"])


async def test_there_are_only_so_many(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of open ones the rest is left out; of closed ones the newest are kept, and numbers are never given again."""
    monkeypatch.setattr(store, "MOST", 2)
    monkeypatch.setattr(store, "CLOSED", 1)
    first = await stores.lists.add(SCOPE, things("milk", "eggs", "salt", deed=by("e1")))
    for minutes, one in enumerate(first):
        deed = Deed(42, "Anna", NOON + timedelta(minutes=minutes))
        await stores.lists.mark(SCOPE, [one.id], ItemState.DONE, deed)
    (later,) = await stores.lists.add(SCOPE, things("tea", "Tea", deed=by("e2")))
    await stores.lists.add(SCOPE, things("rum", deed=by("e3")))

    assert await stores.lists.add(SCOPE, things("gin", deed=by("e4"))) == ()
    assert [one.text for one in first] == ["milk", "eggs"]
    assert [one.text for one in await stores.lists.read(SCOPE)] == ["eggs", "tea", "rum"]
    assert [one.number for one in (*first, later)] == [1, 2, 3]
    assert await stores.lists.list_in_use() == {SCOPE.tag}
