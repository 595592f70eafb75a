"""What holds in a chat: the operator's settings, and what the chat has chosen within them.

Who knows nothing of chats asks about "here": the conversation that runs now (:mod:`bot.core.pipeline`).

The machine's clocks; their time zone is that of whoever looks.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.config.live import LiveSettings
from bot.config.schema import Settings
from bot.core.pipeline import HERE
from bot.memory.scope import Scope, ScopeKind, build_scope
from bot.messages import Address, ChatKind, InboundMessage
from bot.ports.chats import Chats, ChatSettings, ChatSettingsStore
from bot.ports.when import Clock

_NOTHING: Final = ChatSettings()
SCOPES: Final = {
    ChatKind.DIRECT: (ScopeKind.USER, ScopeKind.CHAT),
    ChatKind.GROUP: (ScopeKind.CHAT, ScopeKind.TOPIC),
    ChatKind.CHANNEL: (),
}
"""Whose memory a chat may choose.  Nothing else: a group that used its members' own would tell them of each other."""


@dataclass(slots=True)
class ChatRules:
    """Asked anew every time, so that a change acts at once, in a turn that runs, too.

    Outside of any chat what is asked of "here" is what the operator has set.
    """

    settings: LiveSettings
    chats: ChatSettingsStore
    lets_choose: Callable[[Settings], bool] = lambda _: True
    """Whether a chat chooses whose memory it uses."""
    admits: dict[str, Callable[[Address, int], Awaitable[bool]]] = field(default_factory=dict)
    """By platform: whether somebody may talk to the bot at a place."""

    def find(self, address: Address) -> ChatSettings:
        """Return the choices of a chat; in most installations everybody does as the operator chose."""
        return self.chats.find(address) if self.chats.known else _NOTHING

    def here(self) -> ChatSettings:
        """Return the choices of the chat that runs now."""
        address = HERE.get()
        return _NOTHING if address is None else self.find(address)

    async def is_admitted(self, at: Address, user_id: int) -> bool:
        """Whether somebody may still talk to the bot: a name taken off the allow list is written to no more."""
        admits = self.admits.get(at.platform)
        return admits is None or await admits(at, user_id)

    def is_remembering(self) -> bool:
        """Return whether memory is on here: a chat can switch its own off, and nobody's on."""
        return self.settings.current.memory.enabled and self.here().memory is not False

    def uses_long_term_memory(self) -> bool:
        """Return whether long-term memory is read and written here."""
        settings = self.settings.current
        return settings.memory.enabled and settings.rag.enabled and self.here().memory is not False

    def is_streaming(self) -> bool:
        """Return whether answers are shown here while they are written."""
        chosen = self.here().streaming
        return self.settings.current.telegram.streaming if chosen is None else chosen

    def time_zone(self) -> str:
        """Return the zone that dates and days are told in here as an IANA name, "" for the machine's."""
        return self.here().time_zone or self.settings.current.time_zone

    def find_language(self, address: Address) -> str:
        """Return the language of a chat as a two-letter code, "auto" for that of whoever writes."""
        return self.find(address).language or self.settings.current.language

    def find_scope_kind(self, message: InboundMessage, settings: Settings) -> ScopeKind:
        """Return whose memory a message uses, by the settings of its turn."""
        chosen = self.find(message.address).scope
        if chosen and chosen in self.list_scopes(message.chat_kind, settings):
            return ScopeKind(chosen)
        return find_default_scope(message.chat_kind, settings)

    def list_scopes(self, chat: ChatKind, settings: Settings) -> tuple[ScopeKind, ...]:
        """Return what a chat may choose from, the operator's choice first; empty when it is not the chat's to say.

        A memory that several chats share is joined and left by the operator alone.
        """
        default = find_default_scope(chat, settings)
        if not self.lets_choose(settings) or default is ScopeKind.SHARED:
            return ()
        return tuple(dict.fromkeys((default, *SCOPES[chat]))) if SCOPES[chat] else ()

    def find_quiet_end(self, address: Address, now: datetime) -> datetime | None:
        """Return when it is over that a chat wants to hear nothing it has not asked for, ``None`` while it does.

        ``now`` is aware and in the operator's zone, which counts where the chat has none of its own.
        """
        return self.find(address).find_quiet_end(now)

    def localise(self, message: InboundMessage) -> InboundMessage:
        """Return a message with its chat's language, and its time as clocks show it there, where a zone is set."""
        chat, settings = self.find(message.address), self.settings.current
        zone, sent_at = chat.time_zone or settings.time_zone, message.sent_at
        sent_at = sent_at.astimezone(ZoneInfo(zone)) if zone else sent_at
        return replace(message, sent_at=sent_at, spoken=chat.language or settings.language)


def find_default_scope(chat: ChatKind, settings: Settings) -> ScopeKind:
    """Return whose memory a chat of a kind uses that has chosen nothing."""
    memory = settings.memory
    return ScopeKind(memory.scope_direct if chat is ChatKind.DIRECT else memory.scope_group)


def find_scope(message: InboundMessage, settings: Settings, chats: Chats, chosen: ScopeKind | None = None) -> Scope:
    """Return whose memory a message uses, by the configuration unless its chat has ``chosen``.

    A group that got another id keeps its memory.
    """
    return build_scope(
        chosen or find_default_scope(message.chat_kind, settings),
        platform=message.address.platform,
        user_id=message.author.id,
        chat_id=chats.home(message.address.bot_id, message.address.chat_id),
        topic_id=message.address.topic_id,
        shared=settings.memory.shared_name,
    )


class SystemClock:
    """Wall clock in the machine's zone, and the monotonic clock."""

    def now(self) -> datetime:
        """Return the time, aware."""
        return datetime.now(UTC).astimezone()

    def monotonic(self) -> float:
        """Return seconds that only grow."""
        return time.monotonic()


class ZonedClock:
    """Another clock, told in the zone of whoever looks at it.

    ``zone`` returns its IANA name, "" to leave the time as it is; it is asked anew every time, so that a change acts at
    once.
    """

    def __init__(self, clock: Clock, zone: Callable[[], str]) -> None:
        self._clock = clock
        self._zone = zone

    def now(self) -> datetime:
        """Return the other clock's time in the zone."""
        moment, name = self._clock.now(), self._zone()
        return moment.astimezone(ZoneInfo(name)) if name else moment

    def monotonic(self) -> float:
        """Return the other clock's seconds."""
        return self._clock.monotonic()
