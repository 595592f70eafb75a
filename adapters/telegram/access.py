"""Who may talk to the bot: a message is let in or denied before anything is stored and before any model is asked.

direct chat   the allow list, and users who redeemed a pairing code
group         the group is listed, and its author is on the allow list or the group is open to its members;
              a pairing code grants nothing here; an anonymous admin, who writes as the group itself, is let in
              where the group's id stands on the list of users, too, and is told so where it does not
both empty    nobody
Mini App      whom Telegram names, signed with the key that it and the bot alone have

Pairing codes are made here, redeemed once and in direct chats only, and guessed by nobody.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final, Self
from urllib.parse import parse_qsl

import structlog

from adapters.telegram.fields import get_int, get_text
from adapters.telegram.rate_limit import RateWindow, RateWindows
from bot.config.schema import TelegramSettings
from bot.memory.items import Trust
from bot.messages import Address, ChatKind, InboundMessage, MessageKind
from bot.ports.chats import Access
from bot.ports.when import Clock


@dataclass(frozen=True, slots=True)
class AllowLists:
    """The operator's lists, asked anew every time, so that an edited configuration acts at once.

    ``users`` and ``owners`` are user ids (owners are users whose word is trusted most), ``chats`` ids of groups, which
    are negative; ``open_groups`` lets everybody in a listed group talk to the bot.
    """

    users: Callable[[], frozenset[int]]
    chats: Callable[[], frozenset[int]] = frozenset
    owners: Callable[[], frozenset[int]] = frozenset
    open_groups: Callable[[], bool] = bool
    home: Callable[[int, int], int] = lambda _bot_id, chat_id: chat_id
    """The id that a chat of a bot had first: a list that names it goes on when the group gets another."""

    @classmethod
    def read_from(cls, settings: Callable[[], TelegramSettings], home: Callable[[int, int], int]) -> Self:
        return cls(
            users=lambda: frozenset(settings().allowed_users),
            chats=lambda: frozenset(settings().allowed_chats),
            owners=lambda: frozenset(filter(None, (settings().owner_id,))),
            open_groups=lambda: settings().open_groups,
            home=home,
        )

    def has_group(self, bot_id: int, chat_id: int) -> bool:
        """Return whether a group is listed, under its id or the one it had first."""
        return not self.chats().isdisjoint({chat_id, self.home(bot_id, chat_id)})

    def has_person(self, bot_id: int, user_id: int) -> bool:
        """Return whether an author is listed; one who writes as a group has the group's id."""
        return not (self.users() | self.owners()).isdisjoint({user_id, self.home(bot_id, user_id)})

    def serves(self, bot_id: int, group_id: int, user_id: int) -> bool:
        """Return whether an author may talk to a bot in a group; a pairing is worth nothing there."""
        return self.has_group(bot_id, group_id) and (self.open_groups() or self.has_person(bot_id, user_id))


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
        if await is_known_person(self.lists, self.access, message.address.bot_id, message.author.id):
            return _mark_owner(message if code is None else replace(message, text=strip_code(message.text)), self.lists)
        code = code or read_bare_code(message)
        if code is None:
            return Denied("not listed and not paired", "stranger")
        outcome = await self.pairing.offer(message, code)
        return replace(message, text="/start") if outcome is Outcome.PAIRED else _deny_unpaired(message, outcome)

    def _admit_in_group(self, message: InboundMessage) -> InboundMessage | Denied:
        address, author = message.address, message.author.id
        if self.lists.serves(address.bot_id, address.chat_id, author):
            return _mark_owner(message, self.lists)
        if not self.lists.has_group(address.bot_id, address.chat_id):
            listed = self.lists.has_person(address.bot_id, author)
            return Denied("group not listed", "group_not_listed" if listed else "")
        if author == address.chat_id:
            return Denied("anonymous admin not listed", "anonymous_admin")
        return Denied("not listed")


async def may_still_talk(lists: AllowLists, access: Access, at: Address, user_id: int) -> bool:
    """Return whether a message of somebody at a place would be let in now.  Raises the same."""
    if at.chat_id < 0:
        return lists.serves(at.bot_id, at.chat_id, user_id)
    return await is_known_person(lists, access, at.bot_id, user_id)


async def is_known_person(lists: AllowLists, access: Access, bot_id: int, user_id: int) -> bool:
    """Return whether somebody may talk to a bot in a direct chat.  Raises :class:`~bot.errors.StorageUnavailable`."""
    return lists.has_person(bot_id, user_id) or await access.is_paired(bot_id, user_id)


def _deny_unpaired(message: InboundMessage, outcome: Outcome) -> Denied:
    if outcome is Outcome.WRONG:
        return Denied("wrong pairing code", "wrong_code")
    if outcome is Outcome.NO_CODE:
        return Denied("not a pairing code", "wrong_code" if message.text.casefold().startswith("/pair") else "stranger")
    return Denied("pairing codes are not looked at now")


def _mark_owner(message: InboundMessage, lists: AllowLists) -> InboundMessage:
    if message.author.id not in lists.owners():
        return message
    return replace(message, author=replace(message.author, trust=Trust.OWNER))


