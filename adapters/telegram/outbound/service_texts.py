"""Texts that the Telegram adapter sends by itself, to people whom the rest of the bot never meets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServiceTexts:
    """The service texts in one language; ``{id}`` stands for the reader's or the group's numeric id."""

    stranger: str = (
        "This assistant is private. Ask its owner for a pairing code and send me: /pair CODE\nYour id is {id}."
    )
    wrong_code: str = "That code is not valid (any more). Ask the owner for a new one."
    group_not_listed: str = "This group is not on my list. Its id, for the configuration: {id}"
    group_joined: str = (
        "Hello! I do not work in this group yet. To let me, add {id} to telegram.allowedChats in the configuration."
    )
    group_served: str = "Hello! I answer here when you mention me, reply to me or use a command: /help"
    anonymous_admin: str = (
        "You write as the group, so I cannot tell who you are. Write as yourself, or add {id} to "
        "telegram.allowedUsers to let anonymous admins in."
    )
    button_refused: str = "This button is not for you."
    button_not_yours: str = "Only the one who asked can press this."
    button_expired: str = "This button has expired."
    button_changed: str = "Memory has changed since I asked. Ask me again."
    button_not_now: str = "My memory cannot be reached right now. Please try again later."


ENGLISH = ServiceTexts()
