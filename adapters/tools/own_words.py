"""What the user really said in this turn: the only thing that may make a tool change memory.

A model reads memories, quotes and tool results beside the user's message, and any of them may try to command it.
So a change needs words of the user's own, checked here without asking the model.
"""

from __future__ import annotations

import re

from bot.memory.concepts import STOP_WORDS
from bot.memory.learning.speech import asks_to_keep as is_request_to_keep
from bot.memory.learning.speech import opened, own_words
from bot.memory.sanitise import visible
from bot.memory.sentences import sentences
from bot.turn import Turn

_TYPED_CHARS = 1000
"""Of one message; more is rarely typed."""
_SPEAKER = re.compile(r"\s*[^\s:][^\n:]{0,40}: ")
_NOT_WORDS = re.compile(r"[^\w]+")
_TO_FORGET = re.compile(
    r"(?i)(?:(?:please|bitte|пожалуйста)[,\s]{1,3})?"
    r"(?:(?:(?:can|could|would|will) you|i(?:['’]d| would) like you to|i want you to)\s{1,3}(?:please\s{1,3})?)?"
    r"(?:(?:forget|erase|delete|remove)\b(?!-)|(?:забудь|удали|сотри)(?:те)?\b"
    r"|(?:vergiss|vergessen sie|lösche?|löschen sie|entferne)\b)(?P<object>.{1,500})",
    re.DOTALL,
)
_TO_FORGET_LAST = re.compile(
    r"(?i)(?:kannst|könntest) du\s{1,3}(?P<object>.{1,500}?)\s(?:vergessen|löschen)\b", re.DOTALL
)
"""German puts the verb of a question last."""
_FAVOUR = re.compile(r"(?i)(?:(?:please|bitte)[,\s]{1,3})?(?:can|could|would|will|kannst|könntest)\b")
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_EMPTY = frozenset(
    [
        "all",
        "everything",
        "please",
        "bitte",
        "alles",
        "mein",
        "meine",
        "meinen",
        "meiner",
        "meinem",
        "den",
        "die",
        "das",
    ]
)
"""Words of a request that name nothing."""


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
    """Whether the user typed a request to forget something: not that they forgot, nor that something is not to be."""
    return bool(to_forget(turn))


def to_forget(turn: Turn) -> tuple[tuple[str, ...], ...]:
    """Return what the user asks to forget, as the words that name it, once per request; () without one or in a paste.

    A request is a sentence that begins as one: an imperative, or a question for the favour.  "I forgot my umbrella",
    "my flight was deleted" and "don't forget to call" are none.
    """
    if looks_pasted(turn):
        return ()
    asked = []
    for sentence in sentences(own_words(visible(turn.typed))):
        plain = opened(sentence.strip())
        request = _TO_FORGET.match(plain) or _TO_FORGET_LAST.match(plain)
        if request is None or (plain.endswith("?") and not _FAVOUR.match(plain)):
            continue
        words = _WORD.findall(_POSSESSIVE.sub("", request["object"]))
        named = tuple(word for word in words if word.casefold().replace("ё", "е") not in STOP_WORDS | _EMPTY)
        asked += [named] if named else []
    return tuple(asked)


def _holds(said: str, text: str) -> bool:
    words = _words(text)
    return bool(words.strip()) and words in _words(said)


def _words(text: str) -> str:
    return f" {_NOT_WORDS.sub(' ', visible(text).casefold()).strip()} "