_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without I, L, O, 0 and 1, which people mistake for each other."""
_LENGTH = 10
"""31^10 codes, 49 bits: at the limit of guesses below, 10^11 years to a fair chance."""
_REQUEST = re.compile(r"/(?:start|pair)\s+(\S.{3,63})", re.IGNORECASE)
_BARE = re.compile(f"[{_ALPHABET}](?:[ -]?[{_ALPHABET}]){{{_LENGTH - 1}}}")
"""A code as it is printed; in small letters it would be many a word."""
_CODE = re.compile(f"[{_ALPHABET}]{{{_LENGTH}}}")
_TOPIC = re.compile(r"/start\s+([a-z]{3,16})")
_HOUR_S = 3600.0


def make_pairing_code() -> str:
    """Return a fresh one-time code of ten letters and digits, to be stored through ``Access.issue``."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def read_offered_code(message: InboundMessage) -> str | None:
    """Return what follows ``/start`` or ``/pair``, without spaces and dashes and in capitals, ``None`` if nothing does.

    Only a direct chat counts: in a group everybody would read the code, and pairing never grants group rights.
    """
    if message.chat_kind is not ChatKind.DIRECT or message.kind is not MessageKind.TEXT or message.forwarded_from:
        return None
    request = _REQUEST.fullmatch(message.text)
    return _normalise(request[1]) if request is not None else None


def strip_code(text: str) -> str:
    """Return ``/start`` with what a link named, or alone where that may be a code, mistyped or not: it is a secret.

    Codes are printed in capitals and digits; the topics that links name are small letters.
    """
    topic = _TOPIC.fullmatch(text)
    return f"/start {topic[1]}" if topic is not None else "/start"


def read_bare_code(message: InboundMessage) -> str | None:
    """Return a message that is nothing but a code; what people we know write is never taken for one."""
    if message.chat_kind is not ChatKind.DIRECT or message.kind is not MessageKind.TEXT or message.forwarded_from:
        return None
    return _normalise(message.text) if _BARE.fullmatch(message.text) else None


def _normalise(code: str) -> str:
    return code.replace(" ", "").replace("-", "").upper()


class Outcome(Enum):
    """The outcome of an offered code."""

    PAIRED = auto()
    WRONG = auto()
    NO_CODE = auto()
    """It has not the shape of one: the parameter of a link, or a slip."""
    BLOCKED = auto()


class Pairing:
    """Redeems codes, at most five wrong ones per user and 300 in all within an hour.

    Beyond that, and while pairing is switched off, codes are not even looked at; nothing about a stranger is stored.
    """

    def __init__(
        self, access: Access, clock: Clock, *, open_: Callable[[], bool], per_user: int = 5, overall: int = 300
    ) -> None:
        self._access = access
        self._open = open_
        self._clock = clock
        self._by_user = RateWindows(per_user, _HOUR_S)
        self._overall = RateWindow(overall, _HOUR_S)

    async def offer(self, message: InboundMessage, code: str) -> Outcome:
        """Redeem a code for the author of a message.  Raises :class:`~bot.errors.StorageUnavailable`."""
        if not self._open():
            return Outcome.BLOCKED
        if not _CODE.fullmatch(code):
            return Outcome.NO_CODE  # no guess, and not to be counted as one
        now = self._clock.monotonic()
        mine = self._by_user.get(message.author.id)
        if mine.compute_delay(now) or self._overall.compute_delay(now):
            structlog.get_logger().warning("telegram.pairing_blocked", user_id=message.author.id)
            return Outcome.BLOCKED
        bot_id = message.address.bot_id
        if await self._access.redeem(bot_id, message.author.id, code, self._clock.now()):
            structlog.get_logger().info("telegram.paired", user_id=message.author.id)
            return Outcome.PAIRED
        mine.take(now)
        self._overall.take(now)
        structlog.get_logger().warning("telegram.pairing_code_wrong", user_id=message.author.id)
        return Outcome.WRONG


_LONGEST: Final = 8192
_FRESH: Final = timedelta(minutes=10)
"""Telegram signs the moment at which the Mini App was opened; the page asks for a session at once."""
_AHEAD: Final = timedelta(minutes=1)
"""Clocks differ."""
_MOST_FIELDS: Final = 32


@dataclass(frozen=True, slots=True)
class MiniAppUser:
    """Who opened it: numeric id, name, and the language of their client as an IETF tag, "" when unknown."""

    id: int
    name: str
    language: str = ""


def read_init_data(token: str, init_data: str, now: datetime) -> MiniAppUser | None:
    """Return who opened the Mini App, ``None`` unless Telegram has signed just that for this bot within ten minutes.

    ``now`` is aware.
    """
    if len(init_data) > _LONGEST:
        return None
    try:
        pairs = parse_qsl(init_data, keep_blank_values=True, strict_parsing=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return None
    fields = dict(pairs)
    signature = fields.pop("hash", "")
    if len(fields) != len(pairs) - 1 or not hmac.compare_digest(
        sign_init_data(token, fields).encode(), signature.encode()
    ):
        return None
    signed_at = fields.get("auth_date", "")
    if not (signed_at.isascii() and signed_at.isdecimal() and len(signed_at) <= 12):  # noqa: PLR2004 - digits
        return None
    age = timedelta(seconds=now.timestamp() - int(signed_at))
    return _read_user(fields.get("user", "")) if -_AHEAD <= age <= _FRESH else None


def sign_init_data(token: str, fields: dict[str, str]) -> str:
    """Return the signature that Telegram gives to these fields."""
    key = hmac.digest(b"WebAppData", token.encode(), hashlib.sha256)
    text = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    return hmac.digest(key, text.encode(errors="replace"), hashlib.sha256).hex()


def _read_user(written: str) -> MiniAppUser | None:
    try:
        user = json.loads(written)
    except (ValueError, RecursionError):
        return None
    if not isinstance(user, dict) or user.get("is_bot"):
        return None
    user_id, names = get_int(user, "id") or 0, (get_text(user, "first_name"), get_text(user, "last_name"))
    if user_id <= 0:
        return None
    return MiniAppUser(user_id, " ".join(filter(None, names))[:200], get_text(user, "language_code")[:35])
