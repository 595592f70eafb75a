"""Reads what a sentence wants of a list: which one, and the things that it names.

What frames the things is cut from both ends by words of the languages, so that no wording need be foreseen; things are
compared by the stems of their words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from bot.memory.misspelling import is_slip
from bot.memory.patterns import compile_bounded
from bot.memory.synonyms import STOP_WORDS, find_concept
from bot.ports.lists import Deed, ListItem
from language import alternatives, languages
from language.lists import ListWords
from language.words import fold, split_words

SHOPPING: Final = "shopping"
TODO: Final = "todo"
LONGEST: Final = 120
"""Characters of a thing on a list."""
MOST: Final = 50
"""Things that one message names."""
_ALL: Final = tuple(each.lists for each in languages())
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.@/:][^\W_]+)*")
_EDGES: Final = " \t\r\n,.;:!?–—-•*\"'“”„«»"
_HEAD: Final = re.compile(r"\s*(?:[:–—\n]|-\s)")
_FLEETING: Final = compile_bounded(alternatives(each.fleeting for each in _ALL if each.fleeting))
_BEFORE_ASKED: Final = 2
"""Words, of who did it, before what a question names: "did Ben buy the rolls"."""
_HEADING: Final = re.compile(r"[^:,;\n]{1,60}:\s+(?=\S)")
"""What stands before a colon only leads to what is named: "one more for the trip: …"."""
_SPELT_OTHERWISE: Final = 2
"""Letters by which an ending may differ."""
_LEAST: Final = 3


def _compile(find: Callable[[ListWords], str]) -> re.Pattern[str]:
    return compile_bounded(rf"(?<!\w){alternatives(filter(None, map(find, _ALL)))}(?!\w)", re.IGNORECASE)


DONE: Final = _compile(lambda each: each.done)
REMOVES: Final = _compile(lambda each: each.removes)
TICKS: Final = _compile(lambda each: each.ticks)
SEVERAL: Final = _compile(lambda each: each.several)
PAST: Final = _compile(lambda each: each.past)
NOT_YET: Final = _compile(lambda each: each.open)
EVERYTHING: Final = _compile(lambda each: each.everything)
LEFT: Final = _compile(lambda each: each.left)
BUT: Final = _compile(lambda each: each.but)
_LIKE: Final = _compile(lambda each: each.instead_of_more)
_TASK: Final = compile_bounded(alternatives(each.tasks for each in _ALL if each.tasks), re.IGNORECASE)
_JOINS: Final = alternatives(each.joins for each in _ALL if each.joins)
_BREAKS: Final = compile_bounded(rf"[;\n•]|,(?!\d)|(?<!\d),|(?<=\s)[&+](?=\s)|(?<!\w){_JOINS}(?!\w)", re.IGNORECASE)


_ASKS_WITH: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.speech.asks_with for each in languages() if each.speech.asks_with)}(?!\w)",
    re.IGNORECASE,
)


def _join(find: Callable[[ListWords], frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*map(find, _ALL))


_ARTICLES: Final = _join(lambda each: each.articles)
_MEASURES: Final = _join(lambda each: each.measures)
_TELLS_NOTHING: Final = STOP_WORDS | _ARTICLES
_BUYS: Final = _join(lambda each: each.buys)
_FRAMES: Final = _join(lambda each: each.frames)
PUTS: Final = _join(lambda each: each.puts)
FOLLOWS: Final = _join(lambda each: each.follows)
_AROUND_TICKED: Final = _FRAMES | FOLLOWS | _join(lambda each: each.denies)
_AROUND_TASKS: Final = _FRAMES | FOLLOWS | PUTS
_AROUND_MADE: Final = _AROUND_TASKS | _join(lambda each: each.makes)
_AROUND_ADDED: Final = _AROUND_TASKS | _BUYS
_AROUND_ASKED: Final = _FRAMES | _join(lambda each: each.asks)


@dataclass(frozen=True, slots=True)
class Named:
    """A list that a sentence names: ``key`` compares it, "" for "the list"; the place of the words in the sentence."""

    key: str
    title: str
    start: int
    end: int


@cache
def _compile_named() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the kinds of lists, "" for any other, with the patterns of their names in each language."""
    kinds = [(key, source) for each in _ALL for key, source in each.named.items()]
    others = [("", each.other) for each in _ALL if each.other]
    return tuple(
        (key, compile_bounded(rf"(?<![\w-])(?:{source})(?![\w-])", re.IGNORECASE)) for key, source in (*kinds, *others)
    )


