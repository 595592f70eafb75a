"""What kind of thing a question asks for, and the words that name one: "What pets …?" is answered by "our cat".

Neither shared words nor likeness of meaning find these: "activities" and "swimming" are far apart in both.
It matters most for lists, whose parts were told one by one in other words (+3.9 multi-hop recall@10 on conversations
that the weights had not seen).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from bot.memory.ranking.category_words import LINES, WHERE, WHO
from language import alternatives, languages
from language.analyser import Analyser

_WORDS: Final = tuple(each.interrogatives for each in languages())
_INTERROGATIVE: Final = re.compile(
    rf"\b(?:(?P<what>{alternatives(each.what for each in _WORDS)})|"
    rf"(?P<where>{alternatives(each.where for each in _WORDS)})|"
    rf"(?P<who>{alternatives(each.who for each in _WORDS)})|{alternatives(each.other for each in _WORDS)})\b",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    rf"\b(?:(?P<copula>{alternatives(each.copula for each in _WORDS)})|{alternatives(each.verb for each in _WORDS)})\b",
    re.IGNORECASE,
)
_ASIDE: Final = 0.6
"""What a kind counts that stands behind the verb: it is often what the question is about, not what it asks for."""


class AskedKinds:
    """Reads questions.

    Names of kinds are folded at once, what belongs to one when it is first asked for: all takes a tenth of a second.
    """

    def __init__(self, words: Analyser) -> None:
        self._words = words
        self._written: dict[str, list[str]] = {}
        self._known: dict[str, frozenset[str]] = {}
        for line in LINES:
            names, _, instances = line.partition(":")
            for name in self._folded(names.split()):
                self._written.setdefault(name, []).append(instances)
        self._asked_by = {"where": self._folded(WHERE), "who": self._folded(WHO)}

    def instances(self, question: str) -> Mapping[str, float]:
        """Return the stems of what belongs to the kind that is asked for, each with its worth, 0..1.

        Words of the question itself are none of them; empty for a question that asks for no known kind.
        """
        terms = self._words.terms(question)
        said = {term.stem for term in terms}
        worth: dict[str, float] = {}
        for kind, counts in self._asked(question, [(term.start, term.stem) for term in terms]):
            for stem in self._of(kind) - said:
                worth[stem] = max(worth.get(stem, 0.0), counts)
        return worth

    def _of(self, kind: str) -> frozenset[str]:
        """Return the stems of what belongs to a kind."""
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = frozenset(self._folded(" ".join(self._written[kind]).split()))
        return known

    def _asked(self, question: str, stems: Iterable[tuple[int, str]]) -> list[tuple[str, float]]:
        """Return the kinds asked for and what each counts: the last before the verb, else those behind it."""
        found = _INTERROGATIVE.search(question)
        if found is None:
            return []
        if found.lastgroup != "what":
            return [(kind, 1.0) for kind in self._asked_by.get(found.lastgroup or "", ())]
        kinds = [(start, stem) for start, stem in stems if start >= found.end() and stem in self._written]
        verb = _VERB.search(question, found.end())
        if verb is None:
            return [(kind, 1.0) for _, kind in kinds[:1]]
        before = [kind for start, kind in kinds if start < verb.start()]
        if before:
            return [(before[-1], 1.0)]
        first = 1.0 if verb["copula"] else _ASIDE
        return [(kind, _ASIDE if place else first) for place, (_, kind) in enumerate(kinds)]

    def _folded(self, words: Iterable[str]) -> tuple[str, ...]:
        return tuple(stem for stem in map(self._words.fold, words) if stem)
