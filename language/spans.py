"""Finds what a sentence is about: dates, codes, names, quotations, noun phrases.

Patterns first (a date is not a number), then runs of capitalised words, then what is left between function words, the
idea of RAKE (Rose et al. 2010).  Every character belongs to at most one span.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from language import alternatives, languages, stop_words
from language.analyser import strip_possessive
from language.patterns import compile_at_use
from language.vocabulary import RELATIVES
from language.words import CAPITALS, SMALL_LETTERS

_LANGUAGES = languages()
_ENTITIES = tuple(each.entities for each in _LANGUAGES)
_CALENDARS = tuple(each.calendar for each in _LANGUAGES)
_MONTH = alternatives(month for each in _CALENDARS for month in each.months)
_DAY_ENDING = alternatives(each.day_ending for each in _CALENDARS)
_OF = alternatives(each.of for each in _CALENDARS)
_YEAR_WORD = alternatives(each.year_word for each in _CALENDARS)
_CURRENCY = alternatives(each.currency for each in _ENTITIES)
_PATTERNS = (
    ("url", compile_at_use(r"https?://[^\s<>\"»)]+|\bwww\.[^\s<>\"»)]+", re.IGNORECASE)),
    ("email", compile_at_use(r"\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{0,128}\w")),
    (
        "date",
        compile_at_use(
            rf"\b(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}{_DAY_ENDING}?(?: {_OF})? "
            rf"{_MONTH}\.?(?:,? \d{{4}}(?: {_YEAR_WORD})?)?|{_MONTH}\.? \d{{1,2}}{_DAY_ENDING}?(?:,? \d{{4}})?\b|"
            rf"{_MONTH} (?:{_OF} )?\d{{4}}(?: {_YEAR_WORD})?|(?:19|20)\d{{2}} {_YEAR_WORD})(?!\w)",
            re.IGNORECASE,
        ),
    ),
    (
        "number",
        compile_at_use(
            rf"(?:[$€£₽]\s?\d[\d., ]{{0,30}}\d|[$€£₽]\s?\d|\b\d[\d., ]{{0,30}}\s?(?:{_CURRENCY}|€|₽|\$|%))(?!\w)",
            re.IGNORECASE,
        ),
    ),
    ("phone", compile_at_use(r"\+?\d[\d\s()-]{8,30}\d")),
    (
        "time",
        compile_at_use(r"\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[ap]m)?\b|\b\d{1,2}\s?[ap]m\b", re.IGNORECASE),
    ),
    (
        "code",
        compile_at_use(
            r"\b(?=[\w./#-]{0,64}\d)(?=[\w./#-]{0,64}[^\W\d_])[\w]{1,64}(?:[-./#][\w]{1,64}){0,16}+\b|"
            r"\b\d{2,32}(?:-\d{1,32}){1,16}+\b|#\w+"
        ),
    ),
    ("quote", compile_at_use(r"[«“\"]([^«»“”\"\n]{3,60})[»”\"]")),
    ("number", compile_at_use(r"\b\d{2,}(?:[.,]\d+)?\b")),
)
_NUMBERED = frozenset({"date", "number", "phone", "time"})
"""Kinds that have a digit in every form."""
_WORD = compile_at_use(r"[^\W\d_](?:[^\W_]|['’])*(?:[-+#.&/](?:[^\W_]|[+#])+)*[+#]*")
_GAP = compile_at_use(r"^\s+$")
_CAMEL = compile_at_use(rf"^[{CAPITALS}]{{2,}}|[{SMALL_LETTERS}][{CAPITALS}]|[A-Za-z][+#]|\d")
_NAMES_NOTHING = stop_words().union(
    *(each.vocabulary.asking_words | each.vocabulary.common_words for each in _LANGUAGES),
    *(each.persons.first_person for each in _LANGUAGES),
)
_BEFORE_PERSON = frozenset(
    form for each in _LANGUAGES for concept in RELATIVES for form in each.synonyms.concepts.get(concept, "").split()
).union(*(each.titles for each in _ENTITIES))
_PLACE_PREPOSITIONS = frozenset[str]().union(*(each.place_prepositions for each in _ENTITIES))
_PLACE_VERBS = frozenset[str]().union(*(each.place_verbs for each in _ENTITIES))
_BEFORE_ORGANISATION = frozenset[str]().union(*(each.organisation_before for each in _ENTITIES))
_PARTICLES = frozenset[str]().union(*(each.name_particles for each in _ENTITIES))
_ORGANISATION = compile_at_use(rf"\b{alternatives(each.organisation_part for each in _ENTITIES)}\b", re.IGNORECASE)
_VERBS = tuple(
    (
        compile_at_use(f"[{each.letters}]" if each.letters else ""),
        compile_at_use(alternatives([each.entities.verb])),
        compile_at_use(alternatives([each.entities.verb_like])),
    )
    for each in sorted(_LANGUAGES, key=lambda each: not each.letters)
    if each.entities.verb
)
"""Each language's letters, its verbs by their ending and the nouns that end so; last one without letters of its own."""
PHRASE_WORDS, NAME_WORDS, SHORTEST = 3, 5, 4


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a sentence: where it stands, how it is written and what kind of thing it is."""

    start: int
    end: int
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    text: str
    folded: str

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def marked(self) -> bool:
        return bool(_CAMEL.search(self.text)) and len(self.text) > 1


def spans(sentence: str) -> list[Span]:
    """Return what a sentence is about, in order."""
    taken: list[Span] = []
    free = bytearray(b"\1" * len(sentence))
    counts = any(map(str.isdecimal, sentence))
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(sentence) if counts or kind not in _NUMBERED else ():
            name = (match[1] if kind == "quote" else match[0]).strip(" .,;:()")
            if name and free.find(0, *match.span()) < 0:
                free[match.start() : match.end()] = bytes(match.end() - match.start())
                taken.append(Span(match.start(), match.end(), name, kind))
    for run in _runs(sentence, free):
        taken.extend(_named(sentence, run))
    return sorted(taken, key=lambda span: span.start)


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """Return a word in lower case, composed, every letter and apostrophe written one way: as it is compared."""
    return unicodedata.normalize("NFKC", word).lower().replace("ё", "е").replace("’", "'")


def is_stop(word: str) -> bool:
    """Return whether a folded word names nothing."""
    return word.casefold() in _NAMES_NOTHING


def is_verb(word: str) -> bool:
    """Return whether a folded word looks like a verb or an adverb by its ending."""
    for letters, verb, noun in _VERBS:
        if letters.search(word):
            return verb.search(word) is not None and noun.search(word) is None
    return False


def _runs(sentence: str, free: bytearray) -> Iterator[list[_Token]]:
    """Yield runs of words that stand side by side where the sentence is free: apart from spans found already."""
    run: list[_Token] = []
    for match in _WORD.finditer(sentence):
        start, end = match.span()
        if free.find(0, start, end) >= 0:
            continue
        token = _Token(start, end, match[0].rstrip("."), fold(match[0].rstrip(".")))
        if run and not _GAP.match(sentence[run[-1].end : start]):
            yield run
            run = []
        run.append(token)
    if run:
        yield run


def _named(sentence: str, run: list[_Token]) -> Iterator[Span]:
    place = 0
    while place < len(run):
        length = _name_length(sentence, run[place : place + NAME_WORDS + 1])
        if length:
            part = run[place : place + length]
            yield _span(sentence, part, _proper_kind(run, place, part))
            place += length
            continue
        length = 0
        while place + length < len(run) and length < PHRASE_WORDS:
            if _looks_like_verb(run[place + length]) or len(run[place + length].text) == 1:
                break
            length += 1
            if place + length < len(run) and _name_length(sentence, run[place + length :][: NAME_WORDS + 1]):
                break
        if length and (length > 1 or len(run[place].text) >= SHORTEST):
            part = run[place : place + length]
            yield Span(part[0].start, part[-1].end, " ".join(token.folded for token in part), "concept")
        place += max(length, 1)


def _name_length(sentence: str, run: list[_Token]) -> int:
    """Return how many words at the head of a run form a proper name, 0 if none."""
    length = 0
    for token in run[:NAME_WORDS]:
        if (token.capital and not (is_stop(token.folded) and (length == 0 or not token.marked))) or (
            length and token.text in _PARTICLES and length + 1 < len(run) and run[length + 1].capital
        ):
            length += 1
        else:
            break
    first = run[0]
    opens = not sentence[: first.start].strip(" \"«“'([*_-#>")
    if length == 1 and opens and not first.marked and (len(run) == 1 or _looks_like_verb(first)):
        return 0 if _looks_like_verb(first) or len(sentence.split()) > 1 else 1
    return length if length > 1 or (length == 1 and len(first.text) > 1) else 0


def _looks_like_verb(token: _Token) -> bool:
    return is_stop(token.folded) or is_verb(token.folded)


def _proper_kind(run: list[_Token], place: int, part: list[_Token]) -> str:
    before = [token.folded for token in run[max(0, place - 3) : place]]
    name = " ".join(token.text for token in part)
    if _ORGANISATION.search(name):
        return "organization"
    if before and before[-1] in _BEFORE_PERSON:
        return "person"
    if before and before[-1] in _PLACE_PREPOSITIONS and any(word in _PLACE_VERBS for word in before):
        return "location"
    if before and before[-1] in _BEFORE_ORGANISATION:
        return "organization"
    if part[0].marked:
        return "artifact"
    return "name"


def _span(sentence: str, part: list[_Token], kind: str) -> Span:
    start, end = part[0].start, part[-1].start + len(part[-1].text)
    return Span(start, end, strip_possessive(sentence[start:end]), kind)
