"""The sentences of the tool loop, in the reader's language; the composition root takes them from the bot's texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LoopTexts:
    """What people read when an answer is not simply an answer.

    ``stopped`` marks what was written before /stop; ``out_of_time`` has ``{seconds}``; ``failed`` (no answer at all)
    and ``broke_off`` (the answer above is incomplete) have ``{reason}``, a sentence that names the setting to change.
    ``ask`` returns the question whether a text is to be remembered, with every byte of it visible; ``agree`` is on the
    button below.  ``ask_forget`` and ``agree_forget`` are the same for what is to be forgotten.  ``cannot`` says what
    of this turn's wishes cannot be done yet, "" when that is nothing.
    """

    stopped: str
    out_of_time: str
    out_of_calls: str
    failed: str
    broke_off: str
    empty: str
    cut_short: str
    ask: Callable[[str], str]
    agree: str
    ask_forget: Callable[[str], str]
    agree_forget: str
    cannot: str = ""
