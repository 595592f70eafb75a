"""Who may talk to the bot: decided before anything is stored and before any model is asked.

direct chat   the allow list, and users who redeemed a pairing code
group         the group is listed, and its author is on the allow list or the group is open to its members;
              a pairing code grants nothing here; an anonymous admin, who writes as the group itself, is let in
              where the group's id stands on the list of users, too, and is told so where it does not
both empty    nobody
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from adapters.telegram.access.pairing import Outcome, PairingDesk, bare_code, offered_code, wants_pairing
from bot.memory.items import Trust
from bot.ports.access import Access
from bot.turn import ChatKind, InboundMessage


def nobody() -> frozenset[int]:
    """Return the empty list: the default of every list of ids."""
    return frozenset()


def yes() -> bool:
    """Return ``True``: the default of what is allowed unless the operator says no."""
    return True


def no() -> bool:
    """Return ``False``: the default of what is forbidden unless the operator says yes."""
    return False


def same(_bot_id: int, chat_id: int) -> int:
    """Return the id itself: the default, for chats that never got another."""
    return chat_id


@dataclass(frozen=True, slots=True)
class Lists:
    """The operator's lists, asked anew for every message, so that an edited configuration acts at once.

    ``users`` and ``owners`` are user ids (owners are users whose word is trusted most), ``chats`` ids of groups, which
    are negative; ``open_groups`` lets everybody in a listed group talk to the bot.
    """

    users: Callable[[], frozenset[int]]
    chats: Callable[[], frozenset[int]] = nobody
    owners: Callable[[], frozenset[int]] = nobody
    open_groups: Callable[[], bool] = no
    home: Callable[[int, int], int] = same
    """The id that a chat of a bot had first: a list that names it goes on when the group gets another."""

    def group(self, bot_id: int, chat_id: int) -> bool:
        """Whether a group is listed, under its id or the one it had first."""
        return not self.chats().isdisjoint({chat_id, self.home(bot_id, chat_id)})

    def person(self, bot_id: int, user_id: int) -> bool:
        """Whether an author is listed; one who writes as a group has the group's id."""
        return not (self.users() | self.owners()).isdisjoint({user_id, self.home(bot_id, user_id)})


@dataclass(frozen=True, slots=True)
class Refused:
    """A message that goes no further: why, and which service text may be sent about it, "" for none."""

    why: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Gate:
    """Lets messages in, or not."""

    lists: Lists
    access: Access
    desk: PairingDesk

    async def admit(self, message: InboundMessage) -> InboundMessage | Refused:
        """Return the message as it may be journaled, or the refusal.

        A pairing code is taken out of the message: it is a secret, and ``/start`` says all that is left to say.
        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        if message.chat_kind is not ChatKind.DIRECT:
            return self._in_group(message)
        code = offered_code(message)
        if await self._known(message):
            return _trusted(message, self.lists) if code is None else replace(message, text="/start")
        code = code or bare_code(message)
        if code is None:
            return Refused("not listed and not paired", "stranger")
        outcome = await self.desk.offer(message, code)
        return replace(message, text="/start") if outcome is Outcome.PAIRED else _unpaired(message, outcome)

    async def _known(self, message: InboundMessage) -> bool:
        bot_id, user_id = message.address.bot_id, message.author.id
        return self.lists.person(bot_id, user_id) or await self.access.is_paired(bot_id, user_id)

    def _in_group(self, message: InboundMessage) -> InboundMessage | Refused:
        address, author = message.address, message.author.id
        listed = self.lists.person(address.bot_id, author)
        if not self.lists.group(address.bot_id, address.chat_id):
            return Refused("group not listed", "group_not_listed" if listed else "")
        if listed or self.lists.open_groups():
            return _trusted(message, self.lists)
        if author == address.chat_id:
            return Refused("anonymous admin not listed", "anonymous_admin")
        return Refused("not listed")


def _unpaired(message: InboundMessage, outcome: Outcome) -> Refused:
    if outcome is Outcome.WRONG:
        return Refused("wrong pairing code", "wrong_code")
    if outcome is Outcome.NO_CODE:
        return Refused("not a pairing code", "wrong_code" if wants_pairing(message) else "stranger")
    return Refused("pairing codes are not looked at now")


def _trusted(message: InboundMessage, lists: Lists) -> InboundMessage:
    if message.author.id not in lists.owners():
        return message
    return replace(message, author=replace(message.author, trust=Trust.OWNER))
