"""Finds the sentences that answer a question, and says how well each fits it.

The fit is the share of the question's content that the sentence shares, by concept; it is less when the kind of thing
that is asked for is absent, and nothing when the sentence is about somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.memory.answering.question_analysis import FIRST_PERSON, Kind, Wanted, gives, introduces, tells_occupation
from bot.memory.answering.utterances import Utterance, statements
from bot.memory.items import ItemType
from bot.memory.learning.statements import facts
from bot.memory.synonyms import ALIKE, PEOPLE, alike, concept, forms, meanings
from language.words import words

Aliases = dict[str, frozenset[str]]
"""Concepts that name the same person, by concept."""

_ABSENT: Final = 0.55
"""Share of its fit that a sentence keeps when it lacks the kind of thing that is asked for."""
_NAME_ONLY: Final = 0.55
"""Most that a sentence can fit that shares only the names of the question, and nothing of what is asked about them."""
_RATHER_NOT: Final = 0.75
"""Share that it keeps without the concept that an answer has if there is a choice."""
_STRANGER: Final = 0.55
"""Share that it keeps when it is about somebody else than the question."""
_AGED: Final = re.compile(
    r"(?:\b(?:is|am|are|turns|turned)|['’]m)\s+\d{1,3}\b(?![:.,]\d)|\b(?-i:[A-ZА-ЯЁ])\w+\s*\(\d{1,2}\)", re.IGNORECASE
)
_DECIDED: Final = "decide"
"""Asked for, it is also in what is a decision without the word: "Let's use Postgres"."""
_ALIASES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?i:\b(?:my|our|мо\w+|наш\w*))\s+(?:\w+\s+)?(?P<kin>\w+),?\s+(?P<name>(?-i:[A-ZА-ЯЁ])\w+)",
        r"(?i:\b(?:my|our))\s+(?P<kin>\w+)(?:['’]s name is| is (?:called|named))\s+(?P<name>[A-ZА-ЯЁ]\w+)",
        r"(?i:\b(?:мо\w+|наш\w*))\s+(?P<kin>\w+)\s+зовут\s+(?P<name>[A-ZА-ЯЁ]\w+)",
        r"\b(?P<name>[A-ZА-ЯЁ]\w+)\s+(?i:is|—|-|–|это)\s*(?i:my|our|мо\w+|наш\w*)\s+(?P<kin>\w+)",
    )
)
_PEOPLE: Final = frozenset({"user", "forwarded"})
"""Roles of those who speak for themselves."""
_OURS: Final = re.compile(r"[MmOoМмНн](?:[Yy]|[Uu][Rr]|[Оо]|[Аа][Шш])")
"""Stands in whatever one of the patterns above matches."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sentence of an utterance, verbatim, and how well it answers (0..1)."""

    text: str
    source: Utterance
    fit: float = 0.0


def aliases(spoken: tuple[Utterance, ...]) -> Aliases:
    """Return which concepts name the same person, both ways ("sister" ↔ "vera"), from what the asker said."""
    same: dict[str, set[str]] = {}
    for said in spoken:
        for pattern in _ALIASES if said.mine and _OURS.search(said.text) else ():
            for match in pattern.finditer(said.text):
                kin, name = (concept(next(iter(words(match[group])), "")) for group in ("kin", "name"))
                if kin in PEOPLE and name not in PEOPLE:
                    same.setdefault(kin, set()).add(name)
                    same.setdefault(name, set()).add(kin)
    return {term: frozenset(names) for term, names in same.items()}


def gather(spoken: tuple[Utterance, ...], wanted: Wanted, known: Aliases) -> tuple[Evidence, ...]:
    """Return the statements that share a word with the question and what it cannot do without, with their fit."""
    told_by_word = wanted.terms and _DECIDED not in wanted.terms and not (wanted.name or wanted.rather)
    trace = (_trace(wanted.terms, known),) if told_by_word else ()
    needed = {term: _trace((term,), known) for term in wanted.entities if wanted.kind is not Kind.YES_NO}
    found = []
    for said in spoken:
        author = frozenset() if said.mine else _author(said)
        hints = () if said.role in _PEOPLE and _is_named(said, wanted) else trace
        for text in statements(said, (*(hint for term, hint in needed.items() if term not in author), *hints)):
            piece = Evidence(text, said)
            found.append(replace(piece, fit=_introduction(piece) if wanted.name else _worth(wanted, piece, known)))
    return tuple(found)


