"""Who may look at what: one-time links, and the sessions that they are exchanged for.

Both live in this process alone and end with it.  A session's visitor is asked about anew at every request, so that
taking access back ends it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from bot.core.rights import Role
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from bot.messages import Author
from bot.ports.clock import Clock

_BYTES: Final = 32
_MOST: Final = 20
"""Links and sessions kept of each kind for one user: their own oldest gives way, nobody else's."""
_LONGEST_S: Final = 8 * 3600.0
"""A session ends after so long however much it is used."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever looks: the scopes that they may choose from, ``None`` for every one of the installation.

    ``reader`` is whom memories are told to ("you"), ``language`` an IETF tag, "" when unknown.  ``user`` are the bot's
    and the user's id where access can be taken back: :attr:`Sessions.allowed` is asked with it.
    ``author_id`` is who adds, edits and may take back what was erased here;
    0 whoever opened the page in this installation.
    ``operator`` says that they run it.
    """

    scopes: tuple[Scope, ...] | None
    reader: Reader = field(default_factory=Reader)
    language: str = ""
    user: tuple[int, int] | None = None
    author_id: int = 0
    operator: bool = False

    def may_see(self, scope: Scope) -> bool:
        """Return whether a scope is one of theirs."""
        return self.scopes is None or scope in self.scopes

    @property
    def author(self) -> Author:
        """Who says what is typed on the page; id 0 for whoever opened it in this installation."""
        trusted = self.operator or self.scopes is None
        return Author(self.author_id, self.reader.name, Trust.OWNER if trusted else Trust.USER)

    def find_role(self, scope: Scope) -> Role:
        """Return what they are to one of theirs: a memory that chats share is nobody's but the operator's."""
        return Role.OWNER if self.operator or self.scopes is None or not scope.shared else Role.MEMBER


@dataclass(frozen=True, slots=True)
class Session:
    """A visitor who has come in; ``form_key`` stands in every form of theirs."""

    visitor: Visitor
    form_key: str = field(repr=False)
    begun_s: float = 0.0
    seen_s: float = 0.0

    def has_form_key(self, offered: str) -> bool:
        """Return whether a form came from a page of this session."""
        return hmac.compare_digest(offered.encode(), self.form_key.encode())


@dataclass(frozen=True, slots=True)
class _Link:
    visitor: Visitor
    ends_s: float


_T = TypeVar("_T", _Link, Session)


async def always_allowed(_visitor: Visitor) -> bool:
    """Return ``True``: for a page that nobody with an id comes to."""
    return True


class Sessions:
    """Links and sessions by the hashes of their tokens: what is in memory here opens nothing.

    ``link_s`` and ``idle_s`` are asked each time; ``allowed`` says whether a visitor with an id may still come
    in as what they came in; ``used`` is told the token of a link that has been used.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        link_s: Callable[[], float],
        idle_s: Callable[[], float],
        allowed: Callable[[Visitor], Awaitable[bool]] = always_allowed,
        used: Callable[[str], None] = lambda _token: None,
    ) -> None:
        self._clock = clock
        self._link_s = link_s
        self._idle_s = idle_s
        self._allowed = allowed
        self._used = used
        self._links: dict[str, _Link] = {}
        self._sessions: dict[str, Session] = {}

    def issue_link(self, visitor: Visitor) -> str:
        """Return a token that is exchanged for a session once, within the time of a link."""
        token = secrets.token_hex(_BYTES)  # letters that no chat takes for markup
        _put(self._links, token, _Link(visitor, self._clock.monotonic() + self._link_s()))
        return token

    def redeem(self, token: str) -> str | None:
        """Return the token of a new session for that of a link, ``None`` if it was used, is too old or never was."""
        link = self._links.pop(hash_token(token), None)
        if link is None:
            return None
        self._used(token)
        if self._clock.monotonic() > link.ends_s:
            return None
        return self.begin(link.visitor)

    def begin(self, visitor: Visitor) -> str:
        """Return the token of a new session."""
        token, now = secrets.token_urlsafe(_BYTES), self._clock.monotonic()
        _put(self._sessions, token, Session(visitor, secrets.token_urlsafe(_BYTES), now, now))
        return token

    async def find(self, token: str) -> Session | None:
        """Return the session of a token, ``None`` if it has ended or its visitor may not look any more."""
        key, now = hash_token(token), self._clock.monotonic()
        session = self._sessions.get(key)
        if session is None:
            return None
        visitor = session.visitor
        late = now - session.seen_s > self._idle_s() or now - session.begun_s > _LONGEST_S
        if late or (visitor.user is not None and not await self._allowed(visitor)):
            self._sessions.pop(key, None)
            return None
        seen = replace(session, seen_s=now)
        if key in self._sessions:  # it may have ended while we asked
            self._sessions[key] = seen
        return seen

    def end(self, token: str) -> None:
        """End a session."""
        self._sessions.pop(hash_token(token), None)

    @property
    def waiting(self) -> bool:
        """Whether anybody may still come in or go on."""
        now = self._clock.monotonic()
        return any(link.ends_s >= now for link in self._links.values()) or any(
            now - session.seen_s <= self._idle_s() for session in self._sessions.values()
        )


def hash_token(token: str) -> str:
    """Return what a token is known by: it cannot be found from it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _put(kept: dict[str, _T], token: str, value: _T) -> None:
    own = [key for key, each in kept.items() if each.visitor.user == value.visitor.user]
    for key in own[: max(0, len(own) - _MOST + 1)]:
        del kept[key]
    kept[hash_token(token)] = value
