"""Puts the right value in the place of a wrong one in a sentence that somebody said.

A value is a time, a day, a number, a name, or the part of a sentence behind a word that two of them share.  What is not
plain is left: ``None`` says that a sentence holds no place for a value.
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import Final

from bot.memory.concepts import STOP_WORDS, find_concept, is_alike
from bot.memory.learning.speech_acts import SpeechAct, classify_speech
from bot.memory.learning.statements import find_facts
from bot.memory.patterns import compile_bounded
from language import alternatives, detect_languages, languages
from language.analyser import strip_ending
from language.language import Language
from language.patterns import compile_at_use
from language.sentences import split_sentences
from language.words import CAPITAL, SMALL_LETTERS, fold

_LONGEST_VALUE: Final = 6
"""Words of a value that takes another's place."""
_MOST_WORDS: Final = 5
"""Words of one that stands for a whole message, and of what names it as wrong."""
_LONGEST_PREDICATE: Final = 5
_LEAST_SENTENCE: Final = 3
"""Words of a whole sentence: somebody or something, and what of it."""
_LEAST_NAME: Final = 4
"""Letters of names that are compared by how they are written."""
_LEAST_ALIKE: Final = 0.6
_LEAST_SLIP: Final = 0.8
"""Share of letters of two words of which one is a slip for the other, where nothing else says so."""
_LEAST_SHARED: Final = 0.5
"""Of the words of a whole sentence that corrects another: as many stand in both."""
_LANGUAGES: Final = languages()
_NO_VALUES: Final = STOP_WORDS.union(*(each.learning.articles for each in _LANGUAGES))
"""Words before a value that are no part of it."""
GAP: Final = r"[\s,.:;!–—…*-]{0,8}+"
"""Pattern of what may stand between two phrases."""


def join_patterns(part: str) -> str:
    """Return a part of all languages' patterns of corrections as one pattern."""
    return alternatives(getattr(each.corrections, part) for each in _LANGUAGES)


_FILLERS: Final = compile_bounded(rf"(?:{join_patterns('fillers')}(?!\w){GAP}){{1,4}}+", re.IGNORECASE)
ADDS: Final = compile_bounded(rf"(?<!\w){join_patterns('additions')}(?!\w)", re.IGNORECASE)
"""Says that a sentence adds to another one."""
_JOINS: Final = compile_at_use(rf"{alternatives(each.changes.joins for each in _LANGUAGES)}(?!\w)", re.IGNORECASE)
"""What leads to somebody or something more: "Leonie and Rufus …"."""
COPULAS: Final = compile_at_use(join_patterns("copulas"), re.IGNORECASE)
_OWN_COPULAS: Final = {each.code: compile_at_use(each.corrections.copulas, re.IGNORECASE) for each in _LANGUAGES}
"""By language: "am" is none in German."""
PREPOSITIONS: Final = compile_at_use(join_patterns("prepositions"), re.IGNORECASE)
MERGED: Final = {long: short for each in _LANGUAGES for long, short in each.corrections.merged.items()}
PRONOUNS: Final = frozenset[str]().union(*(each.questions.refers | each.answers.there for each in _LANGUAGES))
"""Words that stand for somebody, something or a place named before, in small letters."""
TOKEN: Final = compile_at_use(r"[^\W_]+(?:[-'’.@/:][^\W_]+)*|[–—]")
_PAUSE: Final = compile_at_use(r"[,;:.!?()\n]")
_SENTENCE_END: Final = compile_at_use(r"[^\W\d_]{5}[.!?]\s+\w")
"""Behind a longer word than a title."""
ORDINAL: Final = alternatives(
    ending.replace(r"\.|", "").replace(r"\.", "th")
    for each in _LANGUAGES
    for ending in (each.calendar.day_ending, each.schedule.ordinal_ending)
)
"""What stands behind the day of a month that is told by its number alone, but for full stops: "the 16th"."""
_DIGITS: Final = compile_at_use(r"\d+")
_DAY_NUMBER: Final = compile_at_use(rf"(?<!\d)\d{{1,2}}(?!\d)(?:{ORDINAL}|\.)?", re.IGNORECASE)
_RANKED: Final = 12
"""What is put in an order of its own may have so many places: "the third" is hardly a day, "the thirteenth" is one."""


