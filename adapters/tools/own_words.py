"""What the user really said in this turn: the only thing that may make a tool change memory.

A model reads memories, quotes and tool results beside the user's message, and any of them may try to command it.
So a change needs words of the user's own, checked here without asking the model.
"""

from __future__ import annotations

import re

from bot.memory.sanitise import visible
from bot.turn import Turn

_NOT_WORDS = re.compile(r"[^\w]+")
_FORGET = re.compile(
    r"forg[eo]t|delet|eras[ei]|remov|wip(?:e|ing)|unlearn|get rid|drop (?:that|this|it|the)"
    r"|забуд|забы[тлв]|удал|сотр[иёуе]|стер[елт]|стира|убер|убра|очист|вычеркн"
    r"|vergiss|vergess|lösch|entfern|olvid|borr[ae]|elimin|oubli|supprim|efface|dimentic|cancell|esque[cç]|apag"
    r"|zapomn|usuń|usun|видал"
)
_KEEP = re.compile(
    r"(?:do not|don.?t|never|не|nicht|niemals|no|nunca|ne)\s+(?:\w+\s+)?"
    r"(?:forg[eo]t|delet|eras|remov|забуд|забы|удал|сотр|стер|стир|vergess|lösch|olvid|borr|oubli)\w*"
)


def is_outside_text(turn: Turn) -> bool:
    """Whether the turn has read text that its author did not write now: forwarded, quoted, or from a tool outside."""
    messages = [entry.message for entry in turn.accepted]
    return any(run.tainted for run in turn.tool_runs) or any(
        message.forwarded_from is not None or message.quote is not None for message in messages
    )


def says_verbatim(turn: Turn, text: str) -> bool:
    """Whether the user's message holds these words, in this order; case, spaces and punctuation do not count."""
    words = _words(text)
    return bool(words.strip()) and words in _words(turn.text)


def asks_to_forget(turn: Turn) -> bool:
    """Whether the user's message itself speaks of forgetting something, and not of not forgetting it."""
    return bool(_FORGET.search(_KEEP.sub(" ", visible(turn.text).casefold())))


def _words(text: str) -> str:
    return f" {_NOT_WORDS.sub(' ', visible(text).casefold()).strip()} "
