"""Whose memory a command of the terminal is about: as asked for, else the owner's, else the terminal's."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.console.plain import ADDRESS, AUTHOR
from bot.config.live import LiveSettings
from bot.errors import ConfigInvalid
from bot.memory.items import Trust
from bot.memory.scope import Scope, ScopeKind, build_scope
from bot.messages import Author


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory, and the person whose words are their own in it."""

    scope: Scope
    user: Author
    platform: str

    @property
    def described(self) -> str:
        """In words."""
        return "the terminal chat" if self.platform == ADDRESS.platform else f"Telegram user {self.user.id}"


def choose_memory(live: LiveSettings, *, user: int | None, platform: str | None) -> Memory:
    """Return whose memory it is.  Raises :class:`~bot.errors.ConfigInvalid` where nothing says it."""
    settings = live.current()
    owner = settings.telegram.owner_id
    chosen = platform or ("telegram" if user is not None or owner is not None else ADDRESS.platform)
    if chosen == ADDRESS.platform:
        if user not in (None, AUTHOR.id):
            raise ConfigInvalid("--user is a Telegram user; the terminal has one person only")
        author, chat_id = AUTHOR, ADDRESS.chat_id
    else:
        user_id = user if user is not None else owner
        if user_id is None:
            raise ConfigInvalid("say whose memory: --user ID, or set telegram.ownerId")
        author, chat_id = Author(user_id, "", Trust.OWNER if user_id == owner else Trust.USER), user_id
    scope = build_scope(
        ScopeKind(settings.memory.scope_direct),
        platform=chosen,
        user_id=author.id,
        chat_id=chat_id,
        shared=settings.memory.shared_name,
    )
    return Memory(scope, author, chosen)
