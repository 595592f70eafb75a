"""What the user really said in this turn: the only thing that may make a tool change memory.

A model reads memories, quotes and tool results beside the user's message, and any of them may try to command it.
So a change needs words of the user's own, checked here without asking the model.
"""

from __future__ import annotations

import re

from bot.memory.learning.speech import asks_to_keep as is_request_to_keep
from bot.memory.learning.speech import own_words
from bot.memory.sanitise import visible
from bot.memory.sentences import sentences
from bot.turn import Turn

_TYPED_CHARS = 1000
"""Of one message; more is rarely typed."""
_SPEAKER = re.compile(r"\s*[^\s:][^\n:]{0,40}: ")
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


def says_verbatim(turn: Turn, text: str) -> bool:
    """Whether the user typed these words, in this order; case, spaces and punctuation do not count."""
    return _holds(turn.typed, text)


def asks_to_keep(turn: Turn, text: str) -> bool:
    """Whether the user typed a request to remember something, and these words in it or after it."""
    typed = sentences(own_words(visible(turn.typed)))
    begun = next((place for place, sentence in enumerate(typed) if is_request_to_keep(sentence)), None)
    return begun is not None and _holds("\n".join(typed[begun:]), text)


def looks_pasted(turn: Turn) -> bool:
    """Whether what was typed may hold somebody else's words: long, or lines of several speakers, or a citation.

    A paste cannot be told from typing by a machine; what looks like one is asked about, and it costs a press of a
    button where it was not.
    """
    typed = visible(turn.typed).strip()
    lines = typed.split("\n")
    spoken = len(lines) > 1 and any(_SPEAKER.match(line) for line in lines)
    return spoken or len(typed) > _TYPED_CHARS or own_words(typed).strip() != typed


def asks_to_forget(turn: Turn) -> bool:
    """Whether the user's message itself speaks of forgetting something, and not of not forgetting it."""
    return not looks_pasted(turn) and bool(_FORGET.search(_KEEP.sub(" ", visible(turn.typed).casefold())))


def _holds(said: str, text: str) -> bool:
    words = _words(text)
    return bool(words.strip()) and words in _words(said)


def _words(text: str) -> str:
    return f" {_NOT_WORDS.sub(' ', visible(text).casefold()).strip()} "
