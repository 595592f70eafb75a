"""Finds who and what a message names: people, places, organisations and things, and who they are to its author.

What is a name is told, once the message is embedded, by a small network over the state of each word in the model's
middle layer, of its neighbours, and how they are written (``python -m benchmarks.names.train``).  Of all ways to mark
the words the likeliest is taken (Viterbi); a word that is written small throughout begins no name.  Until then, and
without the model, it is told by the rules for the entities of long-term memory, and stricter: a word that is merely
written with a capital, as the first of a sentence is, counts only where the name stands elsewhere beyond doubt.
Names in other cases ("Vera", "Вере") are one name by their key.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bot.memory.concepts import PEOPLE, find_concept
from bot.memory.patterns import cut_for_rules
from bot.memory.secrets.redaction import remove_masks
from language import alternatives, languages, stop_words
from language.analyser import Stemmer, strip_possessive
from language.patterns import compile_at_use
from language.registry import get_texts
from language.sentences import split_sentences
from language.spans import Span, fold, is_stop, spans
from language.words import word_set

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
_Numbers = npt.NDArray[np.floating[Any]]  # Any: of 32 bits where they were learnt, of 64 where they are made

WEIGHTS: Final = Path(__file__).with_name("tagging.npz")
KINDS: Final = ("person", "location", "organization", "artifact")
TAGS: Final = ("", *(f"{place}{kind}" for kind in KINDS for place in "BI"))
"""Of a word: no name, or the beginning or a later word of a name of a kind."""
DOUBT: Final = 4.0
"""Log odds by which a name must be likelier than none: false names cost more than missed ones."""
SURE: Final = 0.69
"""Mean probability of its kind over the words of a name; a name that is told with less is left out."""

_TAGGED_WORD: Final = re.compile(r"[^\W_]+|[^\w\s]|_")
_QUOTES: Final = frozenset("\"'«»„“”‘’")
_CONTEXT_BEFORE: Final = frozenset('.!?:"«„“')
_SHORT: Final = 2
_NEVER: Final = 1e9
_STOPS: Final = stop_words()
_LATER: Final = np.array([tag[:1] == "I" for tag in TAGS])
_FOLLOWS: Final = np.array([[tag[:1] != "I" or before[1:] == tag[1:] for tag in TAGS] for before in TAGS])
"""Whether a tag may stand after another: (before, after)."""
_OPENS, _AFTER = -_NEVER * _LATER, np.where(_FOLLOWS, 0.0, -_NEVER)
"""What is added to a tag as the first, and behind another."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A name: where it stands, as character offsets, and its kind, one of :data:`KINDS`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Network:
    """One hidden layer: weights by input, (inputs, units) and (units, tags), and what is added."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats

    def score(self, rows: Floats) -> Floats:
        """Return the log probability of each tag for each row."""
        values = np.maximum(rows @ self.first + self.first_bias, 0) @ self.second + self.second_bias
        values -= values.max(axis=1, keepdims=True)
        scores: Floats = values - np.log(np.exp(values).sum(axis=1, keepdims=True))
        return scores


def find_words(sentence: str) -> tuple[tuple[int, int], ...]:
    """Return where words and marks stand."""
    return tuple(match.span() for match in _TAGGED_WORD.finditer(sentence))


def may_name(sentence: str) -> bool:
    """Whether any word could begin a name: others need not be embedded."""
    words = (sentence[low:high] for low, high in find_words(sentence))
    return any(_is_free(word) and word.lower() not in _STOPS for word in words)


def tell_names(sentence: str, pieces: Floats, spans: Ints) -> tuple[Tagged, ...]:
    """Return the names of a sentence by the states of its pieces, (pieces, dimension), and where they stand."""
    words = find_words(sentence)
    if not words or not len(pieces):
        return ()
    return find_names(sentence, words, load_network().score(make_rows(sentence, words, pieces, spans)))


def find_names(sentence: str, words: Sequence[tuple[int, int]], scores: Floats) -> tuple[Tagged, ...]:
    """Return the names of a sentence by the log probabilities of its words' tags, (words, tags)."""
    names = join(words, decode(sentence, words, scores))
    shares = np.exp(scores)

    def is_sure(name: Tagged) -> bool:
        within = [low >= name.start and high <= name.end for low, high in words]
        kind = [tag[1:] == name.kind for tag in TAGS]
        return bool(shares[within][:, kind].sum(axis=1).mean() >= SURE)

    return tuple(filter(is_sure, names))


