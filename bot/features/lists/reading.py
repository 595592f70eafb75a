"""Reads what a sentence puts on a list: which one, and the things that it names.

What frames the things is cut from both ends by words of the languages, so that no wording need be foreseen.

The words of lists in all languages, tried together, as people mix languages.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from bot.memory.concepts import STOP_WORDS, find_concept
from bot.memory.learning.kinds import SURE, SentenceKind, decide_kind, tell_order
from bot.memory.learning.orders import OUTCOMES, Order, Part, Role
from bot.memory.learning.rewording import PREPOSITIONS
from bot.memory.patterns import compile_bounded, compile_words
from bot.ports.lists import LONGEST, Deed
from language import alternatives, languages
from language.lists import ListWords
from language.words import fold, split_words

ALL: Final = tuple(each.lists for each in languages())
FLEETING: Final = compile_bounded(alternatives(each.fleeting for each in ALL if each.fleeting))


_PLEASE: Final = alternatives(each.forgetting.please for each in languages())


def _compile(find: Callable[[ListWords], str]) -> re.Pattern[str]:
    return compile_bounded(rf"(?<!\w){alternatives(filter(None, map(find, ALL)))}(?!\w)", re.IGNORECASE)


DONE: Final = _compile(lambda each: each.done)
REMOVES: Final = _compile(lambda each: each.removes)
ONTO: Final = _compile(lambda each: each.onto)
TICKS: Final = _compile(lambda each: each.ticks)
DEEDS: Final = {past: verb for each in ALL for past, verb in each.deeds.items()}
PREFIX: Final = compile_bounded(alternatives(each.prefixes for each in ALL if each.prefixes))
SEVERAL: Final = _compile(lambda each: each.several)
PAST: Final = _compile(lambda each: each.past)
ASKS_IF: Final = _compile(lambda each: each.asks_if)
ON_IT: Final = _compile(lambda each: each.on_it)
_RETURNS: Final = tuple(
    compile_bounded(rf"(?:.{{0,30}}?[\s,])?{form}(?:[\s,]*{_PLEASE})?\W{{0,9}}(?:,\s.{{1,80}})?", re.IGNORECASE)
    for each in ALL
    for form in each.returns
)
NOT_YET: Final = _compile(lambda each: each.open)
EVERYTHING: Final = _compile(lambda each: each.everything)
LEFT: Final = _compile(lambda each: each.left)
BUT: Final = _compile(lambda each: each.but)
TASK: Final = compile_bounded(alternatives(each.tasks for each in ALL if each.tasks), re.IGNORECASE)
_POINTED: Final = compile_bounded(rf",\s+{alternatives(each.points for each in ALL)}\s[^,;]{{1,40}}$", re.IGNORECASE)
"""What says which one is meant of the thing before: "a lightbulb, the small kind"."""
_JOINS: Final = alternatives(each.joins for each in ALL if each.joins)
_SIGNS: Final = r"[;\n•]|,(?!\d)|(?<!\d),|(?<=\s)[&+](?=\s)"
_SWAPS: Final = tuple(
    compile_bounded(rf"(?:.{{0,12}}?[\s,])?{form}\W{{0,9}}", re.IGNORECASE) for each in ALL for form in each.swaps
)
INSTEAD: Final = _compile(lambda each: each.instead)
_THAT: Final = compile_bounded(rf"(?<!\w){alternatives(each.speech.that for each in languages())}", re.IGNORECASE)
_TURNS: Final = alternatives(each.turns for each in ALL if each.turns)
_UNNEEDED: Final = _compile(lambda each: each.unneeded)
_SENTENCE_END: Final = re.compile(r"[.!]\s+")
_PARTS: Final = re.compile(r"[;\n•]|,(?!\d)")
BREAKS: Final = compile_bounded(rf"{_SIGNS}|(?<![\w-]){_JOINS}(?![\w-])", re.IGNORECASE)
_ORDERS_BREAK: Final = compile_bounded(rf"{_SIGNS}|(?<![\w-])(?:{_JOINS}|{_TURNS})(?![\w-])", re.IGNORECASE)
ASKS_WITH: Final = compile_words(lambda each: each.speech.asks_with)


def _join(find: Callable[[ListWords], frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*map(find, ALL))


ARTICLES: Final = _join(lambda each: each.articles)
MEASURES: Final = _join(lambda each: each.measures)
TELLS_NOTHING: Final = STOP_WORDS | ARTICLES
BUYS: Final = _join(lambda each: each.buys)
_FRAMES: Final = _join(lambda each: each.frames)
PUTS: Final = _join(lambda each: each.puts)
FOLLOWS: Final = _join(lambda each: each.follows)
DENIES: Final = _join(lambda each: each.denies)
TAKES: Final = _join(lambda each: each.takes)
_LANDS: Final = _join(lambda each: each.lands)
_HANDS: Final = _join(lambda each: each.hands)
EMPTIES: Final = _join(lambda each: each.empties)
_WHOLE: Final = _join(lambda each: each.whole)
AROUND_TICKED: Final = _FRAMES | FOLLOWS | DENIES
AROUND_HEADED: Final = _FRAMES | FOLLOWS
AROUND_TASKS: Final = _FRAMES | FOLLOWS | PUTS
AROUND_MADE: Final = AROUND_TASKS | _join(lambda each: each.makes)
AROUND_ADDED: Final = AROUND_TASKS | BUYS | _HANDS
_ORDERS: Final = TAKES | _LANDS | PUTS | BUYS
_AROUND_TAKEN: Final = AROUND_ADDED | DENIES | TAKES
_VERBS: Final = BUYS | PUTS | _HANDS
"""Verbs that what is read as a thing may begin or end with."""
AROUND_ASKED: Final = _FRAMES | _join(lambda each: each.asks)


SHOPPING: Final = "shopping"
TODO: Final = "todo"
MOST: Final = 50
"""Things that one message names."""
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.@/:][^\W_]+)*")
_EDGES: Final = " \t\r\n,.;:!?–—-•*+\"'“”„«»"
_HEAD: Final = re.compile(r"\s*(?:[:–—\n]|-\s)")
_LEAST_ORDER: Final = 3
"""Words around what such an order names: "knall noch … drauf"."""
_HEADING: Final = re.compile(r"[^:,;\n]{1,60}:\s+(?=\S)")
"""What stands before a colon only leads to what is named: "one more for the trip: …"."""


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
    kinds = [(key, source) for each in ALL for key, source in each.named.items()]
    others = [("", each.other) for each in ALL if each.other]
    return tuple(
        (key, compile_bounded(rf"(?<![\w-])(?:{source})(?![\w-])", re.IGNORECASE)) for key, source in (*kinds, *others)
    )


def is_kind(key: str) -> bool:
    """Whether a key is that of a kind of list rather than of a name."""
    return any(kind == key for kind, _ in _compile_named() if kind)


_BEHIND: Final = tuple(compile_bounded(rf"\s+{each.behind}(?![\w-])", re.IGNORECASE) for each in ALL if each.behind)


def find_list(sentence: str, known: Iterable[str] = ()) -> Named | None:
    """Return the list that a sentence names, ``None`` without one; ``known`` are the keys of those that there are.

    Beside one that it calls a list, that is what is read as the name of one.
    """
    called = _find_called(sentence, known)
    if called is not None and called.key:
        return called
    order, known = tell_order(sentence), frozenset(known)
    adds = order.pick(Role.ADDED) or (decide_kind(sentence, SURE) is SentenceKind.LIST_ADD and not is_headed(sentence))
    ordered = bool(order.pick(Role.ORDER)) or is_headed(sentence) or called is not None  # not "a couch at the shed"
    first = next((part for part in order.parts if part.role in (Role.LIST, Role.ADDED)), None)
    heads = first if wants_bought(sentence) else None  # "for the DIY shop I need", not "I need screws for the shop"
    for part in order.parts:
        names = part.role is Role.LIST and bool(cut(part.text, AROUND_MADE | AROUND_ADDED))  # none is "note: nails"
        key = _find_kind(part.text) or make_key(part.text) if names else ""
        if key and (key in known or (adds and (ordered or part is heads)) or is_kind(key)):
            title = "" if is_kind(key) else _make_title(cut(part.text, ARTICLES))
            start, end = (called.start, called.end) if called is not None else (part.start, part.end)
            return Named(key, title, min(start, part.start), max(end, part.end))
    return called


def _find_kind(name: str) -> str:
    """Return the kind of list that is called so without the word for a list, "" for a name of its own."""
    forms = (f"{name}:", *(form.format(name) for each in ALL for form in each.called))
    return next((kind for kind, pattern in _compile_named() if kind and any(map(pattern.search, forms))), "")


def find_asked_for(sentence: str, known: frozenset[str]) -> str:
    """Return the key of the list of ``known`` that a question names, and nothing else: "what am I packing?"."""
    words = STOP_WORDS | AROUND_ASKED
    for part in tell_order(sentence).parts:
        key = (_find_kind(part.text) or make_key(part.text)) if part.role is Role.LIST else ""
        if key in known and words.issuperset(split_words(f"{sentence[: part.start]} {sentence[part.end :]}")):
            return key
    return ""


def _find_called(sentence: str, known: Iterable[str]) -> Named | None:
    for kind, pattern in _compile_named():
        found = pattern.search(sentence)
        if found is None:
            continue
        said = found.groupdict()
        name = "" if kind else said.get("name") or said.get("itself") or ""
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
    things = bool(cut(before, AROUND_TASKS))
    ends = not rest.strip(_EDGES)
    return _HEAD.match(rest) is not None or (ends and things and not after["by"]) or (bool(after["by"]) and not things)


def make_key(name: str) -> str:
    """Return what a list's name is compared by: the stems of its words; "" for one without any of its own."""
    return " ".join(find_concept(word) for word in split_words(name) if word not in STOP_WORDS | ARTICLES)


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
        article = spans[first][2] in ARTICLES
        if article and first + 1 < last and spans[first + 1][2] in MEASURES:
            break
        first += 1
        if article and first < last and spans[first][2] not in ARTICLES:
            break
    while first < last and spans[last - 1][2] in words:
        ends = last == len(spans) or PREPOSITIONS.fullmatch(spans[last][2])
        if ends and spans[last - 1][2] in MEASURES and last - first > 1 and spans[last - 2][2] not in words:
            break  # "watering can"
        last -= 1
    if first == last:
        return ""
    start = spans[first][0] if first else 0
    end = spans[last - 1][1] if last < len(spans) else len(text)
    return text[start:end].strip(_EDGES)


