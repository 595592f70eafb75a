"""Access control: a message is let in or denied before anything is stored and before any model is asked.

direct chat   the allow list, and users who redeemed a pairing code
group         the group is listed, and its author is on the allow list or the group is open to its members;
              a pairing code grants nothing here; an anonymous admin, who writes as the group itself, is let in
              where the group's id stands on the list of users, too, and is told so where it does not
both empty    nobody
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from adapters.telegram.access.pairing import (
    Outcome,
    Pairing,
    read_bare_code,
    read_offered_code,
    strip_code,
    wants_pairing,
)
from bot.memory.items import Trust
from bot.messages import ChatKind, InboundMessage
from bot.ports.access import Access


def no_ids() -> frozenset[int]:
    """Return the empty list: the default of every list of ids."""
    return frozenset()


def always() -> bool:
    """Return ``True``: the default of what is allowed unless the operator says no."""
    return True


def never() -> bool:
    """Return ``False``: the default of what is forbidden unless the operator says yes."""
    return False


def same_id(_bot_id: int, chat_id: int) -> int:
    """Return the id itself: the default, for chats that never got another."""
    return chat_id


@dataclass(frozen=True, slots=True)
class AllowLists:
    """The operator's lists, asked anew for every message, so that an edited configuration acts at once.

    ``users`` and ``owners`` are user ids (owners are users whose word is trusted most), ``chats`` ids of groups, which
    are negative; ``open_groups`` lets everybody in a listed group talk to the bot.
    """

    users: Callable[[], frozenset[int]]
    chats: Callable[[], frozenset[int]] = no_ids
    owners: Callable[[], frozenset[int]] = no_ids
    open_groups: Callable[[], bool] = never
    home: Callable[[int, int], int] = same_id
    """The id that a chat of a bot had first: a list that names it goes on when the group gets another."""

    def has_group(self, bot_id: int, chat_id: int) -> bool:
        """Return whether a group is listed, under its id or the one it had first."""
        return not self.chats().isdisjoint({chat_id, self.home(bot_id, chat_id)})

    def has_person(self, bot_id: int, user_id: int) -> bool:
        """Return whether an author is listed; one who writes as a group has the group's id."""
        return not (self.users() | self.owners()).isdisjoint({user_id, self.home(bot_id, user_id)})


@dataclass(frozen=True, slots=True)
class Denied:
    """A message that goes no further: the reason, and the service text that may be sent about it, "" for none."""

    why: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class AccessControl:
    """Lets messages in or denies them."""

    lists: AllowLists
    access: Access
    pairing: Pairing

    async def admit(self, message: InboundMessage) -> InboundMessage | Denied:
        """Return the message as it may be journaled, or the denial.

        A pairing code is taken out of the message: it is a secret, and ``/start`` says all that is left to say.
        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        if message.chat_kind is not ChatKind.DIRECT:
            return self._admit_in_group(message)
        code = read_offered_code(message)
        if await self._is_known(message):
            return _mark_owner(message if code is None else replace(message, text=strip_code(message.text)), self.lists)
        code = code or read_bare_code(message)
        if code is None:
            return Denied("not listed and not paired", "stranger")
        outcome = await self.pairing.offer(message, code)
        return replace(message, text="/start") if outcome is Outcome.PAIRED else _deny_unpaired(message, outcome)

    async def _is_known(self, message: InboundMessage) -> bool:
        return await is_known_person(self.lists, self.access, message.address.bot_id, message.author.id)

    def _admit_in_group(self, message: InboundMessage) -> InboundMessage | Denied:
        address, author = message.address, message.author.id
        listed = self.lists.has_person(address.bot_id, author)
        if not self.lists.has_group(address.bot_id, address.chat_id):
            return Denied("group not listed", "group_not_listed" if listed else "")
        if listed or self.lists.open_groups():
            return _mark_owner(message, self.lists)
        if author == address.chat_id:
            return Denied("anonymous admin not listed", "anonymous_admin")
        return Denied("not listed")


async def is_known_person(lists: AllowLists, access: Access, bot_id: int, user_id: int) -> bool:
    """Return whether somebody may talk to a bot in a direct chat.  Raises :class:`~bot.errors.StorageUnavailable`."""
    return lists.has_person(bot_id, user_id) or await access.is_paired(bot_id, user_id)


def _deny_unpaired(message: InboundMessage, outcome: Outcome) -> Denied:
    if outcome is Outcome.WRONG:
        return Denied("wrong pairing code", "wrong_code")
    if outcome is Outcome.NO_CODE:
        return Denied("not a pairing code", "wrong_code" if wants_pairing(message) else "stranger")
    return Denied("pairing codes are not looked at now")


def _mark_owner(message: InboundMessage, lists: AllowLists) -> InboundMessage:
    if message.author.id not in lists.owners():
        return message
    return replace(message, author=replace(message.author, trust=Trust.OWNER))