_BEHIND: Final = tuple(compile_bounded(rf"\s+{each.behind}(?![\w-])", re.IGNORECASE) for each in _ALL if each.behind)


def find_list(sentence: str, known: Iterable[str] = ()) -> Named | None:
    """Return the list that a sentence names, ``None`` without one; ``known`` are the keys of those that there are."""
    for kind, pattern in _compile_named():
        found = pattern.search(sentence)
        if found is None:
            continue
        name = "" if kind else found.groupdict().get("name") or ""
        key = kind or make_key(name)
        title = _make_title(found[0]) if name else ""
        for behind in _BEHIND:
            after = behind.match(sentence, found.end())
            if after is not None and _is_name(after, sentence[: found.start()], known, alone=not key):
                end = after.end()
                title = title or _make_title(sentence[found.start() : end])
                return Named(key or make_key(after["name"]), "" if key and not name else title, found.start(), end)
        return Named(key, title, *found.span())
    return None


def _is_name(after: re.Match[str], before: str, known: Iterable[str], *, alone: bool) -> bool:
    """Whether the words behind "list" name it, where they could as well be what stands on it.

    Behind a list that has a name already (not ``alone``) they only say what it is for.
    """
    key, rest = make_key(after["name"]), after.string[after.end() :]
    if key and key in known:
        return True
    if not key or (not after["by"] and (not alone or DONE.match(after["name"]) or PAST.match(after["name"]))):
        return False
    things = bool(cut(before, _AROUND_TASKS))
    ends = not rest.strip(_EDGES)
    return _HEAD.match(rest) is not None or (ends and things and not after["by"]) or (bool(after["by"]) and not things)


def make_key(name: str) -> str:
    """Return what a list's name is compared by: the stems of its words; "" for one without any of its own."""
    return " ".join(find_concept(word) for word in split_words(name) if word not in STOP_WORDS | _ARTICLES)


def _make_title(words: str) -> str:
    title = " ".join(words.split())
    return title[:1].upper() + title[1:]


def cut(text: str, words: frozenset[str]) -> str:
    """Return ``text`` without such words and signs at both ends; behind an article nothing more is cut off its front.

    An article before a measure is an amount.
    """
    spans = [(match.start(), match.end(), fold(match[0])) for match in _WORD.finditer(text)]
    first, last = 0, len(spans)
    while first < last and spans[first][2] in words:
        article = spans[first][2] in _ARTICLES
        if article and first + 1 < last and spans[first + 1][2] in _MEASURES:
            break
        first += 1
        if article and first < last and spans[first][2] not in _ARTICLES:
            break
    while first < last and spans[last - 1][2] in words:
        last -= 1
    if first == last:
        return ""
    start = spans[first][0] if first else 0
    end = spans[last - 1][1] if last < len(spans) else len(text)
    return text[start:end].strip(_EDGES)


def split_things(text: str, words: frozenset[str]) -> tuple[str, ...]:
    """Return the things that a text names, each without such words at its ends."""
    parts = (cut(part, words) for part in _BREAKS.split(_LIKE.sub(" ", text)))
    return tuple(dict.fromkeys(part for part in parts if part))


def read_added(sentence: str, named: Named | None) -> tuple[str, ...]:
    """Return what a sentence puts on a list, as it is to stand there; () for nothing, or for too much at once."""
    words = _AROUND_TASKS if named is not None and named.key == TODO else _AROUND_ADDED
    before, after = (sentence, "") if named is None else (sentence[: named.start], sentence[named.end :])
    if (head := _HEADING.match(sentence)) is not None and (named is None or named.end <= head.end()):
        before, after = "", sentence[head.end() :]
    things = split_things(before, words)
    if not things or _HEAD.match(after):
        things = split_things(after, words) or things
    return things if len(things) <= MOST and all(len(each) <= LONGEST for each in things) else ()