def _list_days(each: Language) -> Iterator[str]:
    ordinals, months = each.schedule.ordinals, alternatives(each.calendar.months)
    ending = each.calendar.day_ending or "th"
    yield rf"\d{{1,2}}(?:\.|{ending})?\s(?:{each.calendar.of or 'of'}\s)?{months}"
    yield rf"{months}(?:\s(?:\d{{1,2}}(?:{ending})?|{alternatives(ordinals)}))?"
    yield rf"{alternatives(ordinals)}\s(?:{each.calendar.of or 'of'}\s)?{months}"
    yield alternatives(word for word, number in ordinals.items() if number > _RANKED)
    yield from (rf"(?:{weekday})\w{{0,3}}" for weekday in each.schedule.weekdays)  # "Mondays"
    yield from each.schedule.days
    yield rf"\d{{1,2}}(?:{ORDINAL})"


DATE: Final = compile_at_use(rf"\d{{1,2}}\.(?:0?[1-9]|1[0-2])\.(?=\s*(?-i:[\d{SMALL_LETTERS}]))")
"""A day of a month in figures, as its full stop ends nothing: "am 4.12. um 9"."""
_DOTTED: Final = compile_at_use(r"\d{1,2}\.\d{1,2}\.?")
"""A day, or a time of day."""
_DECIMAL: Final = compile_at_use(r"\d+\.\d{1,2}")
_VALUES: Final = tuple(
    compile_at_use(rf"(?<![\w.:€$£])(?:{source})(?![\w:])", re.IGNORECASE)
    for source in (
        rf"(?!{DATE.pattern}){join_patterns('clocks')}",
        r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\.\d{1,2}\.?|"
        + alternatives(day for each in _LANGUAGES for day in _list_days(each)),
        r"[€$£]?\d+(?:[.,]+\d+)*[^\W\d_]{0,2}"
        + "".join(f"|{word}" for each in _LANGUAGES for word in each.schedule.numbers),
        r"\d*[^\W\d_]{1,4}-?\d[^\W_]*",
    )
)
"""Times of day, days, numbers, codes ("B12", "38K71"): a value takes the place of one of its own kind."""
_CLOCK, _DAY, _NUMBER = 0, 1, 2
_ORDINAL_BEHIND: Final = compile_at_use(rf"\.\s+(?!{CAPITAL})[^\W\d_]")
_LONGEST_BEFORE: Final = 60
"""Characters around a number that are looked at for what leads to it: a text may hold thousands."""
_SPANS: Final = alternatives(one for each in _LANGUAGES for one in (each.schedule.until, each.told.since) if one)
_SPAN_BEFORE: Final = compile_bounded(rf"(?<!\w)(?:{_SPANS})\s+\Z", re.IGNORECASE)
"""Leads to the end, or the beginning, of a length of time."""
_TIMES: Final = frozenset[str]().union(*(each.questions.time_words for each in _LANGUAGES))
_ARTICLES: Final = frozenset[str]().union(*(each.learning.articles for each in _LANGUAGES))
_SHORTEST_DAY: Final = 2
_HOUR: Final = compile_at_use(r"1?\d|2[0-4]")
_AMOUNT: Final = compile_at_use(r"\W?(\d+(?:[.,]\d{1,2})?)")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, where it stands, and what it is compared by."""

    text: str
    start: int
    end: int
    folded: str
    concept: str


def _strip_fillers(text: str) -> str:
    """Return a text without the words at its beginning that say nothing of the value."""
    match = _FILLERS.match(text)
    return text[match.end() :] or text if match is not None else text


def replace_value(said: str, wrong: str, right: str, *, opened: bool, last: bool) -> str | None:
    """Return ``said`` with ``right`` where ``wrong`` stands, ``None`` if it does not stand there.

    What does not say that it corrects must be about the same thing, or name a value that stands there just now.
    """
    tokens, sought = split_tokens(said), split_tokens(wrong)
    place, led, leads = _find_run(tokens, sought), "", next(iter(split_tokens(_strip_fillers(right))), None)
    while place is None and len(sought) > 1:
        if sought[0].folded in _NO_VALUES:
            led = led or sought[0].text
            sought = sought[1:]
        elif _is_specific(sought[:-1]) and not _is_specific(sought[-1:]):
            sought = sought[:-1]  # "not Lisbon after all"
        else:
            break
        place = _find_run(tokens, sought)
    if place is None or len(sought) > _MOST_WORDS:
        return None
    if PREPOSITIONS.fullmatch(led) and leads is not None and PREPOSITIONS.fullmatch(leads.text) and leads.text != led:
        return None  # "not in the room but over the phone" puts no phone where "room 210" stood
    behind = place + len(sought)
    value, anchored = _cut_value(right, tokens[:place], tokens[place:behind], tokens[behind:])
    value = _cut_to_number(value, sought, {token.concept for token in tokens})
    if not value or not (opened or anchored or last or _is_specific((*sought, *tokens[place:behind]))):
        return None
    around = {one.concept for one in tokens[:place] if COPULAS.fullmatch(one.text) or not _says_nothing(one)}
    if any(token.concept in around for token in split_tokens(value)):
        return None  # "my sister lives in Kiel" behind "my brother lives in …": it tells of somebody else
    most = _LONGEST_VALUE if opened or anchored else max(2, len(sought) + 1)
    if len(split_tokens(value)) <= most:
        return _put(said, tokens[place].start, tokens[behind - 1].end, value)
    subject = next((token.concept for token in split_tokens(right) if token.folded not in STOP_WORDS), "")
    same = subject in {token.concept for token in tokens[:place]}
    # "It does not work: Lars has painted it" says why, and nothing of whom Lars works for.
    return _capitalise(right) if same and (opened or _is_specific(sought)) else None


def replace_day(said: str, wrong: str, right: str) -> str | None:
    """Return ``said`` with another day of its only date, where ``wrong`` is that day: "not the 9th", of 9 February."""
    dates, new = _list_dates(said), [match[0] for match in _DAY_NUMBER.finditer(right)]
    bare = " ".join(token.text for token in split_tokens(wrong) if token.folded not in STOP_WORDS)
    if len(dates) != 1 or len(new) != 1 or _DAY_NUMBER.fullmatch(bare) is None:
        return None
    _, start, end = dates[0]
    date = said[start:end]
    days = [_DIGITS.findall(text) for text in (date, bare)]
    if days[0] != days[1] or len(days[0]) != 1:
        return None
    named = _DAY_NUMBER.search(date)
    ending = named is not None and not named[0].isdecimal()
    return (
        f"{said[: dates[0][1]]}{_put_day(date, new[0] if ending else _DIGITS.findall(new[0])[0])}{said[dates[0][2] :]}"
    )


def _cut_to_number(value: str, wrong: Sequence[Token], there: AbstractSet[str]) -> str:
    """Return of a value for a bare number the number alone: 12 of "the boots one was 12".

    Where it is the only one, and all before it stands ``there`` as well: "the blue bus at 8:50" is no red one.
    """
    tokens = split_tokens(value)
    numbers = [place for place, token in enumerate(tokens) if _has_digits(token)]
    bare = [token for token in wrong if token.folded not in STOP_WORDS]
    if len(numbers) != 1 or len(bare) != 1 or not _has_digits(bare[0]):
        return value
    begin = max(numbers[0] + 1 - len(wrong), 0)  # "the 27th" for "the 22nd"
    before = (token for token in tokens[:begin] if token.folded not in STOP_WORDS)
    known = all(token.concept in there or _says_nothing(token) for token in before)
    return value[tokens[begin].start : tokens[numbers[0]].end] if known else value


def _has_digits(token: Token) -> bool:
    return any(map(str.isdigit, token.text))


def _is_specific(tokens: Sequence[Token]) -> bool:
    """Return whether words name somebody or give a number: such a value seldom stands anywhere by chance."""
    return any(token.text[:1].isupper() or _has_digits(token) for token in tokens)


def _says_nothing(token: Token) -> bool:
    """Return whether a word is no value: "is", "it", "we're"."""
    if COPULAS.fullmatch(token.text) or token.folded in PRONOUNS:
        return True
    return not STOP_WORDS.isdisjoint((token.folded, token.folded.partition("'")[0]))


def _cut_value(
    right: str, before: Sequence[Token], wrong: Sequence[Token], behind: Sequence[Token]
) -> tuple[str, bool]:
    """Return what is new in ``right``, and whether the sentence around the value that it replaces stands there, too."""
    text = _strip_fillers(right)
    tokens = split_tokens(text)
    around, replaced = {token.concept for token in before}, {token.concept for token in wrong}
    start, anchored = 0, False
    for number, token in enumerate(tokens):
        known = token.concept in around and token.concept not in replaced
        if not (known or (_says_nothing(token) and token.concept not in replaced)):
            break
        start = number + 1
        anchored = anchored or known
    end = len(tokens)
    following = [token.concept for token in behind]
    for size in range(min(len(following), end - start), 0, -1):
        if [token.concept for token in tokens[end - size :]] == following[:size]:
            end -= size
            break
    leads = 0 < start < end and _is_preposition(tokens[start - 1]) and not anchored
    if leads and wrong and _is_preposition(wrong[0]):  # "on Tuesday, not on Wednesday"
        start -= 1
    last = end
    while last > start + 1 and (tokens[last - 1].concept in around | set(following) or _says_nothing(tokens[last - 1])):
        last -= 1
    if any(token.concept in around for token in tokens[last:end]):  # "but Novak is the plumber's name"
        end, anchored = last, True
    return text[tokens[start].start : tokens[end - 1].end] if start < end else "", anchored


def replace_referring(said: str, bare: str) -> str | None:
    """Return ``said`` with what is behind "it" in ``bare`` in the place of that: "no, I gave it to Pam"."""
    old, new = split_tokens(said), split_tokens(bare)
    place = next((n for n, token in enumerate(new) if n > 1 and token.folded in PRONOUNS), 0)
    same = place and [one.folded for one in old[:place]] == [one.folded for one in new[:place]]
    if not same or len(new) <= place + 2 or not _is_preposition(new[place + 1]):
        return None
    leads = [n for n, token in enumerate(old) if n > place and token.folded == new[place + 1].folded]
    return _put_phrase(said, old, leads[0], bare[new[place + 1].start :]) if len(leads) == 1 else None


def replace_whole(said: str, bare: str, *, sure: bool) -> str | None:
    """Return ``bare`` if it is a whole sentence that says another thing of what ``said`` is about."""
    old, new = split_tokens(said), split_tokens(bare)
    begins = new[0].folded.partition("'")[0] if new else ""  # "she's"
    if len(new) < _LEAST_SENTENCE or begins in PRONOUNS or classify_speech(bare) is not SpeechAct.STATEMENT:
        return None
    if [token.folded for token in old] == [token.folded for token in new]:
        return None
    keys = tuple(next((fact.key for fact in find_facts(text)), "") for text in (said, bare))
    if any(keys):
        return _capitalise(bare) if keys[0] == keys[1] else None
    subject = next((token.concept for token in new if token.folded not in STOP_WORDS), "")
    shared = {token.concept for token in old} & {token.concept for token in new}
    alike = [_list_kinds(text) for text in (said, bare)]
    if not sure or subject not in shared or alike[0] != alike[1]:
        return None
    return _capitalise(bare) if len(shared) >= _LEAST_SHARED * len({token.concept for token in new}) else None


def replace_alike(said: str, bare: str, *, sure: bool, alone: bool) -> str | None:
    """Return ``said`` with a value of ``bare`` in the place of one of the same kind, or of the same part of it."""
    value = _strip_fillers(_strip_tail(bare.strip(" .!")))
    if (new := _replace_hour(said, value)) is not None or (new := replace_kind(said, value)) is not None:
        return new
    tokens, told = split_tokens(said), split_tokens(value)
    if not told or not tokens:
        return None
    if told[0].folded in PRONOUNS:
        return replace_behind(said, value, tokens, told[1:], sure=sure)
    begins = told[0].folded
    says = begins not in STOP_WORDS and begins.removesuffix("s") in STOP_WORDS  # "thats the neighbours'"
    if not alone or says or len(told) > _MOST_WORDS or all(token.folded in STOP_WORDS for token in told):
        return None
    if told[0].concept in {token.concept for token in tokens} and told[0].folded not in _NO_VALUES:
        return replace_behind(said, value, tokens, told, sure=sure)
    return _replace_part(said, value, tokens, told) if sure or _is_preposition(told[0]) else None


def _strip_tail(value: str) -> str:
    """Return a value without the words behind it that only say of what: "Jannik" of "Jannik heißt er"."""
    tokens = split_tokens(value)
    tail = tokens[-2:]
    says = any(COPULAS.fullmatch(each.text) for each in tail) and any(each.folded in PRONOUNS for each in tail)
    return value[: tokens[-3].end] if len(tokens) > len(tail) and says else value


def _replace_hour(said: str, value: str) -> str | None:
    """Return ``said`` with a part of an hour before its only one: "half past" of "at 3"."""
    hours = _list_hours(said, _list_values(said))
    if len(hours) != 1 or holds_value(value):
        return None
    _, start, end = hours[0]
    whole = f"{value} {said[start:end]}"
    return _put(said, start, end, whole) if _VALUES[_CLOCK].fullmatch(whole) else None


def _replace_part(said: str, value: str, tokens: Sequence[Token], told: Sequence[Token]) -> str | None:
    """Return ``said`` with a few words in the place of what begins alike, of what something is, or of a name."""
    if _is_preposition(told[0]):
        places = [n for n, token in enumerate(tokens) if _part(token) == _part(told[0])]
        new = _put_phrase(said, tokens, places[-1], value) if len(places) == 1 else None
        words = [token.folded for token in split_tokens(new or "") if token.folded not in _NO_VALUES]
        return new if len(set(words)) == len(words) else None
    if all(_is_name(token) for token in told) and (new := _replace_name(said, value, tokens)) is not None:
        return new
    spoken = [_OWN_COPULAS[each.code] for each in detect_languages(said)]
    copulas = [n for n, token in enumerate(tokens) if any(one.fullmatch(token.text) for one in spoken)]
    if copulas and _list_kinds(value) != _list_kinds(said[tokens[copulas[-1]].end :]):
        return None  # "make it 6" behind "the gym is closed on Mondays", "that was last week" behind "it is in room 4"
    if len(copulas) == 1 and copulas[0] + 1 < len(tokens) and not any(COPULAS.fullmatch(one.text) for one in told):
        # "We are flying with …" says what we do, and not what we are.
        begin = _find_bare(tokens, copulas[0] + 1, told[0])
        return _put_phrase(said, tokens, copulas[0] + 1, value, begin=begin, to_the_end=True)
    return None


def _part(token: Token) -> str:
    """Return a preposition without the article that it holds."""
    return MERGED.get(token.folded, token.folded)


def _find_bare(tokens: Sequence[Token], first: int, value: Token) -> int:
    """Return from where on a phrase is replaced by a value: behind "in the" where that begins with neither."""
    for leads in (_is_preposition, _is_article):
        if first + 1 < len(tokens) and leads(tokens[first]) and not _is_preposition(value) and not leads(value):
            first += 1
    return first


def _is_article(token: Token) -> bool:
    return token.folded in _ARTICLES


def _replace_name(said: str, value: str, tokens: Sequence[Token]) -> str | None:
    """Return ``said`` with a name in the place of its last one."""
    last = next((n for n in range(len(tokens) - 1, 0, -1) if _is_name(tokens[n])), 0)
    first = last
    while first > 1 and _is_name(tokens[first - 1]):
        first -= 1
    # A title stays that is not said again: "Mr. Kovacs".
    while first < last and said[tokens[first].end] == "." and not value.startswith(tokens[first].text):
        first += 1
    return _put(said, tokens[first].start, tokens[last].end, value) if first else None


def replace_only_name(said: str, value: str) -> str | None:
    """Return ``said`` with a name in the place of the only one behind its first word, ``None`` for several."""
    names = [token for token in split_tokens(said)[1:] if _is_name(token)]
    if len(names) != 1 or not all(map(_is_name, split_tokens(value))):
        return None
    return _put(said, names[0].start, names[0].end, value)


def _is_preposition(token: Token) -> bool:
    return PREPOSITIONS.fullmatch(token.text) is not None


def _is_name(token: Token) -> bool:
    return any(map(str.isupper, token.text))


def replace_misspelt(said: str, bare: str) -> str | None:
    """Return ``said`` with a name of ``bare`` in the place of one that is written almost alike: "Kröger", "Krüger".

    Any word of a mere value may be one: not everybody writes capitals.
    """
    new, old = split_tokens(bare), split_tokens(said)
    known = {token.folded for token in new} & {token.folded for token in old}
    named = any(map(_is_name, (*new, *old[1:])))
    if named or len([token for token in new if token.folded not in known]) > 1:
        new, old = (tuple(filter(_is_name, tokens)) for tokens in (new, old))
    pairs = [
        (SequenceMatcher(None, one.folded, other.folded).ratio(), one.text, other)
        for one in new
        for other in old
        if one.folded != other.folded
        and holds_value(one.text) is holds_value(other.text)  # "April" is no slip for "Priya"
        and STOP_WORDS.isdisjoint((one.folded, other.folded))
        and not known & {one.folded, other.folded}
        and min(len(one.text), len(other.text)) >= _LEAST_NAME
    ]
    if not pairs or (best := max(pairs, key=lambda pair: pair[0]))[0] < _LEAST_ALIKE:
        return None
    return _put(said, best[2].start, best[2].end, best[1])


def replace_kind(said: str, value: str) -> str | None:
    """Return ``said`` with each time, day or number of ``value`` in the place of its only one of that kind."""
    new = _list_values(value)
    known = {token.concept for token in split_tokens(said)}
    taken = [place for _, *place in new]
    loose = [
        token
        for token in split_tokens(value)
        if not any(start <= token.start < end for start, end in taken)
        and token.folded not in STOP_WORDS
        and token.concept not in known
        and not (_is_preposition(token) or COPULAS.fullmatch(token.text))
    ]
    if not new or loose:
        return None
    put: list[tuple[int, int, str]] = []
    for kind, start, end in new:
        there = _list_places(said, value, (kind, start, end))
        if len(there) != 1 or sum(each[0] == kind for each in new) != 1:
            return None
        _, begin, behind = there[0]
        if any(begin == other for other, *_ in put):
            return None
        was, now = said[begin:behind], value[start:end]
        now = f"{now}." if _DOTTED.fullmatch(now) and was.endswith(".") and now[-1] != "." else now
        if there[0][0] != _CLOCK and _DAY_NUMBER.fullmatch(now):
            now = _put_day(was, now)
        if fold(was) != fold(now):
            put.append((begin, behind, now))
    for begin, behind, now in sorted(put, reverse=True):
        said = f"{said[:begin]}{now}{said[behind:]}"
    return said if put else None


def _list_places(said: str, value: str, new: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Return the values of ``said`` in whose place one of ``value`` may be put."""
    old, (kind, start, _), text = _list_values(said), new, value[slice(*new[1:])]
    there = _list_dotted(said) if _DOTTED.fullmatch(text) else []
    there = there or [each for each in old if each[0] == kind] or _list_hours(said, old if kind == _CLOCK else ())
    if not there and _list_hours(value, [new]):  # "closes at 12", where it was "at 1 pm"
        there = [each for each in old if each[0] == _CLOCK]
    if not there and _DECIMAL.fullmatch(text):  # "it's 3.5", where it was 4
        there = [each for each in old if each[0] == _NUMBER]
    if kind == _NUMBER and _DAY_NUMBER.fullmatch(text):  # "until 24", of 14 March
        lead, days = _find_lead(value, start), _list_dates(said)
        alike = [each for each in (*there, *days) if lead and _find_lead(said, each[1]) == lead]
        there = alike or there or ([] if lead else days)
    return there


