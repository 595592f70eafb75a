"""Seed phrases of wallets, also where no word beside them says so (BIP-39).

Twelve words in a row out of a list of 2,048, which leaves out the small words of which sentences are made, do not come
about by chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Final

from bot.memory.secrets.folding import Finding
from language import languages
from language.words import fold

_FEWEST: Final = 12
_SHORTEST: Final = 4 * _FEWEST - 1
_ROW: Final = re.compile(r"[^\W\d_]{3,10}+(?:[ \n,;]{1,3}(?:[0-9]{1,2}[.):]? ?)?[^\W\d_]{3,10}+(?![^\W\d_])){0,47}+")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LISTS: Final = tuple(each.secrets.seed_list for each in languages() if each.secrets.seed_list)


def find_seed_phrases(text: str) -> Iterator[Finding]:
    """Yield every run of twelve or more words of one list; between them blanks, commas, line ends and numbers."""
    if len(text) < _SHORTEST or not _may_hold(text):
        return
    for row in _ROW.finditer(text):
        if row.end() - row.start() < _SHORTEST:
            continue
        words = list(_WORD.finditer(text, *row.span()))
        for known in map(_words, _LISTS):
            first = None
            for place, word in enumerate([*words, None]):
                if word is not None and fold(word[0]) in known:
                    first = place if first is None else first
                    continue
                if first is not None and place - first >= _FEWEST:
                    yield Finding(words[first].start(), words[place - 1].end(), "seed phrase")
                first = None


def _may_hold(text: str) -> bool:
    """Look at every twelfth word: a phrase of twelve has one of these; a number may be that of a word in a list."""
    for word in text.replace(",", " ").split()[_FEWEST - 1 :: _FEWEST]:
        if word[0].isdigit() or any(fold(word.strip(".;:")) in _words(one) for one in _LISTS):
            return True
    return False


@cache
def _words(language: str) -> frozenset[str]:
    """Return the list of a language, read when the first long row of words is seen."""
    if find_spec("mnemonic") is None:  # a house set up before there were lists: phrases that are called so are found
        return frozenset()
    listed = files("mnemonic").joinpath("wordlist", f"{language}.txt").read_text(encoding="utf-8")
    return frozenset(fold(listed).split())
