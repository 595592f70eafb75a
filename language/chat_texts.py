"""What a messaging platform shows around a conversation, as data: a language is one value of :class:`ChatTexts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ChatTexts:
    """The button under a growing answer, and what the bot's profile says of it."""

    stop_button: str = ""
    description: str = ""
    """In a chat that is still empty; 512 characters at most."""
    short_description: str = ""
    """On the bot's profile; 120 characters at most."""
    owner_commands: Mapping[str, str] = field(default_factory=dict)
    """Lines of help for what only the owner's menu lists."""
    topics: Mapping[str, str] = field(default_factory=dict)
    """What ``/start TOPIC`` explains, by topic; a link to the bot can name one."""
