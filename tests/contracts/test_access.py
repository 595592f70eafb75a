"""The contract of :mod:`bot.ports.chats`: codes work once, in time, and cannot be guessed."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from adapters.sqlite.conversations import chats
from harness.samples import NOON
from tests.contracts.stores import Stores

LATER = NOON + timedelta(hours=1)


async def test_a_code_pairs_one_user_with_one_bot(stores: Stores) -> None:
    """Another bot and another user stay unpaired, and the code is used up."""
    await stores.access.issue(7, "K4TZ-92QW", LATER)

    assert await stores.access.redeem(7, 42, "K4TZ-92QW", NOON)
    assert await stores.access.is_paired(7, 42)
    assert not await stores.access.is_paired(8, 42)
    assert not await stores.access.redeem(7, 43, "K4TZ-92QW", NOON)
    assert not await stores.access.is_paired(7, 43)


async def test_two_who_redeem_at_once_are_not_both_paired(stores: Stores) -> None:
    """The code goes to one of them."""
    await stores.access.issue(7, "K4TZ-92QW", LATER)

    won = await asyncio.gather(*(stores.access.redeem(7, user, "K4TZ-92QW", NOON) for user in range(8)))

    assert sum(won) == 1


async def test_an_expired_code_is_worth_nothing(stores: Stores) -> None:
    """Time is up at the very second."""
    await stores.access.issue(7, "K4TZ-92QW", LATER)

    assert not await stores.access.redeem(7, 42, "K4TZ-92QW", LATER)


async def test_guessing_burns_the_code(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """After twelve wrong tries (a hundred in production), from whomever, the right code is refused; a new one works."""
    monkeypatch.setattr(chats, "_TRIES", 12)
    await stores.access.issue(7, "K4TZ-92QW", LATER)
    for guess in range(12):
        assert not await stores.access.redeem(7, 100 + guess, f"wrong {guess}", NOON)

    burnt = await stores.access.redeem(7, 42, "K4TZ-92QW", NOON)
    await stores.access.issue(7, "NEW0-CODE", LATER)

    assert not burnt
    assert await stores.access.redeem(7, 42, "NEW0-CODE", NOON)


async def test_strange_codes_are_simply_wrong(stores: Stores) -> None:
    """Whatever a stranger types is no error."""
    await stores.access.issue(7, "K4TZ-92QW", LATER)

    assert not await stores.access.redeem(7, 42, "\ud800\x00' OR 1=1 --", NOON)


async def test_a_pairing_can_be_taken_back(stores: Stores) -> None:
    """Who is paired can be listed; a pairing that was taken back is gone, and another bot's stays."""
    for bot, user, code in ((7, 42, "AAAAABBBBB"), (7, 43, "CCCCCDDDDD"), (8, 42, "EEEEEFFFFF")):
        await stores.access.issue(bot, code, LATER)
        await stores.access.redeem(bot, user, code, NOON)

    assert await stores.access.is_paired(7, 42)
    assert await stores.access.unpair(7, 42)
    assert not await stores.access.unpair(7, 42)
    assert await stores.access.is_paired(7, 43)
    assert not await stores.access.is_paired(7, 42)
    assert await stores.access.is_paired(8, 42)