def name_origin(deed: Deed, key: str, thing: str) -> str:
    """Return what names a thing by its message, so that the same message puts it on the same list once."""
    return f"{deed.origin}:{key}/{fold(thing)}"


def begins_with_buying(sentence: str) -> bool:
    """Whether a sentence is an order to buy something: "buy milk", and not "we need milk"."""
    return not _BUYS.isdisjoint(split_words(sentence)[:1])


def begins_list(text: str) -> Named | None:
    """Return the list whose name a text begins with, before a colon and what stands on it; ``None`` for others.

    An order to make it may stand before its name.
    """
    named = find_list(text)
    if named is None or cut(text[: named.start], _AROUND_MADE) or not text[named.end :].strip(_EDGES):
        return None
    return named if _HEAD.match(text, named.end) else None


def find_mentioned(sentence: str, keys: Iterable[str]) -> str:
    """Return the key of a list of one's own whose name's words stand in a sentence, "" where none does."""
    said = {stem for stem, _ in list_stems(sentence)}
    own = (key for key in keys if all(kind != key for kind, _ in _compile_named()))
    return next((key for key in own if key and said.issuperset(key.split())), "")


def asks_openly(sentence: str) -> bool:
    """Whether a question is no yes-or-no question: it has a word that asks."""
    return _ASKS_WITH.search(sentence) is not None


def puts(sentence: str) -> bool:
    """Whether a sentence has a verb that puts something somewhere: "add"."""
    return not PUTS.isdisjoint(split_words(sentence))


def asks_what_is_left(sentence: str) -> bool:
    """Whether a sentence has nothing but words that ask what is open: "what's left to buy"."""
    return LEFT.search(sentence) is not None and not find_asked(sentence, None, ())[1]


def wants_bought(sentence: str) -> bool:
    """Whether a sentence says that something is to be bought."""
    return not _BUYS.isdisjoint(split_words(sentence))


def are_tasks(things: Sequence[str], sentence: str) -> bool:
    """Whether things are to be done, not bought: "to call the plumber", but not water bottles that we need."""
    folded = fold(sentence)
    return all(
        _TASK.fullmatch(each) is not None and (not wants_bought(sentence) or f"to {fold(each)}" in folded)
        for each in things
    )


@lru_cache(maxsize=1024)
def list_stems(text: str) -> tuple[tuple[str, str], ...]:
    """Return the words of a thing that tell it from others, each with its stem: no amount, and nothing around it."""
    said = split_words(text)
    named = [word for word in said if not word[0].isdigit() and word not in _TELLS_NOTHING]
    telling = [word for word in named if word not in _MEASURES] or named or said
    return tuple(dict.fromkeys((find_concept(_undo_participle(word)), word) for word in telling))


_PARTICIPLE: Final = re.compile(r"(\w{0,5}?)ge(\w{2,32}?)(?:t|en)")


def _undo_participle(word: str) -> str:
    """Return "anruf" for "angerufen"; other words as they are."""
    found = _PARTICIPLE.fullmatch(word)
    return word if found is None else f"{found[1]}{found[2]}"


_Stems = Sequence[tuple[str, str]]


def _is_alike(one: tuple[str, str], other: tuple[str, str], *, slips: bool) -> bool:
    short, long = sorted((one[0], other[0]), key=len)
    if short == long or (
        len(short) >= _LEAST and long.startswith(short) and len(long) - len(short) <= _SPELT_OTHERWISE
    ):
        return True
    if len(short) < len(long) and _FLEETING.sub("", short) == _FLEETING.sub("", long):
        return True
    return slips and is_slip(one[1], other[1])


def _holds(whole: _Stems, part: _Stems, *, slips: bool) -> bool:
    return bool(part) and all(any(_is_alike(one, other, slips=slips) for other in whole) for one in part)


@dataclass(frozen=True, slots=True)
class Meant:
    """The items that words mean, or, if not ``clear``, of which they mean one."""

    items: tuple[ListItem, ...] = ()
    clear: bool = True


