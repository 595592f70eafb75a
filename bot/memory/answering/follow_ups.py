"""Names in a question whom or what it only refers to, from what was said just before: "and how old is he?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.memory.answering.questions import (
    ASKER,
    BEFORE_PLACES,
    IMPLIED,
    AnswerKind,
    analyse,
    list_named,
    list_references,
    name_thing,
    split_questions,
)
from bot.memory.answering.reckoning import asks_sum, strip_paying, tells_amounts
from bot.memory.answering.recollection import turn_to_time
from bot.memory.answering.subjects import find_subject
from bot.memory.concepts import PEOPLE, STOP_WORDS, find_concept
from bot.memory.learning.kinds import find_asking_word, keep_until_read, measure_telling, tell_kinds
from bot.memory.learning.rewording import holds_value
from bot.memory.learning.speech_acts import (
    SpeechAct,
    classify_speech,
    is_question,
    is_trivial,
    list_own_sentences,
    says_goodbye,
    strip_opening,
)
from bot.memory.patterns import compile_bounded, compile_words
from language import alternatives, detect_languages, languages
from language.analyser import strip_possessive
from language.patterns import compile_at_use
from language.vocabulary import MEN, PETS, WOMEN
from language.words import CAPITAL, fold, split_words

LOOKED_BACK: Final = 6
"""Exchanges in which somebody is looked for; a thing is one of the last."""
_MOST_WORDS: Final = 14
_MOST_OPEN: Final = 2
"""Concepts of a question that may leave out of what it asks."""
_READ_WITH: Final = 3
"""Exchanges whose words a question is read with."""
_MOST_OF_THING: Final = 3
_MOST_NAMED: Final = 4
"""Words of "and my sister?"."""
_TOLD_LITTLE: Final = 0.2
"""Likelihood that a message tells something below which it needs no mark to ask: "а сам концерт"."""
_TURNS: Final = compile_bounded(
    rf"{alternatives(each.questions.turns_to for each in languages())}\s+(?P<named>\w[^?!.,;:\n]*?)(?:\s+too)?\s*\?*",
    re.IGNORECASE,
)
_EARLIER: Final = compile_bounded(
    rf"\s*{alternatives(each.questions.earlier for each in languages())}\s*[?!.]*\s*", re.IGNORECASE
)
_ANEW: Final = compile_bounded(
    rf"\s*{alternatives(each.questions.anew for each in languages())}\s*[?!.]*\s*", re.IGNORECASE
)
_POINTS: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.questions.points for each in languages())}(?!\w)", re.IGNORECASE
)
_JOINS: Final = frozenset[str]().union(*(each.questions.joins for each in languages()))
_SUMS: Final = compile_words(lambda each: each.questions.sums)
_MOST_OF_MORE: Final = 5
"""Words of a question that leaves out what it adds up."""
_MOST_TERMS: Final = 4
_HE: Final = frozenset[str]().union(*(each.questions.he for each in languages()))
_SHE: Final = frozenset[str]().union(*(each.questions.she for each in languages()))
_THEIRS: Final = frozenset[str]().union(*(each.questions.theirs for each in languages()))
_WORD: Final = compile_at_use(r"[^\W_]+(?:[-'’][^\W_]+)*")
_LEADING: Final = frozenset[str]().union(*(each.learning.articles | each.learning.mine for each in languages()))
"""Words before a thing that go with it."""
_OWNING: Final = frozenset[str]().union(*(each.questions.first_person for each in languages()))


@keep_until_read
def goes_on(message: str) -> bool:
    """Return whether a message is one question that may mean what was said before it."""
    if len(list_own_sentences(message)) != 1 or len(message.split()) > _MOST_WORDS:
        return False
    if asks_earlier(message) or _ANEW.fullmatch(message) or asks_more(message):
        return True
    return _find_turn(message) is not None or bool(_list_open(message))


def asks_earlier(message: str) -> bool:
    """Return whether a message asks for nothing but what was so before what was just answered: "and before that?"."""
    return _EARLIER.fullmatch(message) is not None


def strip_formerly(asked: str) -> str:
    """Return what :func:`resolve_follow_up` made of "and before that?" as what was asked: that finds both."""
    endings = (f" {each.questions.formerly}?" for each in languages() if each.questions.formerly)
    return next((asked.removesuffix(each) for each in endings if asked.endswith(each)), asked)


def resolve_follow_up(message: str, before: Sequence[tuple[str, str]]) -> str:
    """Return what a message that :func:`goes_on` means by itself; as it is where nothing said before it fits.

    ``before`` are what its author said and what was answered, oldest first.  "And my sister?" asks of her what was
    asked last; a question that only refers to somebody is told who, or what, that is.
    """
    meant: list[tuple[str, str]] = []
    for said, answered in before[-LOOKED_BACK:]:
        meant.append((_resolve(said, meant), answered))
    return _resolve(message, meant)


@dataclass(frozen=True, slots=True)
class Topic:
    """A question with the words of what it may go on about, and what told of that: an answer where it was ``asked``."""

    reading: str
    told: str
    asked: bool


def list_topics(message: str, before: Sequence[tuple[str, str]]) -> tuple[Topic, ...]:
    """Return what a short question that names nobody may go on about, the last thing first; empty for any other.

    Whether it does only what is found for it tells.  ``before`` as for :func:`resolve_follow_up`.
    """
    whole = len(list_own_sentences(message)) != 1 or len(message.split()) > _MOST_WORDS or asks_sum(message)
    whole = whole or bool(analyse(message).entities) or len(list_named(message)) > _MOST_OPEN
    whole = whole or analyse(message).name or find_subject(message) is not None
    if whole or not _asks(message) or (asks_earlier(message) and before and _asks(before[-1][0])):
        return ()
    topics, near = list[Topic](), ""
    for said, answered in before[-LOOKED_BACK:]:
        about, asks = _list_terms(said), _asks(said)
        further = asks and leaves_out(said) and len(said.split()) <= _MOST_WORDS and near not in about
        near = f"{near} {about}".strip() if further else about
        if words := strip_paying(near):
            topics.append(Topic(f"{message.rstrip('?!. ')} {words}?", answered if asks else said, asks))
    return tuple(topics[: -_READ_WITH - 1 : -1])


def leaves_out(message: str) -> bool:
    """Return whether a question leaves out of what it asks, by its form: "when was that", "and how long"."""
    first = next(iter(split_words(message)), "")
    goes = first in _JOINS or strip_opening(message) != message or bool(list_references(message))
    return goes or _POINTS.search(message) is not None or not list_named(message)


def _resolve(message: str, before: list[tuple[str, str]]) -> str:
    if not before or not goes_on(message):
        return message
    last = before[-1][0]
    if (asks_earlier(message) and _asks(last)) or _ANEW.fullmatch(message):
        asked = next((said for said, _ in reversed(before) if _asks(said)), message)
        formerly = f"{asked.rstrip('?!. ')} {detect_languages(asked)[0].questions.formerly}?"
        return formerly if asks_earlier(message) else asked
    if asks_more(message) and (about := _list_counted(before) or _list_terms(last)):
        return f"{message.rstrip('?!. ')} {about}?"
    if (named := _find_turn(message)) is not None:
        turned = turn_to_time(named, last) or _turn_to(named, last, before[-1][1])
        return message if turned is None else f"{turned.rstrip('?!. ')}?"
    referring = _list_open(message)
    of_person = not referring.isdisjoint(_HE | _SHE)
    for said, answered in reversed(before if of_person else before[-1:]):
        who = _find_person(said, answered, referring) if of_person else _find_thing(said)
        if who is not None:
            return _put_in(message, who, referring)
    return message


def _asks(said: str) -> bool:
    return classify_speech(said) is SpeechAct.QUESTION or find_asking_word(said) is not None


def _put_in(message: str, who: str, referring: frozenset[str]) -> str:
    """Return a question with somebody in the place of "he"; behind it where that may say whose something is."""
    for match in _WORD.finditer(message):
        if fold(match[0]) in referring - _THEIRS:
            return f"{message[: match.start()]}{who}{message[match.end() :]}"
    return f"{message.rstrip('?!. ')} {who}?"


def _find_turn(message: str) -> str | None:
    """Return whom or what a message names and nothing more: "my sister" of "and my sister?".

    "And mine?" names whose it is.
    """
    words = (named := find_named(message)).split()
    if not 0 < len(words) <= _MOST_NAMED:
        return None
    marked = message.rstrip().endswith("?")
    if is_question(named) or (not marked and named[0].isdigit()):  # "and 12 for lunch"
        return None
    if _list_people(f"{words[0]} {named}") or fold(named) in _OWNING:
        return named
    if turn_to_time(named, "") is not None:
        return named
    first, last = fold(words[0]), fold(words[-1])
    short = len(words) == 1 or first in _LEADING or marked
    short = short or (bool(tell_kinds(message)) and measure_telling(message) < _TOLD_LITTLE)
    thing = short and len(words) <= _MOST_OF_THING and last not in STOP_WORDS and not is_trivial(named)
    return named if thing and not says_goodbye(named) else None


def find_named(message: str) -> str:
    """Return what stands behind "and" or "what about" where a message says no more, "" for any other."""
    turned = _TURNS.fullmatch(message.strip(" ."))
    return turned["named"] if turned is not None else ""


def asks_more(message: str) -> bool:
    """Return whether a message asks what all comes to, and leaves out of what: "altogether?"."""
    short = len(split_words(message)) <= _MOST_OF_MORE
    return short and _SUMS.search(message) is not None and not _list_terms(_SUMS.sub(" ", message))


def _list_counted(before: Sequence[tuple[str, str]]) -> str:
    """Return what the last messages in a row that told amounts are about, one by one; "" where none did."""
    told = [said for said, _ in before[-LOOKED_BACK:] if not _asks(said)]
    rows = [list(row) for tells, row in groupby(told, tells_amounts) if tells]
    return ", ".join(filter(None, map(_list_terms, rows[-1]))) if rows else ""


def _list_terms(said: str) -> str:
    """Return the words of what was said last that tell what it is about."""
    terms = {term for term, weight in analyse(said).terms.items() if weight > IMPLIED}
    words = (word[0] for word in _WORD.finditer(said) if fold(word[0]) not in STOP_WORDS)
    about = (word for word in words if not holds_value(word))  # another answer may have another one
    return " ".join(
        list(dict.fromkeys(word for word in about if find_concept(strip_possessive(fold(word))) in terms))[:_MOST_TERMS]
    )


def _list_open(message: str) -> frozenset[str]:
    """Return the words of a question that refer to somebody whom it does not name."""
    questions = split_questions(message)
    if len(questions) != 1 or (asked := analyse(questions[0].text)).entities:
        return frozenset()
    text = questions[0].text
    addressed = {fold(word) for word in _WORD.findall(text)[1:] if word[0].isupper()}  # German "Sie" is who is asked
    referring = list_references(text) - addressed
    # "it" may refer to nothing, the more so the more the question says itself
    return frozenset() if referring.isdisjoint(_HE | _SHE) and len(asked.terms) > 1 else referring


def _find_thing(said: str) -> str | None:
    return None if list_references(said) or _list_people(said) else name_thing(said)


def _find_person(said: str, answered: str, referring: frozenset[str]) -> str | None:
    """Return whom one exchange was about, with the name that it gives a relative: "my brother Tom"."""
    people = [each for each in _list_people(said) if _may_be(each, said, referring)]
    if not people:
        return None
    near = [each for each in people if not PEOPLE.isdisjoint(_list_concepts(each))]
    who = near[-1] if near else people[0]
    last = re.escape(who.split()[-1])
    named = re.search(rf"(?<!\w)(?i:{last})[ ]+(?P<name>{CAPITAL}[\w'’-]+)", f"{said}\n{answered}") if near else None
    return f"{who} {named['name']}" if named is not None else who


def _may_be(who: str, said: str, referring: frozenset[str]) -> bool:
    """Return whether "he" or "she" may be what is named: no sister is "he", and no "5mg", nor what others live in."""
    if any(map(str.isdigit, who)):
        return False
    concepts = _list_concepts(who)
    if (concepts & MEN and referring.isdisjoint(_HE)) or (concepts & WOMEN and referring.isdisjoint(_SHE)):
        return False
    before = split_words(said[: said.find(who)])[-1:]
    return not concepts.isdisjoint(PEOPLE) or BEFORE_PLACES.isdisjoint(before)


def _turn_to(named: str, last: str, answered: str) -> str | None:
    """Return the last question asked of somebody or something else, ``None`` where it asked of neither.

    Where the answer names it, what stands in that as well as in the question is whom that asked of: "what can't ron
    eat", "Ron has no dairy, Jake no meat", "and jake?".
    """
    if len(questions := split_questions(last)) != 1:
        return None
    asked, first = questions[0].text, named.split(maxsplit=1)[0]
    person = bool(_list_people(f"{first} {named}"))
    counted = analyse(asked).kind is AnswerKind.NUMBER
    thing = _find_in(asked, counted=counted)
    told = frozenset(split_words(answered)) - STOP_WORDS
    both = [one[0] for one in _WORD.finditer(asked) if fold(one[0]) in told] if fold(first) in told else []
    if people := [each for each in _list_people(asked) if not (counted and each == thing)]:
        of = people[-1] if person or fold(named) in _OWNING else None
    else:
        # "how many doves do I have" / "and the neighbour": what is counted has no article
        other = person or (counted and fold(first) in _LEADING)
        of = next((one[0] for one in _WORD.finditer(asked) if other and fold(one[0]) in ASKER), None)
        of = of or (both[0] if both else None if person else thing)
    if of is None:
        return None
    before, _, behind = asked.rpartition(of)
    # what stands before both stands there once: "at Tom's", "at Vera's"
    *rest, ending = before.split() or [""]
    before = " ".join(rest) if ending.casefold() == first.casefold() else before.rstrip()
    return f"{before} {named}{behind}".lstrip()


def _find_in(asked: str, *, counted: bool) -> str | None:
    """Return the thing that a question is about as it stands there, with "the" or "my" before it.

    What is ``counted`` stands first: "how much sugar goes in".
    """
    thing = name_thing(asked, first=counted)
    found = None if thing is None else next((one for one in _WORD.finditer(asked) if fold(one[0]) == thing), None)
    if found is None:
        return None
    before = list(_WORD.finditer(asked[: found.start()]))[-_MOST_OF_THING:]
    led = next((one.start() for one in before if fold(one[0]) in _LEADING), found.start())
    return asked[led : found.end()]


def _list_people(text: str) -> list[str]:
    """Return the words of a text that name somebody, with "my" before them; an animal only where there is nobody."""
    entities = analyse(text).entities
    found: list[str] = []
    start = end = 0
    before = ""
    for match in _WORD.finditer(text):
        folded = fold(match[0])
        concepts = {find_concept(folded), find_concept(strip_possessive(folded))}
        if concepts & (PEOPLE | entities) and not folded.isdecimal():
            joins = bool(found) and text.endswith(found[-1], 0, end) and text[end : match.start()] == " "
            if before in _OWNING:
                found.append(text[start : match.end()])
            elif joins and not concepts & PETS:
                found[-1] += text[end : match.end()]
            else:
                found.append(match[0])
        before, start, end = folded, match.start(), match.end()
    return [each for each in found if not _list_concepts(each) & PETS] or found


def _list_concepts(named: str) -> set[str]:
    return {find_concept(strip_possessive(fold(word))) for word in named.split()}