def _put_day(date: str, day: str) -> str:
    """Return a date with another day: "the 16th" leaves the month as it was."""
    number = _DAY_NUMBER.search(date)
    if number is None:
        return day
    dot = "." if number[0].endswith(".") and not day.endswith(".") else ""
    return f"{date[: number.start()]}{day}{dot}{date[number.end() :]}"


def _list_dates(text: str) -> list[tuple[int, int, int]]:
    """Return the days of a text that name their month and their number."""
    days = ((each, text[slice(*each[1:])]) for each in _list_values(text) if each[0] == _DAY)
    return [each for each, day in days if _DAY_NUMBER.search(day) and not _DAY_NUMBER.fullmatch(day)]


def _find_lead(text: str, start: int) -> str:
    """Return the preposition before a place, or before its article, in small letters, "" where there is none."""
    before = [word for word in TOKEN.findall(text[:start]) if fold(word) not in _ARTICLES]
    return fold(before[-1]) if before and PREPOSITIONS.fullmatch(before[-1]) else ""


def _keep_month(was: str, value: str) -> str:
    """Return a value with the month of the only date in what it replaces, where it names a day alone."""
    dates = [was[slice(*each[1:])] for each in _list_dates(was)]
    days = [
        each for each in _list_values(value) if each[0] != _CLOCK and _DAY_NUMBER.fullmatch(value[slice(*each[1:])])
    ]
    if len(dates) != 1 or len(days) != 1 or _find_lead(value, days[0][1]) != _find_lead(was, was.index(dates[0])):
        return value
    _, start, end = days[0]
    return f"{value[:start]}{_put_day(dates[0], value[start:end])}{value[end:]}"


