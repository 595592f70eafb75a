"""How people of one language say that something is over or has become another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """A kind of change.  Patterns are of small letters and match anywhere in a sentence, at the borders of words.

    ``ends`` says that something has changed, ``of`` what such a thing was told with before, "" for anything.
    ``personal`` says that it happens to somebody and not to a thing: both sentences are about the same person then.
    ``own`` says that two about the speaker need no more in common: "we moved" ends where "we" live.
    """

    ends: str
    of: str = ""
    personal: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The kinds of change in a language."""

    kinds: tuple[Change, ...] = ()
    past: str = ""
    """Pattern of words in a question that ask for what was before: "used to"."""
    speaker: str = ""
    """Pattern of words by which people speak of themselves as the subject: "I", "we"."""
    implied: str = ""
    """Pattern of how a sentence begins that leaves that word out: "been to …", "hab …"."""
    absent: str = ""
    """Pattern of what says that a change has not happened, or to something else: "want to", "dreamt", "not mine"."""
    now: str = ""
    """Pattern of words by which something begins to hold, whatever was before: "these days", "as of today"."""
