"""Return whether what a model wrote is borne out by what was said: checked by words, without believing the model.

Names, numbers and codes carry the facts and are what an injected text would change, so every one of them must stand in
the source; of the other words most must, which leaves room for grammar.
"""

from __future__ import annotations

import re

from bot.memory.sanitise import visible
from language import languages

_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_NOT_WORDS = re.compile(r"\W+")
_STEM = 4
"""Letters that two forms of one word share at least, in the languages we know of."""
_SHARE = 0.6
_GLUE = 3
"""Words of up to so many letters are grammar."""

_OPENERS = frozenset({"user"}).union(*(each.opening_words for each in languages()))
"""Words that a sentence may begin with although the source does not hold them."""


def is_quoted(quote: str, source: str) -> bool:
    """Return whether the words of ``quote`` stand in ``source`` in this order; case and punctuation do not count."""
    words = _flat(quote)
    return bool(words.strip()) and words in _flat(source)


def is_grounded(content: str, source: str) -> bool:
    """Return whether ``content`` says nothing of substance that ``source`` does not."""
    known = {word.casefold() for word in _WORD.findall(visible(source))}
    stems = {word[:_STEM] for word in known}
    words = _WORD.findall(visible(content))
    hard = {word.casefold() for number, word in enumerate(words) if _is_hard(word, opens=number == 0)}
    if any(word not in known and (_has_digit(word) or word[:_STEM] not in stems) for word in hard):
        return False
    soft = [word.casefold() for word in words if len(word) > _GLUE]
    return not soft or sum(word[:_STEM] in stems for word in soft) >= _SHARE * len(soft)


def _is_hard(word: str, *, opens: bool) -> bool:
    """Return whether a word carries a fact: a number, a name, and whatever opens the sentence unless it is grammar."""
    return _has_digit(word) or (word[0].isupper() and not (opens and word.casefold() in _OPENERS))


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _flat(text: str) -> str:
    return f" {_NOT_WORDS.sub(' ', visible(text).casefold()).strip()} "
