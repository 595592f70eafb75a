"""Text to stemmed words, for the full-text index over items.

Russian words by their script, German ones by their letters, everything else as English (Porter2, as in Snowball).
Codes such as "567-G0" become "567" and "g0": the pieces are found wherever the whole is.
"""

from __future__ import annotations

import re
import threading
from typing import Final, Protocol

import snowballstemmer

_WORD: Final = re.compile(r"[^\W_]+")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_GERMAN: Final = re.compile("[äöüß]")
_LONGEST = 64
"""Letters of the longest word that has a stem; Snowball takes minutes for a million of them."""
_CACHE: Final = 50_000
_STOP: Final = """
a an and are as at be been but by can could did do does for from had has have he her his how i if in is it its me my of
on or our she should so that the their them there they this to was we were what when where which who whom why will with
would you your
а без бы был была было были быть в вам вас во вот все вы где да для до его ее если есть еще же за и из или им их к как
какая какие какой ко когда кто куда ли мне мной моя мое мои мой моих моего моей мы на над не него нее нет ни но о об он
она они оно от по под при с со та так там тебя то того тоже только ты у уже что чтобы это этого я
"""
"""Words that say nothing about the subject, English and Russian; taken out of questions, kept in the index."""


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - snowballstemmer's own name


class Words:
    """Splits and stems.  Safe to use from several threads: Snowball's stemmers keep state and are taken in turn."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._english: _Stemmer = snowballstemmer.stemmer("english")
        self._russian: _Stemmer = snowballstemmer.stemmer("russian")
        self._german: _Stemmer = snowballstemmer.stemmer("german")
        self._stems: dict[str, str] = {}
        self._stop = frozenset(_STOP.split())

    def of(self, text: str) -> tuple[str, ...]:
        """Return all words in order, stemmed, lower-case, ё as е."""
        raw = _WORD.findall(text.casefold().replace("ё", "е"))
        with self._lock:
            return tuple(self._stem(word) for word in raw)

    def asked(self, text: str) -> tuple[str, ...]:
        """Return the distinct words of a question that say something; all of them if none does."""
        raw = _WORD.findall(text.casefold().replace("ё", "е"))
        telling = [word for word in raw if word not in self._stop] or raw
        with self._lock:
            return tuple(dict.fromkeys(self._stem(word) for word in telling))

    def _stem(self, word: str) -> str:
        if len(word) > _LONGEST:
            return word[:_LONGEST]
        stem = self._stems.get(word)
        if stem is None:
            if len(self._stems) >= _CACHE:
                self._stems.clear()
            stem = self._stems[word] = self._stemmer(word).stemWord(word)
        return stem

    def _stemmer(self, word: str) -> _Stemmer:
        if _CYRILLIC.search(word):
            return self._russian
        return self._german if _GERMAN.search(word) else self._english
