"""What a messaging platform shows around a conversation, as data: a language is one value of :class:`ChatTexts`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChatTexts:
    """The button under a growing answer, and what the bot's profile says of it."""

    stop_button: str = ""
    description: str = ""
    """In a chat that is still empty; 512 characters at most."""
    short_description: str = ""
    """On the bot's profile; 120 characters at most."""