def _worth(wanted: Wanted, piece: Evidence, known: Aliases) -> float:
    score = fit(wanted, piece, known)
    if not wanted.rather or wanted.rather in meanings(piece.text):
        return score
    return max(score * _RATHER_NOT, tells_occupation(piece.text) if wanted.of_asker and piece.source.mine else 0.0)


def _introduction(piece: Evidence) -> float:
    return introduces(piece.text) if piece.source.mine else 0.0


def _trace(terms: Iterable[str], known: Aliases) -> re.Pattern[str]:
    """Return what finds, in small letters, the beginnings of all words that can mean one of ``terms``."""
    meant = {name for term in terms for name in (term, *known.get(term, ()))}
    beginnings = sorted({form for term in meant for form in forms(term)})
    return re.compile(r"(?<![^\W_])(?:" + "|".join(map(re.escape, beginnings)) + ")")


def key_of(piece: Evidence) -> str:
    """Return what the sentence is the latest word on (see :class:`~bot.memory.learning.statements.Fact`), and whose."""
    known = next(iter(facts(piece.text)), None) if piece.source.role == "user" else None
    return f"{piece.source.author}|{known.key}" if known and known.key else ""


def fit(wanted: Wanted, piece: Evidence, known: Aliases) -> float:
    """Return how well a sentence answers, 0..1: the weight of the shared concepts, less what speaks against it.

    The name of its author, asked for, needs not stand in it and counts for nothing.
    """
    said = meanings(piece.text)
    author = frozenset() if piece.source.mine else _author(piece.source)
    by = author.intersection(wanted.terms)
    terms = {term: weight for term, weight in wanted.terms.items() if term not in by}
    has = _matcher(said, known)
    shared = {term for term in terms if has(term)}
    if wanted.kind is not Kind.YES_NO and not wanted.entities <= shared | by:
        return 0.0
    if _DECIDED in terms and any(fact.rule.type is ItemType.DECISION for fact in facts(piece.text)):
        shared.add(_DECIDED)
    if not (shared or (by and not terms)):
        return 0.0
    if wanted.kind is not Kind.YES_NO and all(any(alike(term, word) for term in terms) for word in said):
        return 0.0
    if wanted.own and _is_anothers(wanted, piece):
        return 0.0
    if "age" in terms and _AGED.search(piece.text):
        shared.add("age")
    score = sum(terms[term] for term in shared) / sum(terms.values()) if terms else 1.0
    if shared and shared <= wanted.entities and len(terms) > len(shared):
        score = min(score, _NAME_ONLY)
    if not gives(wanted, piece.text):
        score *= _ABSENT
    if _is_about_another(wanted, said, known):
        score *= _STRANGER
    return score


def _is_anothers(wanted: Wanted, piece: Evidence) -> bool:
    """Return whether somebody else than the asker says "my" here, and the question does not name them."""
    said = piece.source
    return (
        said.role in _PEOPLE
        and not said.mine
        and _author(said).isdisjoint(wanted.terms)
        and not FIRST_PERSON.isdisjoint(words(piece.text))
    )


def _author(said: Utterance) -> frozenset[str]:
    return frozenset(concept(word) for word in words(said.author))


def _is_named(said: Utterance, wanted: Wanted) -> bool:
    """Return whether the question names the speaker and nothing else: then anything they said may answer."""
    return not said.mine and bool(wanted.terms) and _author(said).issuperset(wanted.terms)


def _matcher(said: tuple[str, ...], known: Aliases) -> Callable[[str], bool]:
    present = set(said)
    begun: dict[str, list[str]] = {}
    for word in present:
        begun.setdefault(word[:ALIKE], []).append(word)

    def has(term: str) -> bool:
        meant = (term, *known.get(term, ()))
        return not present.isdisjoint(meant) or any(
            alike(name, word) for name in meant for word in begun.get(name[:ALIKE], ())
        )

    return has


def _is_about_another(wanted: Wanted, said: tuple[str, ...], known: Aliases) -> bool:
    """Return whether the sentence is about somebody whom the question does not mean; "who …?" may mean anybody."""
    if wanted.kind is Kind.PERSON and not wanted.entities:
        return False
    meant = {name for term in wanted.terms for name in (term, *known.get(term, ()))}
    near = (PEOPLE & set(said)) - meant
    if not near or any(name in meant for kin in near for name in known.get(kin, ())):
        return False
    return wanted.of_asker or wanted.entities.isdisjoint(said)
