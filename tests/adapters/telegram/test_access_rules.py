"""Access control as a table: every decision, and its reason."""

from __future__ import annotations

from dataclasses import replace

from adapters.telegram.access import AccessControl, AllowLists, Denied, Pairing
from bot.config.schema import TelegramSettings
from bot.memory.items import Trust
from bot.messages import Address, Author, ChatKind, InboundMessage
from tests.adapters.telegram.fakes import PairedUsers, WallClock
from tests.cases import each_row

ANNA, BEN, STRANGER, GROUP, OTHER, ADMIN_GROUP = 7, 8, 666, -100123, -100124, -100125
CLOCK = WallClock()


def access_control(*, open_groups: bool = False, open_pairing: bool = True) -> AccessControl:
    """Anna owns the bot, Ben is paired, one group is listed."""
    access = PairedUsers()
    access.paired_users.add(BEN)
    named = TelegramSettings(allowed_users=(ANNA,), allowed_chats=(GROUP,), owner_id=ANNA, open_groups=open_groups)
    lists = AllowLists.read_from(lambda: named, lambda _, chat_id: chat_id)
    return AccessControl(lists, access, Pairing(access, CLOCK, open_=lambda: open_pairing))


def said(user: int, text: str = "hello", group: int | None = None) -> InboundMessage:
    """A message of a user, to the bot itself or in a group."""
    message = InboundMessage(Address("telegram", 42, user), 1, 1, Author(user, "X"), text, CLOCK.now())
    if group is None:
        return message
    return replace(message, address=Address("telegram", 42, group), chat_kind=ChatKind.GROUP)


@each_row(
    ("message", "trust"),
    [
        (said(ANNA), Trust.OWNER),
        (said(BEN), Trust.USER),
        (said(ANNA, group=GROUP), Trust.OWNER),
    ],
)
async def test_who_is_known_comes_in(message: InboundMessage, trust: Trust) -> None:
    """With the trust of their place: the owner's word is the owner's, nobody else's is."""
    admitted = await access_control().admit(message)

    assert isinstance(admitted, InboundMessage)
    assert admitted.author.trust is trust
    assert admitted.text == "hello"


@each_row(
    ("message", "refused"),
    [
        (said(STRANGER), Denied("not listed and not paired", "stranger")),
        (said(STRANGER, "/start ABCDE23456"), Denied("wrong pairing code", "wrong_code")),
        (said(STRANGER, "/pair promo"), Denied("not a pairing code", "wrong_code")),
        (said(STRANGER, "/start promo"), Denied("not a pairing code", "stranger")),
        (said(STRANGER, group=GROUP), Denied("not listed")),
        (said(GROUP, group=GROUP), Denied("anonymous admin not listed", "anonymous_admin")),
        (said(ANNA, group=OTHER), Denied("group not listed", "group_not_listed")),
        (said(STRANGER, group=OTHER), Denied("group not listed", "")),
    ],
)
async def test_everybody_else_stays_out(message: InboundMessage, refused: Denied) -> None:
    """Each with its reason, and with what the chat may be told about it."""
    assert await access_control().admit(message) == refused


async def test_an_open_group_lets_its_members_in_and_nobody_elsewhere() -> None:
    """In the listed group alone, without any trust that they did not have."""
    opened = access_control(open_groups=True)
    inside = await opened.admit(said(STRANGER, group=GROUP))

    assert isinstance(inside, InboundMessage)
    assert inside.author.trust is Trust.USER
    assert isinstance(await opened.admit(said(STRANGER, group=OTHER)), Denied)
    assert isinstance(await opened.admit(said(STRANGER)), Denied)


async def test_a_closed_desk_looks_at_no_code() -> None:
    """Nothing tells a stranger whether the code was right."""
    closed = access_control(open_pairing=False)

    assert await closed.admit(said(STRANGER, "/start ABCDE23456")) == Denied("pairing codes are not looked at now")


async def test_a_code_of_somebody_known_is_not_redeemed() -> None:
    """It is a plain /start of theirs, without the code in it."""
    admitted = await access_control().admit(said(ANNA, "/start ABCDE23456"))

    assert isinstance(admitted, InboundMessage)
    assert admitted.text == "/start"


def test_lists_are_empty_unless_somebody_fills_them() -> None:
    """An empty list means nobody."""
    lists = AllowLists(users=frozenset)

    assert (lists.chats(), lists.owners(), lists.open_groups()) == (frozenset(), frozenset(), False)
    assert not lists.has_group(42, GROUP)
    assert not lists.has_person(42, ANNA)