def split_things(text: str, words: frozenset[str]) -> tuple[str, ...]:
    """Return the things that a text names, each without such words at its ends.

    What is named twice with a word between is one: "half and half".
    """
    start, joined = 0, ""
    things = list[str]()
    for found in (*BREAKS.finditer(text), None):
        part = cut(text[start : found.start() if found is not None else len(text)], words)
        if joined and things and fold(part) == fold(things[-1]):
            part = f"{things.pop()} {joined} {part}"
        things += [part] if part else []
        start, joined = (found.end(), found[0] if found[0].isalpha() else "") if found is not None else (0, "")
    return tuple(dict.fromkeys(things))


def _cut_verb(order: str) -> str:
    """Return an order that ends with what puts something there without its verb: "knall noch Bier drauf".

    It stands before a word for "more", and something behind that.
    """
    said = [*_WORD.finditer(order)]
    if len(said) <= _LEAST_ORDER or fold(said[-1][0]) not in _LANDS or fold(said[1][0]) not in FOLLOWS:
        return order
    rest = order[said[1].start() :]
    return rest if cut(rest, AROUND_ADDED) else order


def read_added(sentence: str, named: Named | None) -> tuple[str, ...]:
    """Return what a sentence puts on a list, as it is to stand there; () for nothing, or for too much at once.

    Under a head its signs part the things; else they are those that are read in it, or, without the embedding model,
    what is left when what frames them is cut off.
    """
    before, after = (sentence, "") if named is None else (sentence[: named.start], sentence[named.end :])
    headed = _HEAD.match(after) is not None
    if (head := _HEADING.match(sentence)) is not None and (named is None or named.end <= head.end()):
        after, headed = sentence[head.end() :], named is not None or bool(cut(head[0], AROUND_MADE))
    around = AROUND_TASKS if named is not None and named.key == TODO else AROUND_ADDED
    if headed:
        parts = split_things(_SENTENCE_END.sub("; ", after), FOLLOWS | ARTICLES)
        things = tuple(part for part in parts if _find_called(part, ()) is None)
    else:
        things = _read_row(sentence, around)
    things = things or split_things(before, around) or split_things(after, around)
    return things if len(things) <= MOST and all(len(each) <= LONGEST for each in things) else ()