def _list_dotted(said: str) -> list[tuple[int, int, int]]:
    return [each for each in _list_values(said) if _DOTTED.fullmatch(said[slice(*each[1:])])]


def _list_hours(said: str, values: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return the numbers that may be hours of the day: "starts at 8"."""
    return [
        (kind, start, end)
        for kind, start, end in values
        if _HOUR.fullmatch(said[start:end])
        and (before := TOKEN.findall(said[:start]))
        and PREPOSITIONS.fullmatch(before[-1])
    ]


def replace_behind(said: str, value: str, tokens: Sequence[Token], told: Sequence[Token], *, sure: bool) -> str | None:
    """Return ``said`` with what stands in ``value`` behind the words that both have: "she works at …"."""
    best = (0, 0, 0)
    for one in range(len(told)):
        for other in range(len(tokens)):
            size = 0
            while (
                one + size < len(told) and other + size < len(tokens) and _means(told[one + size], tokens[other + size])
            ):
                size += 1
            if size > best[0]:
                best = (size, one, other)
    size, one, other = best
    carries = [token for token in told[one : one + size] if token.folded not in _NO_VALUES]
    copula = sure and size == 1 and COPULAS.fullmatch(told[one].text)
    if one != 0 or not (carries or copula) or one + size >= len(told) or other + size >= len(tokens):
        return None
    same = [strip_ending(told[one + n].folded) == strip_ending(tokens[other + n].folded) for n in range(size)]
    kept = same.index(False) if False in same else size
    # "Moved to …" said of "lives in …" is taken with its own verb: "lives to …" is said by nobody.
    rest = value[told[one + kept].start :]
    if len(told) - one - size > _LONGEST_VALUE or ADDS.search(rest) or _JOINS.match(rest):
        return None
    return _put_phrase(said, tokens, other + size, rest, begin=other + kept)


def _put_phrase(
    said: str, tokens: Sequence[Token], first: int, value: str, *, begin: int | None = None, to_the_end: bool = False
) -> str | None:
    """Return ``said`` with ``value`` in the place of the phrase that begins at a token, or of what leads to it."""
    last = first
    while last + 1 < len(tokens):
        between = said[tokens[last].end : tokens[last + 1].start]
        # A full stop behind a title ends no phrase: "Mr. Kovacs".
        leads = _is_preposition(tokens[last + 1]) and not _is_preposition(tokens[last])  # "bis zum" leads once
        if _PAUSE.search(between.replace(".", "")) or leads:
            break
        last += 1
    if last - first >= _LONGEST_PREDICATE or (to_the_end and last + 1 < len(tokens)):
        return None
    return _put(said, tokens[first if begin is None else begin].start, tokens[last].end, value)


def _put(said: str, start: int, end: int, value: str) -> str | None:
    """Return ``said`` with ``value`` between two places, ``None`` if that says the same, or is no mere value."""
    if _SENTENCE_END.search(value):
        return None
    behind, value = said[end:], _keep_month(said[start:end], value)
    new = f"{said[:start]}{value.rstrip('.') if behind.startswith('.') else value}{behind}"
    new = _capitalise(new) if start == 0 else new
    return new if fold(new) != fold(said) else None


def _capitalise(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


@lru_cache(maxsize=1024)
def split_tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a text, and where each of them stands."""
    words = ((match, fold(match[0])) for match in TOKEN.finditer(text))
    return tuple(Token(match[0], *match.span(), word, find_concept(word)) for match, word in words)


def _means(one: Token, other: Token) -> bool:
    return one.folded == other.folded or is_alike(one.concept, other.concept)


def _find_run(tokens: Sequence[Token], sought: Sequence[Token]) -> int | None:
    """Return where the words that are sought stand in a row, the last time, articles and titles before them left."""
    if not sought:
        return None
    for start in range(len(tokens) - len(sought), -1, -1):
        if all(map(_means, tokens[start : start + len(sought)], sought)):
            return start
    return next((place for place, one in enumerate(tokens) if len(sought) == 1 and _shortens(sought[0], one)), None)


def _shortens(one: Token, other: Token) -> bool:
    """Return whether a word is a short form of a day of the week: "tues"."""
    short = len(one.folded) >= _SHORTEST_DAY and other.folded.startswith(one.folded)
    return short and any(name.fullmatch(other.text) for name in _WEEKDAYS)


@lru_cache(maxsize=4096)  # of words, too
def _list_values(text: str) -> tuple[tuple[int, int, int], ...]:
    """Return the values of a text: kind, begin and end; what is a time of day is no number."""
    found: list[tuple[int, int, int]] = []
    for kind, pattern in enumerate(_VALUES):
        for match in pattern.finditer(text):
            if not any(start < match.end() and match.start() < end for _, start, end in found):
                found.append((kind, match.start(), match.end()))
    return tuple(found)


def holds_value(text: str) -> bool:
    """Return whether a text holds a time, a day or a number."""
    return bool(_list_values(text))


def holds_hour(text: str) -> bool:
    """Return whether a text holds a time of day, or a number that may be one: "starts at 8", "thursdays half 8"."""
    return any(
        kind == _CLOCK or (kind == _NUMBER and _may_be_hour(text, start, end))
        for kind, start, end in _list_values(text)
    )


def _may_be_hour(text: str, start: int, end: int) -> bool:
    near = text[max(0, start - _LONGEST_BEFORE) : start]
    before, behind = TOKEN.findall(near)[-2:], TOKEN.match(text[end : end + _LONGEST_BEFORE].lstrip(" "))
    of_day = behind is not None and fold(behind[0]) in _TIMES
    named = _HOUR.fullmatch(text[start:end]) or not any(map(str.isdigit, text[start:end]))
    led = any(map(PREPOSITIONS.fullmatch, before)) and not _ORDINAL_BEHIND.match(text, end)
    return bool(named) and led and not of_day


def cut_times(text: str) -> str:
    """Return a text without the times and days in it: what is left may hold how much, or how long.

    "Until 6" and "since March" stay.
    """
    for kind, start, end in sorted(_list_values(text), key=lambda value: -value[1]):
        time = kind in {_CLOCK, _DAY} and not _DOTTED.fullmatch(text[start:end])  # "18.50" may be a price
        day = kind == _NUMBER and _ORDINAL_BEHIND.match(text, end)
        if (time or day) and not _SPAN_BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start]):
            text = f"{text[:start]}{text[end:]}"
    return text