def make_rows(sentence: str, words: Sequence[tuple[int, int]], pieces: Floats, spans: Ints) -> Floats:
    """Return what the network is told of each word: itself, the one before it and the one after it."""
    own = np.concatenate([_average(words, pieces, spans), _look(sentence, words)], axis=1)
    none = np.zeros_like(own[:1])
    rows: Floats = np.concatenate(
        [own, np.concatenate([none, own[:-1]]), np.concatenate([own[1:], none])], axis=1
    ).astype(np.float32)
    return rows


def decode(sentence: str, words: Sequence[tuple[int, int]], scores: Floats, doubt: float = DOUBT) -> list[int]:
    """Return the likeliest tags by their log probabilities, (words, tags)."""
    scores = scores.astype(np.float64)
    scores[:, 0] += doubt
    small = [not _is_free(sentence[low:high]) for low, high in words]
    scores[np.ix_(small, [tag[:1] == "B" for tag in TAGS])] -= _NEVER
    return find_likeliest(scores, _OPENS, _AFTER)


def find_likeliest(scores: _Numbers, opens: _Numbers, follows: _Numbers) -> list[int]:
    """Return the tags that score highest together (Viterbi), one for each row of ``scores``, (words, tags).

    ``opens``, (tags,), is added for the first of them, ``follows``, (before, after), for each behind another.
    """
    best, came = scores[0] + opens, []
    for row in scores[1:]:
        ways = best[:, None] + follows
        came.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    tags = [int(best.argmax())]
    for back in came[::-1]:
        tags.append(int(back[tags[-1]]))
    return tags[::-1]


def join(words: Sequence[tuple[int, int]], tags: Sequence[int]) -> tuple[Tagged, ...]:
    """Return the names that tags mark."""
    found: list[Tagged] = []
    for (low, high), number in zip(words, tags, strict=True):
        mark, kind = TAGS[number][:1], TAGS[number][1:]
        if mark == "B":
            found.append(Tagged(low, high, kind))
        elif mark == "I":
            found[-1] = Tagged(found[-1].start, high, kind)
    return tuple(found)


@cache
def load_network() -> Network:
    """Return the trained network."""
    with np.load(WEIGHTS) as file:
        return Network(
            file["first"].astype(np.float32) * file["first_scale"],
            file["first_bias"],
            file["second"].astype(np.float32),
            file["second_bias"],
        )


def _is_free(word: str) -> bool:
    """Whether a word may begin a name: it is not written small throughout, and it is no figure or mark."""
    return word[0].isalpha() and not word.islower()


def _average(words: Sequence[tuple[int, int]], pieces: Floats, spans: Ints) -> Floats:
    """Return the mean state of each word's pieces, zeros where the model read none of it."""
    borders = np.array(words, dtype=np.int64)
    within = (spans[None, :, 0] < borders[:, None, 1]) & (spans[None, :, 1] > borders[:, None, 0])
    shares = within.astype(np.float32) / np.maximum(within.sum(axis=1, keepdims=True), 1)
    means: Floats = (shares @ pieces).astype(np.float32)
    return means


def _look(sentence: str, words: Sequence[tuple[int, int]]) -> Floats:
    """Return how each word is written."""
    texts = [sentence[low:high] for low, high in words]
    rows = [
        (
            word[0].isupper(),
            word.isupper() and len(word) > 1,
            word.isalpha(),
            word.isdigit(),
            not word[0].isalnum(),
            any(map(str.isupper, word[1:])),
            place == 0 or texts[place - 1] in _CONTEXT_BEFORE,
            len(word) <= _SHORT,
            word.lower() in _STOPS,
            word in _QUOTES,
        )
        for place, word in enumerate(texts)
    ]
    return np.array(rows, dtype=np.float32)


