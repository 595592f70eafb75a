"""Words of one language that tell what a passage can answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """The cues of one language.  All patterns are of small letters and stand between word borders."""

    number: str = ""
    """Numbers in words: they answer "how many"."""
    reason: str = ""
    """What gives a reason or a feeling: it answers "why"."""
    news: str = ""
    """What tells of something new: what somebody has done so far is told piece by piece, each when it was news."""
    wish: str = ""
    """What says how somebody wants things done, or what they would rather have: it guides advice."""
    wish_begin: str = ""
    """The same where a sentence begins: "always", "never"."""