def keeps_told(later: str, earlier: str) -> bool:
    """Return whether a text says all that an earlier one of as many sentences does, spelt otherwise or in more detail.

    It holds no other time, day or number.
    """
    new, old = split_tokens(later), split_tokens(earlier)
    values, known = ({value for each in _name_values(text).values() for value in each} for text in (later, earlier))
    gone = [each for each in old if each.folded not in STOP_WORDS and not any(_means(each, one) for one in new)]
    return (
        values <= known
        and len(split_sentences(later)) == len(split_sentences(earlier))
        and not any(holds_value(each.text) for each in gone)
        and all(any(_is_slip(each.folded, one.folded) for one in new) for each in gone)
    )


def _is_slip(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other).ratio() >= _LEAST_SLIP


def tells_value_of_a_kind(later: str, earlier: str) -> bool:
    """Return whether both texts hold a time, a day or a number, and not the same."""
    new, old = _name_values(later), _name_values(earlier)
    return any(kind in old and not (values & old[kind]) for kind, values in new.items())


# Only whole names have endings: "чт" is Thursday, and "что" is none.
_WEEKDAYS: Final = tuple(
    compile_bounded(rf"(?<!\w){alternatives(names)}(?:(?<=\w{{4}})\w{{0,3}}|(?!\w))", re.IGNORECASE)
    for names in zip(*(each.schedule.weekdays for each in _LANGUAGES if each.schedule.weekdays), strict=True)
)