def match_thing(thing: str, items: Sequence[ListItem], *, loosely: bool) -> Meant:
    """Return the items that words mean or may mean, those that fit best.

    A thing is meant by its own words, or by some of them where no other has those; ``loosely`` also where other words
    stand beside all of its own.  Slips of the keyboard are forgiven where nothing fits without.
    """
    said = list_stems(thing)
    for slips in (False, True):
        known = [(item, list_stems(item.text)) for item in items]
        part = [(item, own) for item, own in known if _holds(own, said, slips=slips)]
        exact = [item for item, own in part if _holds(said, own, slips=slips)]
        if exact or part:
            best = tuple(exact or (item for item, _ in part))
            return Meant(best, clear=len(best) == 1)
        held = [(item, own) for item, own in known if loosely and _holds(said, own, slips=slips)]
        if held:
            return Meant(_choose_longest(held, slips=slips))
    return Meant()


def _choose_longest(held: Sequence[tuple[ListItem, _Stems]], *, slips: bool) -> tuple[ListItem, ...]:
    """Return the items whose words are not all a part of another's: "oat milk" is no milk."""
    return tuple(
        item
        for item, own in held
        if not any(len(other) > len(own) and _holds(other, own, slips=slips) for _, other in held)
    )


@dataclass(frozen=True, slots=True)
class Ticked:
    """What a sentence says is over: the items that it means, and those of which it means one without saying which."""

    items: tuple[ListItem, ...] = ()
    unclear: tuple[ListItem, ...] = ()
    removed: bool = False
    """Taken off undone, rather than bought or done."""


def read_ticked(
    sentence: str, named: Named | None, items: Sequence[ListItem], *, sure: bool, all_of_it: bool = False
) -> Ticked:
    """Return what a sentence says is over among ``items``; ``sure``: it is known to speak of a list.

    Where it is not, every thing that it names must be one of them.  ``all_of_it``: "everything" means them.
    """
    text = sentence if named is None else f"{sentence[: named.start]}, {sentence[named.end :]}"
    removed = DONE.search(text) is None and REMOVES.search(text) is not None
    but = BUT.search(text)
    if but is not None and EVERYTHING.search(text[: but.start()]):
        spared = [match_thing(each, items, loosely=True) for each in _split_ticked(text[but.end() :])]
        if not spared or not all(each.items and each.clear for each in spared):
            return Ticked(unclear=tuple(items) if sure else (), removed=removed)
        left = {item.id for each in spared for item in each.items}
        return Ticked(tuple(item for item in items if item.id not in left), removed=removed)
    found = [match_thing(each, items, loosely=sure) for each in _split_ticked(text)]
    meant = [each for each in found if each.items]
    if not meant and EVERYTHING.search(text) and (sure or (all_of_it and not _split_ticked(EVERYTHING.sub(" ", text)))):
        return Ticked(tuple(items), removed=removed)
    if not sure and not _names_only(text, items):
        return Ticked()
    clear, unclear = (
        tuple(dict.fromkeys(item for each in meant if each.clear is how for item in each.items))
        for how in (True, False)
    )
    return Ticked(clear, unclear, removed)


def _split_ticked(text: str) -> tuple[str, ...]:
    parts = (part for between in REMOVES.split(text) for part in DONE.split(between))
    return tuple(thing for part in parts for thing in split_things(part, _AROUND_TICKED))


def _names_only(text: str, items: Sequence[ListItem]) -> bool:
    """Whether all that a sentence names behind or, else, before the word that says it is over stands on a list."""
    done = DONE.search(text) or REMOVES.search(text)
    sides = (text,) if done is None else (text[done.end() :], text[: done.start()])
    for side in sides:
        if things := _split_ticked(side):
            return all(match_thing(each, items, loosely=False).items for each in things)
    return False


def find_asked(sentence: str, named: Named | None, items: Sequence[ListItem]) -> tuple[tuple[ListItem, ...], str]:
    """Return the items about which a question asks, and the words that name them; nothing, "" where it names none."""
    text = sentence if named is None else f"{sentence[: named.start]} {sentence[named.end :]}"
    thing = cut(DONE.sub(" ", text), _AROUND_ASKED)
    words = thing.split()
    for behind in (words[number:] for number in range(min(len(words), _BEFORE_ASKED + 1))):
        if found := match_thing(cut(" ".join(behind), _AROUND_ASKED), items, loosely=False).items:
            return found, thing
    return (), thing