_MOST: Final = 24
"""Names of one message: what holds more is a list or a document."""
_LONGEST: Final = 60
_SHORTEST: Final = 2
_SENTENCES: Final = 60
_WORD: Final = compile_at_use(r"[^\W\d_]+")
_CLITIC: Final = compile_at_use(r"['’][a-zà-ÿ]{1,3}$")
"""What is left of a contracted verb: "They've"."""
_BEFORE: Final = compile_at_use(r"(?<![^\W\d_])([^\W\d_]++)\W{1,3}$")
_NEAR: Final = 200
"""Characters before a name that are looked at: a long sentence may hold thousands of names."""
_LANGUAGES: Final = languages()
_MINE: Final = frozenset[str]().union(*(each.learning.mine & each.persons.first_person for each in _LANGUAGES))
_ARTICLES: Final = frozenset[str]().union(*(each.learning.articles for each in _LANGUAGES))
_TITLES: Final = frozenset[str]().union(*(each.entities.titles for each in _LANGUAGES))
_PARTICLES: Final = frozenset[str]().union(*(each.entities.name_particles for each in _LANGUAGES))
_LATIN: Final = {letter: latin for each in _LANGUAGES for letter, latin in each.entities.latin.items()}
_VOWELS: Final = frozenset("aeiouy")
"""One of them ends a name in Latin letters where the key of its other spelling has lost its case."""
_CALENDAR: Final = word_set(
    *(day for each in _LANGUAGES for day in get_texts(each.code).dates.weekdays),
    *(month for each in _LANGUAGES for month in get_texts(each.code).dates.months),
)
_MONTHS: Final = compile_at_use(
    alternatives(month for each in _LANGUAGES for month in each.calendar.months), re.IGNORECASE
)


class NameKind(IntEnum):
    """The kind of what is named; of two for one name the higher is believed."""

    NAME = 0
    THING = 1
    ORGANISATION = 2
    PLACE = 3
    PERSON = 4