def names_another(text: str, asked: str) -> bool:
    """Return whether a text names other days of the week than a question, or things of other numbers: "box 2", "box 4".

    In whatever language; what neither or only one of them names tells nothing.
    """
    wanted = _list_numbered(asked)
    told = _list_numbered(text) if wanted else {}
    return any(thing in told and told[thing].isdisjoint(numbers) for thing, numbers in wanted.items())


@lru_cache(maxsize=1024)
def _list_numbered(text: str) -> dict[str, frozenset[str]]:
    """Return the days of the week that a text names, under "", and by the concept of a thing the numbers behind it."""
    found = {"": {str(day) for day, name in enumerate(_WEEKDAYS) if name.search(text)}}
    for thing, number in pairwise(split_tokens(text)):
        if number.text.isdecimal() and thing.folded not in STOP_WORDS and not thing.text.isdecimal():
            found.setdefault(thing.concept, set()).add(number.text)
    return {thing: frozenset(numbers) for thing, numbers in found.items() if numbers}


def tells_fewer(later: str, earlier: str) -> bool:
    """Return whether a text holds a number that may be a part of the one in an earlier text: "paid 15" of 40."""
    new, old = (
        [
            float(number[1].replace(",", "."))
            for kind, start, end in _list_values(text)
            if kind == _NUMBER and (number := _AMOUNT.fullmatch(text[start:end])) is not None
        ]
        for text in (later, earlier)
    )
    return bool(new and old) and min(new) < max(old)


@lru_cache(maxsize=1024)
def _name_values(text: str) -> dict[int, frozenset[str]]:
    """Return the values of a text by their kind, in small letters."""
    values = _list_values(text)
    return {
        kind: frozenset(fold(text[start:end]) for each, start, end in values if each == kind)
        for kind in {kind for kind, *_ in values}
    }


def _list_kinds(text: str) -> frozenset[int]:
    return frozenset(kind for kind, *_ in _list_values(text))
