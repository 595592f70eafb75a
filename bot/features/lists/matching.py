"""Finds what a sentence means of what stands on lists: what it ticks off, and what it asks about.

Things are compared by the stems of their words.

Tells what a sentence may be to a list, by its kind and its reading.

Finds what a correction makes of something that stands on a list: "no, 3 l", "не гречку, а рис".
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import OSA

from bot.features.lists import reading
from bot.features.lists.reading import (
    AROUND_ADDED,
    AROUND_ASKED,
    AROUND_TICKED,
    BUT,
    DEEDS,
    DONE,
    EVERYTHING,
    FLEETING,
    LEFT,
    MEASURES,
    NOT_YET,
    PAST,
    PREFIX,
    REMOVES,
    TELLS_NOTHING,
    Named,
    cut,
    find_list,
    is_kind,
    split_things,
)
from bot.memory.answering.agenda import asks_what_comes
from bot.memory.answering.reckoning import asks_amount, tells_paid
from bot.memory.concepts import find_concept, is_slip, mend_opening
from bot.memory.learning.correction import find_contrasts, find_corrected_value, strip_opening
from bot.memory.learning.kinds import LIKELY, SURE, ReadKinds, SentenceKind, decide_kind, tell_kinds, tell_order
from bot.memory.learning.orders import Role
from bot.memory.learning.rewording import PREPOSITIONS, replace_kind, replace_value
from bot.memory.learning.speech_acts import OF_SPEAKER, asks_to_keep, is_question, keeps_named, puts_on_list
from bot.ports.lists import ItemState, ListItem
from language.analyser import strip_possessive
from language.words import split_words

_BEFORE_ASKED: Final = 2
"""Words, of who did it, before what a question names: "did Ben buy the rolls"."""
_ENDS: Final = frozenset({SentenceKind.FORGET, SentenceKind.UNDO, SentenceKind.REMINDER_CANCEL})
"""Kinds of what takes off that which it means by its place."""
_SPELT_OTHERWISE: Final = 2
"""Letters by which the ending of a deed may differ; of a thing by one, as by a slip: "смета" is no "сметана"."""
_LEAST: Final = 3
_LEAST_VERB: Final = 4
"""Letters of a stem that stands in one with a beginning more."""
_CLAUSE: Final = re.compile(r"[,;]\s")
_OVER: Final = (Role.REMOVED, Role.TICKED)


@lru_cache(maxsize=1024)
def list_stems(text: str) -> tuple[tuple[str, str], ...]:
    """Return the words of a thing that tell it from others, each with its stem: no amount, and nothing around it."""
    said = split_words(text)
    named = [word for word in said if not word[0].isdigit() and word not in TELLS_NOTHING]
    last = said[-1] if len(said) > 1 and said[-1] in MEASURES and not said[-2][0].isdigit() else ""  # "paper bags"
    telling = [word for word in said if word == last or (word in named and word not in MEASURES)] or named or said
    return tuple(dict.fromkeys((find_concept(_undo_deed(word)), word) for word in telling))


_PARTICIPLE: Final = re.compile(r"(\w{0,5}?)ge(\w{2,32}?)(?:t|en)")


def _undo_deed(word: str) -> str:
    """Return "send" for "sent", "anruf" for "angerufen"; other words as they are."""
    found = _PARTICIPLE.fullmatch(word)
    if (verb := DEEDS.get(word)) is not None:
        return verb
    if found is None:
        return word
    return f"{found[1]}{DEEDS.get(word[len(found[1]) :], found[2])}"


_Stems = Sequence[tuple[str, str]]


def _is_alike(one: tuple[str, str], other: tuple[str, str], *, slips: bool) -> bool:
    short, long = sorted((one[0], other[0]), key=len)
    most = _SPELT_OTHERWISE if any(_undo_deed(word) != word for _, word in (one, other)) else int(slips)
    if short == long or (len(short) >= _LEAST and long.startswith(short) and len(long) - len(short) <= most):
        return True
    if any(PAST.fullmatch(word) for _, word in (one, other)) and _is_begun(short, long):
        return True
    if len(short) < len(long) and FLEETING.sub("", short) == FLEETING.sub("", long):
        return True
    return slips and is_slip(one[1], other[1]) and OSA.distance(one[1], other[1]) == 1


def _is_begun(short: str, long: str) -> bool:
    """Whether a verb is another with one of the beginnings that it has or lacks once it is done."""
    begun = PREFIX.match(long)
    return begun is not None and len(short) >= _LEAST_VERB and long[begun.end() :] == short


def _holds(whole: _Stems, part: _Stems, *, slips: bool) -> bool:
    return bool(part) and all(any(_is_alike(one, other, slips=slips) for other in whole) for one in part)


@dataclass(frozen=True, slots=True)
class Meant:
    """The items that words mean, or, if not ``clear``, of which they mean one."""

    items: tuple[ListItem, ...] = ()
    clear: bool = True
    slip: bool = False
    """Only words with a typing error mean them, at which nothing is taken off unasked."""


def match_thing(thing: str, items: Sequence[ListItem], *, loosely: bool) -> Meant:
    """Return the items that words mean or may mean, those that fit best.

    A thing is meant by its own words, or by some of them where no other has those; ``loosely`` also where other words
    stand beside all of its own.  Slips of the keyboard are forgiven where nothing fits without; else the end of a
    compound may mean it.
    """
    said = list_stems(thing)
    for slips in (False, True):
        known = [(item, list_stems(item.text)) for item in items]
        part = [(item, own) for item, own in known if _holds(own, said, slips=slips)]
        exact = [item for item, own in part if _holds(said, own, slips=slips)]
        exact = exact or [item for item, own in known if _spell(own) == _spell(said)]
        if exact or part:
            best = tuple(exact or (item for item, _ in part))
            return Meant(best, clear=len(best) == 1, slip=slips)
        held = [(item, own) for item, own in known if loosely and _holds(said, own, slips=slips)]
        if held:
            return Meant(_choose_longest(held, slips=slips), slip=slips)
    ends = said[0] if len(said) == 1 and len(said[0][0]) > _LEAST else ()
    built = (item for item in items if any(any(map(str.endswith, own, ends)) for own in list_stems(item.text)))
    return Meant(tuple(built) if ends else (), clear=False)


def _spell(stems: _Stems) -> str:
    """Return stems as one word: "tea bags" are teabags."""
    return "".join(stem for stem, _ in stems)


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
    missing: tuple[str, ...] = ()
    """What it names besides, which stands nowhere."""


def read_ticked(
    sentence: str,
    named: Named | None,
    items: Sequence[ListItem],
    *,
    sure: bool,
    all_of_it: bool = False,
    forgets: bool = False,
) -> Ticked:
    """Return what a sentence says is over among ``items``; ``sure``: it is known to speak of a list.

    Where it is not, every thing that it names must be one of them.  ``all_of_it``: "everything" means them.
    ``forgets``: it asks to forget what it names.
    """
    text = sentence if named is None else f"{sentence[: named.start]}, {sentence[named.end :]}"
    text = text if sure else _cut_reason(text, items)
    order, over = tell_order(sentence), REMOVES.search(text) is not None
    over = over or (bool(order.pick(Role.REMOVED)) and not order.pick(Role.TICKED))
    removed = forgets or (over and DONE.search(text) is None)
    but = BUT.search(text)
    if but is not None and EVERYTHING.search(text[: but.start()]):
        spared = [match_thing(each, items, loosely=True) for each in _split_ticked(text[but.end() :])]
        if not spared or not all(each.items and each.clear for each in spared):
            return Ticked(unclear=tuple(items) if sure else (), removed=removed)
        left = {item.id for each in spared for item in each.items}
        return Ticked(tuple(item for item in items if item.id not in left), removed=removed)
    if (marked := _match_marked(sentence, items, sure=sure)) is not None:
        things = reading.read_things(sentence, *_OVER) if marked else ()
        missing = tuple(thing for thing, each in zip(things, marked, strict=False) if not each.items)
        return replace(_make_ticked(marked, removed=removed), missing=missing)
    found = [match_thing(each, items, loosely=sure) for each in _split_ticked(text)]
    meant = [each for each in found if each.items]
    if not meant and EVERYTHING.search(text) and (sure or (all_of_it and not _split_ticked(EVERYTHING.sub(" ", text)))):
        theirs = tuple(item for item in items if _names_adder(text, item))
        nobodys = reading.puts(text) and not theirs  # "everything that Ann has put there", who has put nothing
        return Ticked((), tuple(items), removed) if nobodys else Ticked(theirs or tuple(items), removed=removed)
    if not sure and not _names_only(text, items):
        return Ticked()
    return _make_ticked(meant, removed=removed)


def doubt_ticked(sentence: str, ticked: Ticked) -> Ticked:
    """Return what a sentence says is over: what it only may, as unclear, and nothing of what it only speaks of.

    It is sure where a word or an order says so, where its kind is all but certain, and of a deed by its own verb.
    """
    kinds, order = tell_kinds(sentence), tell_order(sentence)
    share = kinds.measure(SentenceKind.LIST_DONE)
    said = DONE.search(sentence) or REMOVES.search(sentence)
    orders = ticked.removed and (order.pick(Role.ORDER) or kinds.measure(*_ENDS) >= LIKELY)
    if said or orders or share >= _CERTAIN or reading.takes(sentence):
        return ticked
    deeds = [(find_concept(_undo_deed(word)), word) for word in split_words(sentence) if PAST.fullmatch(word)]

    def is_done(item: ListItem) -> bool:
        own = list_stems(item.text)
        its = len(own) > 1 and any(_holds(own, [deed], slips=False) for deed in deeds)
        return bool(deeds) and names_whole(sentence, item) and (its or item.key == reading.TODO)

    done = tuple(filter(is_done, ticked.items))
    doubted = tuple(item for item in ticked.items if item not in done) if share >= LIKELY else ()
    return replace(ticked, items=done, unclear=(*doubted, *ticked.unclear) if share >= LIKELY else ())


def _match_marked(sentence: str, items: Sequence[ListItem], *, sure: bool) -> list[Meant] | None:
    """Return what the things mean that are read in a sentence, or what stands before an order that names none.

    ``None`` where they mean nothing, or, unless it is ``sure`` to speak of a list, one of them does.
    """
    order = tell_order(sentence)
    found = [match_thing(each, items, loosely=sure) for each in reading.read_things(sentence, *_OVER)]
    whole = tuple(item for item in items if names_whole(sentence, item))
    if not found and order.pick(Role.ORDER) and len(whole) == 1:
        return [Meant(whole)]
    means = [bool(each.items) for each in found]
    return found if (any(means) if sure else found and all(means)) else None


def _make_ticked(meant: Iterable[Meant], *, removed: bool) -> Ticked:
    sure = [replace(each, clear=each.clear and not (removed and each.slip)) for each in meant]
    clear, unclear = (
        tuple(dict.fromkeys(item for each in sure if each.clear is how for item in each.items)) for how in (True, False)
    )
    return Ticked(clear, unclear, removed)


def find_closed(things: Sequence[str], items: Iterable[ListItem]) -> tuple[ListItem, ...]:
    """Return what of ``items`` all these things were before they were ticked or taken off, () where one was none."""
    ended = sorted((item.closed.at, item.id, item) for item in items if item.closed is not None)
    newest = tuple({item.text.casefold(): item for *_, item in ended}.values())
    meant = [match_thing(each, newest, loosely=False) for each in things]
    found = tuple(item for each in meant for item in each.items)
    return found if all(each.items and each.clear for each in meant) else ()


def _names_adder(sentence: str, item: ListItem) -> bool:
    """Whether a sentence names who has put an item on its list."""
    name = frozenset(split_words(item.added.name))
    return bool(name) and name <= {each for word in split_words(sentence) for each in (word, strip_possessive(word))}


def names_whole(sentence: str, item: ListItem) -> bool:
    """Whether a sentence has all the words of an item."""
    return _holds(list_stems(sentence), list_stems(item.text), slips=False)


def read_state(sentence: str, kinds: ReadKinds) -> ItemState | None:
    """Return what a sentence that names nothing says of what it means, ``None`` where it names something or says none.

    What it means by its place is cut out of it: "the … one is done", "delete the …".
    """
    done, removed = DONE.search(sentence) or PAST.search(sentence), REMOVES.search(sentence)
    over = kinds.measure(*_ENDS) >= LIKELY
    ends = removed is not None or (over and done is None)
    left = split_words(" ".join(PAST.sub(" ", part) for part in _split_ticked(sentence)))
    named = [word for word in left if word not in TELLS_NOTHING and word not in AROUND_TICKED]
    order = named == list(split_words(sentence)[:1]) and over
    if (named and not order) or (NOT_YET.search(sentence) and not ends):
        return None
    return ItemState.REMOVED if ends else ItemState.DONE if done or kinds.decide() is SentenceKind.LIST_DONE else None


def _split_ticked(text: str) -> tuple[str, ...]:
    parts = (part for between in REMOVES.split(text) for part in DONE.split(between))
    return tuple(thing for part in parts for thing in split_things(part, AROUND_TICKED))


def _names_only(text: str, items: Sequence[ListItem]) -> bool:
    """Whether all that a sentence names behind or, else, before the word that says it is over stands on a list."""
    done = DONE.search(text) or REMOVES.search(text)
    sides = (text,) if done is None else (text[done.end() :], text[: done.start()])
    for side in sides:
        if things := _split_ticked(side):
            return all(match_thing(each, items, loosely=False).items for each in things)
    return False


def _cut_reason(text: str, items: Sequence[ListItem]) -> str:
    """Return a text without the clauses behind the one that says what is over: "not the buns, Ben has some".

    They stay where they name nothing but what stands on a list, too.
    """
    over = [found.end() for pattern in (DONE, REMOVES) if (found := pattern.search(text)) is not None]
    for end in (found.start() for found in _CLAUSE.finditer(text, min(over, default=len(text)))):
        rest = _split_ticked(text[end:])
        meant = [each for each in rest if match_thing(each, items, loosely=False).items]
        if len(meant) < len(rest) and _names_only(text[:end], items):
            return text[:end]
    return text


def match_taken(things: Sequence[str], items: Sequence[ListItem]) -> tuple[list[Meant], list[str]]:
    """Return what things to be taken off mean, without a reason behind them, and those that stand nowhere."""
    found, missing = list[Meant](), list[str]()
    for thing in things:
        words = thing.split()
        tried = (match_thing(" ".join(words[:count]), items, loosely=False) for count in range(len(words), 0, -1))
        if (meant := next((each for each in tried if each.items), None)) is not None:
            found.append(replace(meant, clear=meant.clear and not meant.slip))
        elif not found or len(words) == 1:  # "…, mum has got some"
            missing.append(thing)
    return found, missing


def find_asked(sentence: str, named: Named | None, items: Sequence[ListItem]) -> tuple[tuple[ListItem, ...], str]:
    """Return the items about which a question asks, and the words that name them; nothing, "" where it names none."""
    text = sentence if named is None else f"{sentence[: named.start]} {sentence[named.end :]}"
    thing = cut(DONE.sub(" ", text), AROUND_ASKED)
    words = thing.split()
    for behind in (words[number:] for number in range(min(len(words), _BEFORE_ASKED + 1))):
        if found := match_thing(cut(" ".join(behind), AROUND_ASKED), items, loosely=False).items:
            return found, thing
    return (), thing


def asks_what_is_left(sentence: str) -> bool:
    """Whether a sentence has nothing but words that ask what is open: "what's left to buy"."""
    return LEFT.search(sentence) is not None and not find_asked(sentence, None, ())[1]


def find_mentioned(sentence: str, keys: Iterable[str]) -> str:
    """Return the key of a list of one's own whose name's words stand in a sentence, "" where none does.

    Of a list that is called by more of them one is enough, where no other has it.
    """
    said = {stem for stem, _ in list_stems(sentence)}
    own = [key for key in keys if key and not is_kind(key)]
    some = [key for key in own if not said.isdisjoint(key.split())]
    return next((key for key in own if said.issuperset(key.split())), some[0] if len(some) == 1 else "")


_MORE: Final = 1
"""Words that what is right has more: "Ben drinks tea, not coffee" tells of Ben."""


def may_amend(sentence: str, *, following: bool) -> bool:
    """Return whether a sentence corrects something; ``following``: the message before was about a list."""
    bare, strong, _ = strip_opening(sentence)
    return (
        any(True for _ in reading.list_swaps(sentence))
        or bool(tell_order(sentence).pick(Role.NEW))
        or bool(find_contrasts(bare))
        or (following and strong and bool(find_corrected_value(sentence)))
    )


def find_amended(sentence: str, items: Sequence[ListItem], key: str | None) -> tuple[ListItem, str] | None:
    """Return the only one of ``items`` that a sentence corrects, and what it says from then on; ``None`` otherwise.

    What names no wrong value is about the list ``key`` alone, about none where that is ``None``.
    """
    for old, put in reading.list_swaps(sentence):
        meant, things = match_thing(cut(old, AROUND_TICKED), items, loosely=False), split_things(put, AROUND_ADDED)
        if meant.clear and meant.items and len(things) == 1:
            return meant.items[0], things[0]
    order = tell_order(sentence)
    if len(wrong := order.pick(Role.THING, Role.REMOVED)) == len(order.pick(Role.NEW)) == 1:
        meant = match_thing(wrong[0], items, loosely=False)
        if meant.clear and meant.items:
            return meant.items[0], _renew(meant.items[0].text, order.pick(Role.NEW)[0])
    pairs = [
        (wrong, right)
        for wrong, right in find_contrasts(strip_opening(sentence)[0])
        if len(right.split()) <= len(wrong.split()) + _MORE
    ]
    fits = [
        (item, new)
        for wrong, right in pairs
        for item in items
        if (new := replace_value(item.text, wrong, right, opened=True, last=True)) is not None
    ]
    if not pairs and key is not None:
        value = find_corrected_value(sentence).strip(" .!")
        beside = [item for item in items if item.key == key]
        fits = [(item, new) for item in beside if (new := replace_kind(item.text, value)) is not None]
    if len({item.id for item, _ in fits}) != 1:
        return None
    item, new = fits[0]
    return item, (new[:1].lower() if item.text[:1].islower() else new[:1]) + new[1:]


def _renew(text: str, new: str) -> str:
    """Return what an entry says once part of it is ``new``: another amount, or all of it."""
    amount = all(word[0].isdigit() or word in MEASURES for word in split_words(new))
    return replace_kind(text, new) or (f"{new} {text}" if amount else new)


_CERTAIN: Final = 0.85
"""From this probability on a sentence says that something is done without a word that is known to."""
_HINT: Final = 0.2
"""From this probability of one for a list on it is worth to look whether what a sentence names stands on one."""
_WANTED: Final = 0.3
"""From this probability on, no other kind being likelier, a sentence that says what is needed puts that on a list."""
_FOLLOWING: Final = 12
"""Words of a message that only names more of what was just put on a list."""

_BARE: Final = 3
"""Words of one that says so behind what it names."""


class Act(Enum):
    """What a sentence may be to a list; of the last two only what is there tells."""

    ADD = "add"
    TICK = "tick"
    SHOW = "show"
    MAY_TICK = "may tick"
    MAY_ASK = "may ask"


_ACTS: Final = {SentenceKind.LIST_ADD: Act.ADD, SentenceKind.LIST_DONE: Act.TICK, SentenceKind.LIST_SHOW: Act.SHOW}
_OTHERS: Final = frozenset(
    {
        *(SentenceKind.REMINDER, SentenceKind.REMINDER_CANCEL, SentenceKind.REMINDER_MOVE, SentenceKind.REMINDER_SHOW),
        SentenceKind.UNDO,
    }
)
"""What surely is one of these is nothing to a list."""
_ASKING: Final = frozenset({SentenceKind.LIST_SHOW, SentenceKind.QUESTION, SentenceKind.OVERVIEW})


@dataclass(frozen=True, slots=True)
class FoundAct:
    """What a sentence is to a list: a sure act, one that it only may be, or none."""

    act: Act | None = None
    sure: bool = False


def find_act(sentence: str, *, following: bool = False) -> FoundAct:
    """Return what a sentence is to a list; ``following``: so was the message before.

    Its kind decides where it is sure; else its words must speak of a list as well.
    """
    sure, likely = (decide_kind(sentence, least) for least in (SURE, LIKELY))
    named = find_list(sentence)
    over = reading.DONE.search(sentence) or reading.PAST.search(sentence) or reading.REMOVES.search(sentence)
    kept = keeps_named(sentence) and not reading.wants_bought(sentence.partition(":")[0])
    kept = kept or (
        not (named and named.start) and reading.keeps_clause(sentence) and not reading.wants_bought(sentence)
    )
    if kept or orders_to_empty(sentence, named):  # "note down what Tina said: bring salad"
        return FoundAct(None if kept else Act.TICK, sure is SentenceKind.FORGET)
    shows = likely is SentenceKind.LIST_SHOW and named is None
    beside = shows and (asks_amount(mend_opening(sentence)) or asks_what_comes(sentence))  # "how much am I owed"
    asks = is_question(sentence) or reading.asks_openly(sentence) or OF_SPEAKER.match(sentence)
    asked = sure is SentenceKind.LIST_SHOW and asks  # "matches onto the list" is no question
    order = tell_order(sentence)
    adds = (sure or likely) is SentenceKind.LIST_ADD and not reading.ONTO.search(sentence)
    doubted = _find_doubted(sentence) if adds else None
    onto = sure in (SentenceKind.LIST_DONE, SentenceKind.LIST_SHOW) and reading.ONTO.search(sentence)
    if doubted is None and sure is not None and sure in _ACTS and not beside and (asked or over or not onto):
        doubted = FoundAct(_ACTS[sure], True)
    if doubted is not None:
        return doubted
    marked = bool(order.pick(Role.ADDED) and order.pick(Role.LIST)) and sure is None and likely not in _ASKING
    marked = marked and tell_kinds(sentence).telling < _WANTED  # "into gran's cake go 4 eggs"
    headed = marked and (
        likely is SentenceKind.LIST_ADD if reading.is_headed(sentence) or _notes(sentence) else named is not None
    )
    named_first = named is not None and (puts_on_list(sentence) or reading.begins_list(sentence) is not None)
    if onto or headed or named_first:
        return FoundAct(Act.ADD, True)
    if beside or sure in _OTHERS:
        return FoundAct()
    if named is not None:
        told = sure is not None or (not order.pick(Role.ORDER) and tell_kinds(sentence).telling >= LIKELY)
        return _find_act_by_name(sentence, named, likely, told=told)
    following = following and sure in (None, SentenceKind.CHATTER)
    return FoundAct(_find_act_by_words(sentence, sure, likely, following=following))


def _find_doubted(sentence: str) -> FoundAct | None:
    """Return what a sentence that looks as if it added something is instead by its parts, ``None`` for nothing else."""
    order = tell_order(sentence)
    ends = bool(order.pick(*_OVER) and order.pick(Role.ORDER)) and not order.pick(Role.ADDED, Role.NEW)
    if ends and not (reading.puts(sentence) or reading.is_headed(sentence) or _orders_to_buy(sentence)):
        return FoundAct(Act.MAY_TICK)  # "butter out, there are two left"
    if sentence.rstrip().endswith("?") and not order.pick(Role.ORDER):
        return FoundAct(Act.MAY_ASK)
    return FoundAct() if tells_paid(sentence) else None


def _notes(sentence: str) -> bool:
    """Whether a sentence may order to note that something is so: "note the keys are with the porter"."""
    return asks_to_keep(sentence) and any(map(PREPOSITIONS.fullmatch, split_words(sentence)))


def _orders_to_buy(sentence: str) -> bool:
    """Whether a sentence begins with an order to buy, and takes nothing off: "buy milk and salt"."""
    return reading.begins_with_buying(sentence) and not reading.takes(sentence)


def orders_to_empty(sentence: str, named: Named | None) -> bool:
    """Whether a sentence orders to take off all that stands on the list that it names."""
    if is_question(sentence) or not reading.empties(sentence, named):
        return False
    said, likely = [word for word in split_words(sentence) if word not in AROUND_TICKED], decide_kind(sentence)
    orders = not reading.EMPTIES.isdisjoint((*said[:1], *said[-1:]))
    return likely is SentenceKind.FORGET or (orders and likely not in (SentenceKind.QUESTION, SentenceKind.OVERVIEW))


def _find_act_by_name(sentence: str, named: Named, likely: SentenceKind | None, *, told: bool) -> FoundAct:
    """Return what a sentence that names a list may be to it; ``told``: it surely is something else."""
    whole = not find_asked(sentence, named, ())[1]
    if is_question(sentence) or reading.ASKS_IF.match(sentence) or (likely in _ASKING and whole):
        return FoundAct(Act.SHOW, whole)
    over = reading.DONE.search(sentence) or reading.REMOVES.search(sentence)
    if over and likely in (None, SentenceKind.FORGET, SentenceKind.CORRECTION, SentenceKind.LIST_DONE):
        return FoundAct(Act.TICK)
    puts = reading.puts(sentence) or (reading.ONTO.search(sentence) and tell_kinds(sentence).measure(*_ACTS) >= LIKELY)
    if (likely is SentenceKind.LIST_ADD and tell_kinds(sentence).telling < _WANTED) or (puts and not told):
        return FoundAct(Act.ADD)
    return FoundAct(Act.SHOW, True) if whole else FoundAct()


def _find_act_by_words(
    sentence: str, sure: SentenceKind | None, likely: SentenceKind | None, *, following: bool
) -> Act | None:
    """Return what a sentence without the name of a list may be to one."""
    on_it = reading.ASKS_IF.match(sentence) and reading.ON_IT.search(sentence)
    asks = (is_question(sentence) or on_it) and not reading.TICKS.search(sentence)
    if (asks or likely in _ASKING) and asks_what_is_left(sentence):
        return Act.SHOW
    if likely is SentenceKind.LIST_SHOW and not find_asked(sentence, None, ())[1]:
        return Act.SHOW  # "is anything still dripping in the garden" names what stands on none
    over = reading.DONE.search(sentence) or reading.PAST.search(sentence)
    deed = over is not None and not sentence[: over.start()].strip()  # "talked to the vet"
    if asks or (likely is SentenceKind.QUESTION and not deed):
        hinted = tell_kinds(sentence).measure(SentenceKind.LIST_SHOW) >= _HINT
        named = tell_order(sentence).pick(Role.LIST)
        return Act.MAY_ASK if over or hinted or on_it or named or reading.wants_bought(sentence) else None
    said = split_words(sentence)
    first = next((word for word in said if word not in reading.FOLLOWS), "")
    following = following and first not in reading.DENIES  # "oh, not the buns"
    too = len(said) <= _BARE and not reading.FOLLOWS.isdisjoint(said[-1:])  # "nails too"
    order, kinds = tell_order(sentence), tell_kinds(sentence)
    apart = bool(order.pick(Role.LIST)) and not (order.pick(Role.ORDER) or reading.is_headed(sentence))
    more = (
        too
        or (order.pick(Role.ADDED) and not apart and likely is not SentenceKind.CHATTER and kinds.telling < _WANTED)
        or not reading.FOLLOWS.isdisjoint(said[:1])
        or sentence.lstrip().startswith("+")
        or reading.orders_to_put(sentence)
    )
    telling = _WANTED if reading.is_headed(sentence) else LIKELY  # "write down: contract 77"
    told = _notes(sentence)
    follows = following and more and not told and len(said) <= _FOLLOWING and kinds.telling < telling
    wanted = decide_kind(sentence, _WANTED) is SentenceKind.LIST_ADD
    lacks = reading.wants_bought(sentence)
    wanted = wanted or (following and lacks and kinds.measure(SentenceKind.LIST_ADD) >= _HINT)
    wants = wanted and ((following and not (apart or told)) or lacks)
    asked_for = bool(order.pick(Role.ORDER)) and likely in (None, SentenceKind.REQUEST) and kinds.telling < _HINT
    wants = wants or (asked_for and _orders_to_buy(sentence) and kinds.measure(SentenceKind.LIST_ADD) >= _HINT)
    wants = wants or (likely is SentenceKind.LIST_ADD and reading.puts(sentence) and not told)
    wants = wants or (following and lacks and reading.INSTEAD.search(sentence) is not None)
    ends = bool(order.pick(*_OVER)) and not order.pick(Role.ADDED, Role.NEW) and said[0] not in reading.FOLLOWS
    taken = reading.REMOVES.search(sentence) if ends else reading.REMOVES.match(sentence)  # "the yeast: take it off"
    orders = not (reading.ASKS_IF.match(sentence) or taken)
    if (follows or wants) and orders and not reading.find_returned(sentence, None):
        return Act.ADD
    forgets = sure is SentenceKind.FORGET
    removes = not reading.EVERYTHING.search(sentence) if forgets else reading.REMOVES.search(sentence)
    done = over and (reading.TICKS.search(sentence) or not reading.NOT_YET.search(sentence))
    seems = likely is SentenceKind.LIST_DONE and len(said) > 1
    return Act.MAY_TICK if done or removes or seems else None
