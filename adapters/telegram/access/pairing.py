"""One-time pairing codes: made here, redeemed in direct chats, guessed by nobody."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from enum import Enum, auto

import structlog

from adapters.telegram.transport.rate_limit import RateWindow, RateWindows
from bot.messages import ChatKind, InboundMessage, MessageKind
from bot.ports.access import Access
from bot.ports.clock import Clock

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


def wants_pairing(message: InboundMessage) -> bool:
    """Return whether a message says that it holds a code: ``/start`` takes parameters of links, too."""
    return message.text.casefold().startswith("/pair")


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
