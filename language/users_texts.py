"""The words of /users, as data: a language is one value of :class:`UsersTexts`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UsersTexts:
    """/users; ``{id}`` is a user's, ``{name}`` as they write under, ``{who}`` either or both."""

    head: str = ""
    none: str = ""
    owner_only: str = ""
    not_here: str = ""
    line: str = ""
    """With {who} and {messages}."""
    by_code: str = ""
    """With {day}."""
    by_settings: str = ""
    seen: str = ""
    """With {moment}."""
    never_seen: str = ""
    messages: str = ""
    """With {count}."""
    tokens: str = ""
    """With {count}: of this month."""
    owner: str = ""
    revoke_button: str = ""
    back: str = ""
    confirm: str = ""
    """With {who}."""
    confirm_button: str = ""
    revoked: str = ""
    unknown: str = ""
    listed: str = ""
    """Somebody whom the configuration lets in cannot be revoked here."""
    invite_button: str = ""
    invited: str = ""
    """With {code} and {minutes}."""
    link: str = ""
    """With {link}."""
    no_bot: str = ""
    pairing_off: str = ""