def _read_row(sentence: str, around: frozenset[str]) -> tuple[str, ...]:
    """Return the things that are read in a sentence, and what stands unmarked in their row, in order."""
    order = tell_order(sentence)
    both = order.pick(Role.ADDED) and order.pick(Role.ORDER)[1:]
    wanted = (Role.ADDED,) if both else (Role.ADDED, Role.THING, Role.NEW)
    marked = [part for part in order.parts if part.role in wanted]
    marked = marked or [part for part in order.parts if part.role in OUTCOMES]
    verbs = ARTICLES | _VERBS if around == AROUND_ADDED else ARTICLES
    begin = len(sentence) - len(_cut_verb(sentence))
    found = [(part.start, part.end, verbs) for part in _join_letters(sentence, marked) if part.start >= begin]
    found += [(*span, around) for span in _list_unmarked(sentence, order, marked)] if marked else []
    things, last, pointed = list[str](), 0, _POINTED.search(sentence)
    for start, end, words in sorted(found, key=lambda each: each[:2]):
        if pointed is not None and len(things) == 1 and start > pointed.start():
            break
        for text in filter(None, (cut(each, words) for each in _PARTS.split(sentence[start:end]))):
            if things and fold(text) == fold(things[-1]):  # "half and half"
                things[-1] = sentence[last:end].strip()
            else:
                things.append(text)
                last = start
    behind = pointed is not None and len(things) == 1 and last < pointed.start()
    things = [f"{things[0]}{pointed[0].rstrip(_EDGES)}"] if behind and pointed is not None else things
    return tuple(dict.fromkeys(things))


