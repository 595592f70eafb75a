"""Turns words that somebody said about themselves to whom they are told back: "my sister" becomes "your sister".

Only possessives are turned, which change no other word of the sentence; whatever else is said in the first person
stays as it was said, in quotation marks.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from language import Language, detect_languages

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_QUOTING: Final = re.compile(r"[\"“”„«»]|:(?!\d)|(?<!\w)['‘]")
"""Signs of words within words: there "my" may be somebody else's."""


def turn_to_listener(sentence: str) -> str | None:
    """Return a sentence as it is told to whom it came from, ``None`` where that is not certain."""
    likely = detect_languages(sentence)
    first_person = _list_first_person(likely)
    forms = {word: form for each in likely for word, form in each.persons.turned.items()}
    spoken = [word for word in map(str.casefold, _WORD.findall(sentence)) if word in first_person]
    if any(word not in forms for word in spoken) or (spoken and _QUOTING.search(sentence)):
        return None
    if any(_compile_listener(each).search(sentence) for each in likely):
        return None

    def turn(found: re.Match[str]) -> str:
        word = forms.get(found[0].casefold(), found[0])
        return word[:1].upper() + word[1:] if found[0][:1].isupper() else word

    return _WORD.sub(turn, sentence)


@cache
def _list_first_person(likely: tuple[Language, ...]) -> frozenset[str]:
    return frozenset[str]().union(
        *(each.persons.first_person | each.questions.first_person or each.learning.mine for each in likely)
    )


@cache
def _compile_listener(language: Language) -> re.Pattern[str]:
    """Return the pattern of words by which the speaker means whom the sentence would be told to."""
    return re.compile(rf"\b(?:{language.persons.listener or '(?!)'})\b", re.IGNORECASE)