_KINDS: Final = {
    "name": NameKind.NAME,
    "artifact": NameKind.THING,
    "organization": NameKind.ORGANISATION,
    "location": NameKind.PLACE,
    "person": NameKind.PERSON,
}


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a message: ``key`` is equal for the forms of one name, ``shown`` the form that stands there.

    ``sure`` says that it is a name beyond doubt; ``relation`` who they are ("sister", "dog": a concept that all
    languages share), "" when that is not said, and ``own`` that they are the author's: "my sister Vera".
    """

    key: str
    shown: str
    kind: NameKind
    sure: bool
    relation: str = ""
    own: bool = False


def find_mentions(text: str) -> tuple[Mention, ...]:
    """Return whom and what a message names by rules, each once, in the order in which they stand there, at most 24."""
    return _collect((sentence, [(span, False) for span in spans(sentence)]) for sentence in list_sentences(text))


def gather_mentions(tagged: Iterable[tuple[str, tuple[Tagged, ...]]]) -> tuple[Mention, ...]:
    """Return the same by the names that were told in each of :func:`list_sentences`."""
    return _collect((sentence, [(_cut(sentence, name), True) for name in names]) for sentence, names in tagged)


def list_sentences(text: str) -> tuple[str, ...]:
    """Return what is read of a message."""
    return tuple(split_sentences(remove_masks(cut_for_rules(text)))[:_SENTENCES])


def _cut(sentence: str, name: Tagged) -> Span:
    return Span(name.start, name.end, strip_possessive(sentence[name.start : name.end]), name.kind)


def _collect(read: Iterable[tuple[str, list[tuple[Span, bool]]]]) -> tuple[Mention, ...]:
    """Return what sentences name by their spans, and whether each of these was told by the network."""
    found: dict[str, Mention] = {}
    for sentence, listed in read:
        first = _WORD.search(sentence)
        for span, told in listed:
            near = sentence[max(0, span.start - _NEAR) : span.start]
            opens = not told and first is not None and span.start <= first.start()
            mention = _read(near, span, opens=opens)
            if mention is None:
                continue
            known = found.get(mention.key)
            if known is not None:
                found[mention.key] = _merge(known, mention)
            elif len(found) < _MOST:
                found[mention.key] = mention
        for role in _list_roles(sentence):
            found.setdefault(role.key, role)
    return tuple(found.values())


def make_key(name: str) -> str:
    """Return what the forms of one name have in common, "" for what is none."""
    return " ".join(_stems().stem_name(fold(word)) for word in _WORD.findall(strip_possessive(name)))


@lru_cache(maxsize=4096)
def is_same_name(one: str, other: str) -> bool:
    """Return whether two keys are of one name: equal, or one is the other in another script, letter by letter."""
    if one == other or not one or not other:
        return bool(one) and one == other
    native, latin = (one, other) if other.isascii() else (other, one)
    if native.isascii() or not latin.isascii():
        return False
    spelled = "".join(_LATIN.get(letter, letter) for letter in native)
    return spelled in {latin, latin[:-1] if latin[-1] in _VOWELS else latin}


def _read(near: str, span: Span, *, opens: bool) -> Mention | None:
    """Return what a span names, by the text near before it; ``opens`` says that there is no word before it."""
    kind = _KINDS.get(span.kind)
    if kind is None or len(span.name) > _LONGEST:
        return None
    before = _BEFORE.search(near)
    words = span.name.split()
    who = [before[1]] if before else []
    # In German "Schwester" is written with a capital and looks like a part of the name.
    while len(words) > 1 and (_is_role(words[0]) or words[0] in _PARTICLES):
        # "Katze von Anna" is about Anna, who is no cat.
        who = [*who, words.pop(0)] if _is_role(words[0]) else [words.pop(0)]
    name = " ".join(words).strip(" .,;:!?'’\"")
    if len(name) < _SHORTEST or _CLITIC.search(name) or _names_nothing(name):
        return None
    relation = next((concept for word in who[::-1] if (concept := find_concept(fold(word))) in PEOPLE), "")
    titled = bool(who) and (bool(relation) or fold(who[-1]) in _TITLES)
    article = before is not None and len(words) == len(span.name.split()) and fold(before[1]) in _ARTICLES
    common = article and kind is NameKind.NAME and not titled
    key = make_key(name)
    if not key or common:
        return None
    return Mention(
        key,
        name,
        NameKind.PERSON if titled else kind,
        sure=titled or kind in {NameKind.PLACE, NameKind.ORGANISATION} or not (opens and len(words) == 1),
        relation=relation,
        own=bool(relation) and _is_mine(near, who),
    )


def _list_roles(sentence: str) -> list[Mention]:
    """Return people who are named by what they are to the author alone: "my mother"."""
    words = _WORD.findall(sentence)
    folded = [fold(word) for word in words]
    found = []
    for place in range(1, len(words)):
        concept = find_concept(folded[place])
        named = place + 1 < len(words) and words[place + 1][0].isupper()
        if concept in PEOPLE and folded[place - 1] in _MINE and not named:
            found.append(Mention(f"= {concept}", words[place], NameKind.PERSON, sure=True, relation=concept, own=True))
    return found


def _merge(known: Mention, other: Mention) -> Mention:
    return replace(
        known,
        kind=max(known.kind, other.kind),
        sure=known.sure or other.sure,
        relation=known.relation or other.relation,
        own=known.own or other.own,
    )


def _is_role(word: str) -> bool:
    return fold(word) in _TITLES or find_concept(fold(word)) in PEOPLE


def _is_mine(before: str, who: list[str]) -> bool:
    """Whether the word before the role is "my"."""
    words = [fold(word) for word in (*_WORD.findall(before), *who[1:])]
    return len(words) > 1 and words[-2] in _MINE


def _names_nothing(name: str) -> bool:
    words = [fold(word) for word in _WORD.findall(name)]
    if not words or all(is_stop(word) or word in _CALENDAR for word in words):
        return True
    return len(words) == 1 and (_MONTHS.fullmatch(words[0]) is not None or _is_role(words[0]))


@lru_cache(maxsize=1)
def _stems() -> Stemmer:
    return Stemmer()
