"""Finds the standing wishes of a text: how to answer, how to call its author, what to prefer, what never to suggest.

A wish is often one clause of a long question ("… and I prefer trains, so which way …?"), so that clauses are looked at
and not only sentences.  Only the author's own words count: no code, no cited line, no quotation.  What one answer
fulfils is a request, not a wish.  The content of a wish is what was said, word for word.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from bot.memory.items import MemoryItem, Trust
from bot.memory.learning.kinds import SURE, SentenceKind, decide_kind, keep_until_read
from bot.memory.learning.speech_acts import asks_memory, blank_quotations, list_own_sentences, strip_opening
from bot.memory.patterns import compile_bounded
from bot.memory.secrets.redaction import is_redacted
from language import alternatives, detect_languages, languages
from language.analyser import Analyser
from language.learning import WishPatterns
from language.words import split_words


class WishKind(StrEnum):
    """What a wish asks for."""

    ORDER = "order"
    NAME = "name"
    PREFERENCE = "preference"
    WITHDRAWAL = "withdrawal"


KEY: Final = "wish|"
"""What the subject of a wish begins with."""
_MOST: Final = 10
"""Wishes of one message: what holds more is a text about something else."""
_RECENT: Final = 64
_LONGEST: Final = 1_500
"""Characters of a sentence that are looked at."""
_WHOLE: Final = 240
"""Characters of a sentence that is kept whole; of a longer one the clauses around the wish are."""
_FEWEST: Final = 12
_FEWEST_BEHIND: Final = 6
"""Words that a wish of a long sentence is kept with, so that it can be understood; and those after its beginning."""
_FEW_STEMS: Final = 6
"""Telling words with which a wish is about nothing but its subject: "answer in German, please"."""
_LONGEST_KEY: Final = 120
_MOST_LISTED: Final = 1_000
"""Characters of a message whose lists are taken for its author's own: a longer one was hardly typed."""
_LISTED: Final = re.compile(r"\s*(?:[-–—•*#|]|\d{1,2}[.)])\s")
_BREAK: Final = re.compile(r"[,;:.!?…—–]{1,8}\s")  # bounded: the work grows with the text alone
_WISHES: Final = tuple(each.wishes for each in languages())
_EMPTY: Final = frozenset[str]().union(*(each.empty_words for each in _WISHES))
_WORDS: Final = Analyser()


_COURTESY: Final = rf"(?:{alternatives(each.courtesy for each in _WISHES)}\b[,:\s]{{1,3}}){{0,3}}"


def _compile(source: str, *, joints: str = "") -> re.Pattern[str]:
    """Return a pattern of a wish where a sentence begins, or with ``joints`` where a clause does."""
    start = rf"(?:^|(?<=[,;:(—–…])\s{{1,3}}|\s[-–—]\s|\b(?:{joints}),?\s+)" if joints else r"^\W{0,3}"
    return compile_bounded(f"{start}{_COURTESY}(?P<wish>{alternatives((source,))})", re.IGNORECASE)


_Patterns = dict[str, re.Pattern[str]]
"""By the code of the language."""


def _compile_each(read: Callable[[WishPatterns], str], *, joined: bool = False) -> _Patterns:
    return {each.code: _compile(read(each.wishes), joints=each.wishes.joints if joined else "") for each in languages()}


_OPENED: Final = (
    (WishKind.WITHDRAWAL, _compile_each(lambda wishes: wishes.withdrawals)),
    (WishKind.NAME, _compile_each(lambda wishes: wishes.names)),
    (WishKind.ORDER, _compile_each(lambda wishes: wishes.orders)),
)
"""What is tried where a sentence begins."""
_INSIDE: Final = (
    (WishKind.PREFERENCE, _compile_each(lambda wishes: wishes.preferences, joined=True)),
    (WishKind.ORDER, _compile_each(lambda wishes: wishes.clause_orders, joined=True)),
    (WishKind.NAME, _compile_each(lambda wishes: wishes.names, joined=True)),
)
"""What is tried where a clause begins."""


def _list_patterns(patterns: _Patterns, sentence: str) -> list[re.Pattern[str]]:
    """Return those of the languages that a sentence is written in."""
    return [patterns[each.code] for each in detect_languages(sentence)]


