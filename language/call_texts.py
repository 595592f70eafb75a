"""The sentences about calls of foreign tools, as data: a language is one value of :class:`CallTexts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CallTexts:
    """A call that needs consent, what came of it, and /tools; ``{server}`` and ``{tool}`` are names."""

    ask: str = ""
    """``{text}``: the server, the tool and the arguments, verbatim."""
    agree: str = ""
    done: str = ""
    nothing: str = ""
    """The tool answered without a word."""
    failed: str = ""
    unsure: str = ""
    too_late: str = ""
    history: str = ""
    """What the conversation keeps of a call, in our words."""
    owner_only: str = ""
    none: str = ""
    head: str = ""
    states: Mapping[str, str] = field(default_factory=dict)
    """By "starting", "ready" and "down"."""
    asks: str = ""
    runs: str = ""
    held: str = ""
    approve: str = ""
    approved: str = ""
    changed: str = ""