def _join_letters(sentence: str, parts: Sequence[Part]) -> list[Part]:
    """Return parts, a capital letter that looks like an article with what stands before it: "double A batteries"."""
    joined = list[Part]()
    for part in parts:
        beside = joined and not sentence[joined[-1].end : part.start].strip()
        if beside and part.text[:1].isupper() and not part.text[1:2].isalnum():
            first = joined.pop()
            part = replace(first, text=sentence[first.start : part.end], end=part.end)  # noqa: PLW2901
        joined.append(part)
    return joined


def _list_unmarked(sentence: str, order: Order, marked: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Yield where something stands behind the order before the first of some parts, or between two of them."""
    start = 0
    for sign in BREAKS.finditer(sentence):
        within = [part for part in order.parts if part.start < sign.start() and part.end > start]
        unmarked = all(part.role in (Role.ORDER, Role.LIST) for part in within) and (within or marked[0].end <= start)
        if unmarked and sign.start() <= marked[-1].start:
            yield max([start, *(part.end for part in within)]), sign.start()
        start = sign.end()


def read_things(sentence: str, *roles: Role) -> tuple[str, ...]:
    """Return the things of a sentence of which this is to become, without their articles; of others where none is."""
    order = tell_order(sentence)
    parts = (part for each in order.pick(*roles) or order.pick(*OUTCOMES) for part in _PARTS.split(each))
    return tuple(dict.fromkeys(filter(None, (cut(part, ARTICLES) for part in parts))))


def _takes(part: str) -> tuple[bool | None, bool]:
    """Return whether a part of a sentence takes something off or puts it there, and whether that is said at its end.

    ``None`` where it orders neither.
    """
    said = [word for word in split_words(part) if word in _ORDERS or word not in AROUND_HEADED]
    ends, last = {*said[:1], *said[-1:]}, not _ORDERS.isdisjoint(said[-1:])
    if _UNNEEDED.search(part) or not TAKES.isdisjoint(ends):
        return True, last
    return None if _ORDERS.isdisjoint(ends) else False, last


def read_both(sentence: str, named: Named | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a sentence orders to be put on a list, and what to be taken off; () twice unless it orders both.

    What says that something is done orders nothing: "Jens has brought the buns, they can come off".
    What is named without an order of its own goes with the one before, or with the next where that has come to its end.
    """
    text = sentence if named is None else f"{sentence[: named.start]} {sentence[named.end :]}"
    found, waiting = {True: "", False: ""}, ""
    now, before, start, sign = None, None, 0, ","
    for end in (*_ORDERS_BREAK.finditer(text), None):
        part = text[start : end.start() if end is not None else len(text)]
        how, last = _takes(part)
        if not (how or now) and DONE.search(part):
            return (), ()
        now = now if how is None else how
        if now is None:
            waiting += f"{sign} {part}"
        else:
            found[now] += f"{waiting}{sign} {part}"
            now, before, waiting = None if last else now, now, ""
        if end is not None:
            turns = BREAKS.fullmatch(end[0]) is None
            now, before = (None, None) if turns else (now, before)
            start, sign = end.end(), "," if turns else f" {end[0]}"
    if before is not None:
        found[before] += waiting
    elif waiting.strip(_EDGES):
        return (), ()
    added = split_things(found[False], AROUND_ADDED | _LANDS)
    taken = split_things(_UNNEEDED.sub(" ", found[True]), _AROUND_TAKEN)
    return (added, taken) if added and taken else ((), ())


def takes(sentence: str) -> bool:
    """Whether a sentence orders to take something off, in words that are known."""
    return _takes(sentence)[0] is True


def holds_order(thing: str) -> bool:
    """Whether what would stand on a list has an order in it, so that it is none to put there: "nudeln weg"."""
    said = split_words(thing)
    return len(said) > 1 and (said[0] in _HANDS or said[-1] in TAKES)


def name_origin(deed: Deed, key: str, thing: str) -> str:
    """Return what names a thing by its message, so that the same message puts it on the same list once."""
    return f"{deed.origin}:{key}/{fold(thing)}"


def begins_with_buying(sentence: str) -> bool:
    """Whether a sentence is an order to buy something: "buy milk", and not "we need milk"."""
    return not BUYS.isdisjoint(split_words(sentence)[:1])


def begins_list(text: str) -> Named | None:
    """Return the list whose name a text begins with, before a colon and what stands on it; ``None`` for others.

    An order to make it may stand before its name.
    """
    named = _find_called(text, ())
    if named is None or cut(text[: named.start], AROUND_MADE) or not text[named.end :].strip(_EDGES):
        return None
    return named if _HEAD.match(text, named.end) else None


def is_headed(sentence: str) -> bool:
    """Return whether a sentence begins with a head and a colon, whatever that says."""
    return _HEADING.match(sentence) is not None


def find_returned(sentence: str, named: Named | None) -> tuple[str, ...]:
    """Return the things that a sentence orders to be put back where they stood, () for any other sentence."""
    text = sentence if named is None else f"{sentence[: named.start].rstrip()} {sentence[named.end :].lstrip()}"
    found = next((match for form in _RETURNS if (match := form.fullmatch(text.strip()))), None)
    return split_things(found["thing"], AROUND_TASKS) if found is not None else ()


def list_swaps(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield what a sentence orders to be taken off and what to put in its place, each way in which it may be read."""
    for form in _SWAPS:
        if (match := form.fullmatch(sentence.strip())) is None:
            continue
        said = match.groupdict()
        words = (said.get("both") or "").split()
        yield from ((" ".join(words[:place]), " ".join(words[place:])) for place in range(len(words) - 1, 0, -1))
        if not words:
            yield said["old"], said["new"]


def empties(sentence: str, named: Named | None) -> bool:
    """Whether a sentence is nothing but an order to take off all that stands on the list that it names.

    "The list is empty" is none.
    """
    if named is None or ASKS_IF.search(sentence):
        return False
    text = EVERYTHING.sub(" ", f"{sentence[: named.start]}, {sentence[named.end :]}")
    return not EMPTIES.isdisjoint(split_words(text)) and not cut(text, EMPTIES | _WHOLE | FOLLOWS | ARTICLES | _FRAMES)


def split_order(sentence: str) -> tuple[str, str]:
    """Return what stands before the first break of a sentence, and what stands behind it."""
    found = _ORDERS_BREAK.search(sentence)
    return (sentence[: found.start()].strip(), sentence[found.end() :].strip()) if found else (sentence, "")


def asks_openly(sentence: str) -> bool:
    """Whether a question is no yes-or-no question: it has a word that asks."""
    return ASKS_WITH.search(sentence) is not None


def puts(sentence: str) -> bool:
    """Whether a sentence has a verb that puts something somewhere: "add"."""
    return not PUTS.isdisjoint(split_words(sentence))


def keeps_clause(sentence: str) -> bool:
    """Whether a sentence orders to note that something is so, rather than things."""
    said = split_words(sentence)
    behind = next((" ".join(said[place + 1 :]) for place, word in enumerate(said) if word in PUTS), "")
    clause = _THAT.search(behind)
    return clause is not None and not cut(behind[: clause.start()], AROUND_TASKS)


def orders_to_put(sentence: str) -> bool:
    """Whether such a verb stands where an order has it, at one of its ends: not in "the doctor has put me on …"."""
    said = [word for word in split_words(sentence) if word in PUTS or word not in AROUND_HEADED]
    return not PUTS.isdisjoint((*said[:1], *said[-1:]))


def wants_bought(sentence: str) -> bool:
    """Whether a sentence says that something is to be bought."""
    return not BUYS.isdisjoint(split_words(sentence))


def are_tasks(things: Sequence[str], sentence: str) -> bool:
    """Whether things are to be done, not bought: "to call the plumber", but not water bottles that we need."""
    folded = fold(sentence)
    bought = wants_bought(sentence)
    return all(
        TASK.fullmatch(each.partition(",")[0]) is not None and (not bought or f"to {fold(each)}" in folded)
        for each in things
    )