_ONCE: Final = compile_bounded(rf"\b{alternatives(each.once for each in _WISHES)}", re.IGNORECASE)
_UNREAL: Final = compile_bounded(rf"\b{alternatives(each.unreal for each in _WISHES)}", re.IGNORECASE)
_CONDITIONS: Final = compile_bounded(alternatives(each.conditions for each in _WISHES), re.IGNORECASE)
_SUBJECTS: Final = {
    name: compile_bounded(alternatives(each.subjects[name] for each in _WISHES if name in each.subjects), re.IGNORECASE)
    for name in dict.fromkeys(name for each in _WISHES for name in each.subjects)
}


_NO_WISHES: Final = frozenset({SentenceKind.CHATTER, SentenceKind.FORGET, SentenceKind.REMINDER})
"""Kinds that hold no wish, whatever rule they match."""
_FEWEST_ORDERED: Final = 2
"""Words of a wish that no rule finds: "answer" alone says not how."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One standing wish: ``content`` word for word out of ``sentence``.

    ``key`` is equal for wishes of which only the latest can hold, "" where that cannot be told; ``known`` says that it
    names one of the subjects that every language has ("length").
    """

    kind: WishKind
    content: str
    sentence: str
    key: str
    known: bool = False


WISH: Final = "wish"
"""The tag of items that every prompt holds."""
WITHDRAWAL: Final = "wish withdrawn"
"""The tag of items that take such an item back, also where they name only a part of it."""


def takes_back(new: MemoryItem, old: MemoryItem) -> bool:
    """Return whether ``new`` takes back the wish ``old``: the same person wished before for all that it names."""
    if WITHDRAWAL not in new.tags or WISH not in old.tags:
        return False
    said = new.provenance
    named = new.subject.partition(KEY)[2].split()
    return (
        said.author_id == old.provenance.author_id
        and said.trust >= old.provenance.trust
        and said.said_at > (old.updated_at or old.provenance.said_at)
        and bool(named)
        and set(named) <= {*_list_stems(old.content), *old.subject.partition(KEY)[2].split()}
    )


def choose_wishes(wishes: Iterable[MemoryItem], reader_id: int) -> tuple[MemoryItem, ...]:
    """Return the wishes that hold for an answer to somebody: their own and the owner's, in the same order.

    What another person of a group wants of their answers commands nobody else's.
    """
    return tuple(
        wish
        for wish in wishes
        if (wish.provenance.author_id == reader_id and wish.provenance.trust >= Trust.USER)
        or wish.provenance.trust >= Trust.OWNER
    )


def states_wish(text: str) -> bool:
    """Return whether the author of ``text`` says how to answer, or what they prefer, from now on."""
    return any(wish.kind is not WishKind.WITHDRAWAL for wish in find_wishes(text))


@keep_until_read
def find_wishes(text: str) -> tuple[Wish, ...]:
    """Return the standing wishes of the author of ``text``, in order, at most 10; secrets are taken out before."""
    said, found = list_own_sentences(text), dict[str, Wish]()
    long = sum(map(len, said)) > _MOST_LISTED
    for sentence in said:
        if long and _LISTED.match(sentence):
            continue
        for wish in _read_by_kind(_cut_words(sentence, _LONGEST)):
            found[wish.content] = wish
        if len(found) >= _MOST:
            break
    return tuple(found.values())[:_MOST]


def _read_by_kind(sentence: str) -> tuple[Wish, ...]:
    """Return the wishes that rules find, unless it certainly is none; one in words that no rule knows is an order."""
    if (kind := decide_kind(sentence, SURE)) in _NO_WISHES:
        return ()
    found = _read_sentence(sentence)
    if (
        found
        or kind is not SentenceKind.WISH
        or len(sentence.split()) < _FEWEST_ORDERED
        or is_redacted(sentence)
        or asks_memory(sentence)
    ):
        return found
    if _ONCE.search(sentence) or _UNREAL.search(sentence):
        return ()
    return (_build(WishKind.ORDER, sentence, 0, len(sentence)),)


@lru_cache(maxsize=_RECENT)
def _read_sentence(sentence: str) -> tuple[Wish, ...]:
    if is_redacted(sentence):
        return ()
    plain = blank_quotations(sentence)
    if _UNREAL.search(plain):
        return ()
    stripped = strip_opening(plain)
    for start in sorted({0, len(plain) - len(stripped)} if plain.endswith(stripped) else {0}):
        opened = plain[start:]
        for kind, patterns in _OPENED:
            for match in filter(None, (pattern.match(opened) for pattern in _list_patterns(patterns, plain))):
                if not _ONCE.search(opened[: _clause_end(opened, match.end())]):
                    return (_build(kind, sentence, start, len(sentence)),)
    return tuple(_read_clauses(sentence, plain))


def _read_clauses(sentence: str, plain: str) -> Iterator[Wish]:
    """Yield the wishes of clauses in order; of two that are quoted with the same words, the later with both."""
    found = {
        match.start("wish"): (kind, _clause_end(plain, match.end()))
        for kind, patterns in _INSIDE
        for pattern in _list_patterns(patterns, plain)
        for match in pattern.finditer(plain)
        if not _ONCE.search(plain[match.start("wish") : _clause_end(plain, match.end())])
    }
    held: tuple[int, int, Wish] | None = None
    for begin, (kind, end) in sorted(found.items()):
        first, last = _choose_clauses(sentence, begin, end)
        if held is not None and first < held[1]:
            first, last = held[0], max(last, held[1])
        elif held is not None:
            yield held[2]
        wish = _build(kind, sentence, begin, end)
        held = (first, last, replace(wish, content=_cut_words(sentence[first:last], 2 * _WHOLE)))
    if held is not None:
        yield held[2]


def _clause_end(text: str, position: int) -> int:
    """Return where the clause around ``position`` ends."""
    ending = _BREAK.search(text, max(0, position - 1))
    return len(text) if ending is None else ending.start()


def _build(kind: WishKind, sentence: str, begin: int, end: int) -> Wish:
    first, last = _choose_clauses(sentence, begin, end)
    key, known = _find_key(sentence[begin:end])
    return Wish(kind, _cut_words(sentence[first:last], 2 * _WHOLE), sentence, key, known)


def _choose_clauses(sentence: str, begin: int, end: int) -> tuple[int, int]:
    """Return where the clauses begin and end with which a wish is kept: all of a sentence that is not long.

    Those before it and then those behind are added until there are words enough.  A clause may be one of several
    adjectives ("simple, small, cheap"): some words behind ``begin`` belong to it.
    """
    if len(sentence) <= _WHOLE:
        return 0, len(sentence)
    starts = [0, *(each.end() for each in _BREAK.finditer(sentence))]
    ends = [*(each.start() for each in _BREAK.finditer(sentence)), len(sentence)]
    first = max(each for each in starts if each <= begin)
    last = min(each for each in ends if each >= end)
    while last < len(sentence) and len(split_words(sentence[begin:last])) < _FEWEST_BEHIND:
        last = min(each for each in ends if each > last)
    while first > 0 and len(split_words(sentence[first:last])) < _FEWEST:
        first = max(each for each in starts if each < first)
    while last < len(sentence) and len(split_words(sentence[first:last])) < _FEWEST:
        last = min(each for each in ends if each > last)
    return first, last


def _cut_words(text: str, most: int) -> str:
    """Return at most ``most`` characters of ``text``, no word cut in two."""
    return text.strip() if len(text) <= most else text[: max(text.rfind(" ", 0, most), most // 2)].strip()


def _find_key(clause: str) -> tuple[str, bool]:
    """Return what a wish is about, "" for nothing that can be told, and whether that is a known subject.

    That is a known subject where the wish says little else, with what it holds for ("when I ask about …"); else its
    telling words in any order, however they are wanted: "never suggest X" and "suggest X" are about the same.
    """
    condition = " ".join(match[0] for match in _CONDITIONS.finditer(clause))
    topic, words = _list_stems(condition), _list_stems(_CONDITIONS.sub(" ", clause))
    name = next((name for name, pattern in _SUBJECTS.items() if pattern.search(clause)), "")
    if name and len(words) <= _FEW_STEMS:
        return f"{KEY}{' '.join((name, *topic))}"[:_LONGEST_KEY], True
    return (f"{KEY}{' '.join(sorted({*topic, *words}))}"[:_LONGEST_KEY] if topic or words else ""), False


def _list_stems(text: str) -> list[str]:
    """Return the stems of the words that tell something, sorted, each once."""
    return sorted({stem for word in split_words(text) if word not in _EMPTY for stem in _WORDS.stems(word)})
