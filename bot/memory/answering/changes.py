"""Finds what has ended or changed since it was told: "I sold the Volvo" behind "I have a red Volvo".

A model that read both messages tells it (``Recalled.changing``), or words that say so plainly.
What surely changed is told no more where nothing of it can be left, and else both are told, the change first, what was
before it as that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from bot.memory.answering.evidence import Aliases, Evidence, find_aliases
from bot.memory.answering.questions import FIRST_PERSON, AnswerKind, analyse, holds_kind
from bot.memory.answering.utterances import RecalledUtterance, list_statements, list_utterances
from bot.memory.concepts import PEOPLE, STOP_WORDS, find_concept
from bot.memory.helpfulness import ORDERED
from bot.memory.items import Channel, MemoryItem, Recalled, name_sentence
from bot.memory.learning.correction import find_contrasts
from bot.memory.learning.rewording import COPULAS, PREPOSITIONS, PRONOUNS, holds_value, tells_fewer
from bot.memory.learning.speech_acts import keep_own_words
from bot.memory.patterns import compile_bounded
from bot.memory.speakers import Reader
from language import alternatives, detect_languages, languages, negations
from language.sentences import split_sentences
from language.words import fold, split_words

_LANGUAGES: Final = languages()
_ARTICLES: Final = frozenset[str]().union(*(each.learning.articles for each in _LANGUAGES))
_NO_THINGS: Final = STOP_WORDS | _ARTICLES
"""Words that name nothing, those among them that mean something in another language."""
_REMEMBERED: Final = 4096
"""Texts of which it is known whether they tell a change: the same memories are found again and again."""
_CLAUSE: Final = re.compile(r"[,;:.!?()]{1,8}(?:\s|$)")
_SUBJECT: Final = 5
"""Words of a sentence among which it is looked for who does something."""
_SHORT: Final = 240
"""Characters of a message that is told as a whole."""
_LOOKED_AT: Final = 16
"""Memories among which it is looked for what changed what is shown."""
_SURELY, _LIKELY, _PERHAPS, MAY_CHANGE = 0.98, 0.8, 0.6, 0.3
"""Likelihood, by a model that read both, from which on a message surely, likely or perhaps changed another; from the
last on it may have, as well as not: both are told.  Only what likely did is said to have come before (docs/recall.md).
"""
_LEAST: Final = 1e-6
_BY_LIKENESS, _USUALLY_ALIKE = 6.0, 0.2
"""Log odds for what is more alike to what may have changed it, by the map, than most changes: what a model read knows
nothing of all the messages that are not about the same (docs/recall.md)."""
_LONGEST_NAME: Final = 3
_TIME_WORDS: Final = frozenset[str]().union(*(each.questions.time_words for each in _LANGUAGES))
_SENTENCE_WORDS: Final = PRONOUNS | _ARTICLES
_NEARLY: Final = 0.1
"""Below the surest of several changes the last of those that are about as likely is told."""


def _compile(sources: Sequence[str]) -> re.Pattern[str]:
    # Of small letters: five times as fast as looking for either case.
    return compile_bounded(rf"(?:(?<!\w)|(?=['’])){alternatives(sources)}(?!\w)")


_PAYS: Final = _compile(tuple(each.changes.pays for each in _LANGUAGES))
_ENDS: Final = _compile(tuple(words for each in _LANGUAGES for words in (each.changes.ends, each.changes.pays)))
_OWES: Final = _compile(tuple(each.changes.owes for each in _LANGUAGES))
_PAST: Final = {each.code: _compile((each.changes.past,)) for each in _LANGUAGES if each.changes.past}
"""By language: "was" asks for the past in English and for a thing in German."""
_SPEAKER: Final = _compile(tuple(each.changes.speaker for each in _LANGUAGES))
_IMPLIED: Final = compile_bounded(rf"\s*{alternatives(each.changes.implied for each in _LANGUAGES)}(?!\w)")
_NOW: Final = _compile(tuple(each.changes.now for each in _LANGUAGES))
_AND: Final = _compile(tuple(each.changes.joins for each in _LANGUAGES))


@dataclass(frozen=True, slots=True)
class Later:
    """What somebody said later of what they had told.

    ``rate`` says how likely it changed that, ``whole`` that nothing is left of it for the question, ``ends`` that its
    words say that it holds no more.
    """

    piece: Evidence
    rate: float
    whole: bool = False
    ends: bool = False

    @property
    def sure(self) -> bool:
        """Whether it surely changed it."""
        return self.rate >= _SURELY

    @property
    def likely(self) -> bool:
        """Whether it likely changed it: the earlier is told as what was before."""
        return self.rate >= _LIKELY

    @property
    def perhaps(self) -> bool:
        """Whether it perhaps changed it: where one thing alone can be told."""
        return self.rate >= _PERHAPS


def put_behind_news(
    pieces: Sequence[Evidence], changes: Mapping[int, Later]
) -> tuple[tuple[Evidence, ...], frozenset[int]]:
    """Return pieces without what surely changed, and what perhaps did behind what changed it: by their new places."""
    held = [(piece, changes.get(place)) for place, piece in enumerate(pieces)]
    told = [piece for piece, later in held if later is None or not later.likely]
    for piece, later in reversed(held):
        if later is not None and later.likely and not later.sure:
            keys = [each.source.memory.key for each in told]
            key = later.piece.source.memory.key
            told.insert(len(keys) - keys[::-1].index(key) if key in keys else 0, piece)
    over = [piece for piece, later in held if later is not None and later.likely]
    return tuple(told), frozenset(place for place, each in enumerate(told) if any(each is one for one in over))


def find_changes(
    asked: str, chosen: Sequence[Evidence], spoken: Sequence[RecalledUtterance], known: Aliases
) -> dict[int, Later]:
    """Return, by the place in ``chosen`` of what somebody told, the last thing of theirs that ended or changed it.

    Where nothing surely did, the last that may have.
    A question for what was before is answered by that, and one that names an end by what a model read as one alone: "is
    he back already?".
    """
    if not any(piece.source.role in _TOLD for piece in chosen) or asks_past(asked):
        return {}
    ours = [said for said in spoken if said.role == "user" and said.said_at]
    ends = [each for said in ours for each in _list_later(said) if tells_end(each.text) and not tells_end(asked)]
    compared = (said for said in ours if said.memory.changing and ORDERED not in said.memory.signals)
    read = [Evidence(said.text, said) for said in compared if any(True for _ in _list_later(said))]
    found: dict[int, Later] = {}
    for place, piece in enumerate(chosen if ends or read else ()):
        if piece.source.role not in _TOLD:
            continue
        rated = [
            (each, rate_change(each.source.memory.changing, piece.source.memory, piece.text) or 0.0)
            for each in read
            if _comes_after(each, piece) and not tells_same_of_another(each.text, piece.text)
        ]
        rated += [(each, 1.0) for each in ends if _comes_after(each, piece) and _ends(each.text, piece.text, known)]
        changed = [one for one in rated if one[1] >= MAY_CHANGE]
        if changed:
            surest = max(rate for _, rate in changed) - _NEARLY
            last, rate = max((one for one in changed if one[1] >= surest), key=lambda one: (one[0].age, one[1]))
            whole = rate >= _SURELY and not leaves_some(asked, last.text, piece.text)
            found[place] = Later(replace(last, text=_tell_whole(last)), rate, whole, tells_end(last.text))
    return found


@lru_cache(maxsize=_REMEMBERED)
def tells_same_of_another(later: str, earlier: str) -> bool:
    """Return whether two notes tell the same of two: "Hansen Wednesday 9", "Schmidt Wednesday 11" behind "visit".

    Their words follow alike: what they share, in the same place a name of one to three words, behind it other values.
    Behind "is" the name is the value.  A sentence with an article or "me" is no note: another verb may stand there;
    and what says that it holds now is said of the same.
    """
    if not _SENTENCE_WORDS.isdisjoint((*split_words(later), *split_words(earlier))) or _NOW.search(later):
        return False
    one, other = _mark_words(earlier, later), _mark_words(later, earlier)
    forms = [[form for form, _ in groupby(form for form, _ in each)] for each in (one, other)]
    told, names = ([[word for form, word in each if form == wanted] for each in (one, other)] for wanted in "vn")
    alike = (
        forms[0] == forms[1]
        and forms[0].count("n") == 1
        and "v" in forms[0][forms[0].index("n") :]
        and told[0] != told[1]
    )
    shares = "s" in forms[0] or not set(told[0]).isdisjoint(told[1])
    short = alike and shares and all(len(each) <= _LONGEST_NAME for each in names)
    return short and list_changing_words(later).isdisjoint(map(find_concept, names[1]))


def _mark_words(text: str, beside: str) -> list[tuple[str, str]]:
    """Return a text's telling words, each with "v" for a value, "s" where it is shared, "n" for a name or "is" one."""
    shared, marked, told = frozenset(map(find_concept, split_words(beside))), list[tuple[str, str]](), False
    for word in split_words(text):
        plain = word in _NO_THINGS or word in _TIME_WORDS or PREPOSITIONS.fullmatch(word) or COPULAS.fullmatch(word)
        form = "v" if holds_value(word) else "s" if find_concept(word) in shared else "is" if told else "n"
        if not plain:
            marked.append((form, word))
        told = COPULAS.fullmatch(word) is not None
    return marked


_TOLD: Final = ("user", "document")


def _comes_after(later: Evidence, earlier: Evidence) -> bool:
    """Return whether the same person said it later, or who asks did, after a document came."""
    filed = earlier.source.role == "document" and later.source.mine
    return later.follows(earlier) or (filed and later.age >= earlier.age)


def rate_change(changing: Mapping[str, float], earlier: Recalled, text: str) -> float | None:
    """Return how likely what ``changing`` is of changed what a ``text`` of a memory says, ``None`` where none was read.

    What was read for the question counts, else what was read of any of the text's sentences.
    """
    if not changing or earlier.key in changing:
        return changing.get(earlier.key)
    sentences = split_sentences(keep_own_words(earlier.text))
    numbers = [-1, *(number for number, each in enumerate(sentences) if each in text)]
    keys = (name_sentence(earlier.exchange, number) for number in numbers)
    return max((changing[key] for key in keys if key in changing), default=None)


def join_rates(asked: float, known: float | None, alike: float) -> float:
    """Return the likelihood, 0..1, that one of two messages changed the other.

    By what was read for a question, and before for none: the mean in log odds; more where they are more alike (0: not
    known).
    """
    rates = [min(max(each, _LEAST), 1 - _LEAST) for each in (asked, known) if each is not None]
    odds = sum(math.log(each / (1 - each)) for each in rates) / len(rates)
    return 1 / (1 + math.exp(-odds - (_BY_LIKENESS * (alike - _USUALLY_ALIKE) if alike else 0.0)))


def _ends(own: str, old: str, known: Aliases) -> bool:
    """Return whether words that say that something holds no more name what another sentence tells, and nothing else."""
    there = _widen(old, known)
    if own == old or (speaks_of_self(own) and not (speaks_of_self(old) or PEOPLE.isdisjoint(there))):
        return False
    named = _list_concepts(own) - list_changing_words(own)
    return not named.isdisjoint(there) and all(one in there or holds_value(one) for one in named)


def _widen(text: str, known: Aliases) -> frozenset[str]:
    concepts = _list_concepts(text)
    return concepts.union(*(known.get(each, ()) for each in concepts))


def find_payments(
    asked: str, debt: Evidence, spoken: Sequence[RecalledUtterance], known: Aliases
) -> tuple[Evidence, ...]:
    """Return what was paid back of a debt, oldest first; nothing where more was lent since, or a payment names more.

    Who owes pays: where the question is what I owe, what others paid is of another debt.  A payment that names nobody
    is one of the only debt.
    """
    if not names_debt(debt.text):
        return ()
    ours = sorted((said for said in spoken if said.whose == debt.source.whose and said.said_at), key=_get_moment)
    told = [each for said in ours for each in _list_later(said) if holds_value(each.text)]
    beside = [each.text != debt.text and fold(debt.text) in fold(each.text) for each in told]  # to have it understood
    told = [replace(each, text=each.source.text) if led else each for each, led in zip(told, beside, strict=True)]
    paying = [each for each in told if _PAYS.search(each.text.lower())]
    lent = [each for each in told if each not in paying and names_debt(each.text)]
    found = [each for each in paying if each.follows(debt)]
    more = [each for each in lent if each.follows(debt) and not _names_other_debtor(each.text, debt.text, known)]
    if more or not all(_names_no_more(each.text, debt.text, known) for each in found):
        return ()
    if any(speaks_of_self(each.text) is not speaks_of_self(asked) for each in found):
        return ()
    others = frozenset[str]().union(*(_list_concepts(each.text) for each in lent if each.text != debt.text))
    own = _list_concepts(debt.text) - others
    return (
        tuple(found) if len(lent) == 1 or not any(own.isdisjoint(_list_concepts(each.text)) for each in found) else ()
    )


def _names_no_more(later: str, earlier: str, known: Aliases) -> bool:
    """Return whether a sentence names nothing beside its change and values that the earlier one does not."""
    plain = says_when().sub(" ", later.lower())
    named = _list_concepts(plain) - list_changing_words(later) - _widen(earlier, known)
    values = {find_concept(word) for word in split_words(plain) if holds_value(word)}  # "десять" as "десят"
    return all(one in values or holds_value(one) for one in named)


def _names_other_debtor(text: str, debt: str, known: Aliases) -> bool:
    """Return whether two sentences tell what others owe, each somebody else: "my sister owes me 20"."""
    one, other = _find_debtor(text), _find_debtor(debt)
    return bool(one and other) and one != other and other not in known.get(one, ())


def _find_debtor(text: str) -> str:
    """Return whom a sentence names first as who owes, "" where that is its speaker, a pronoun or nobody."""
    first = next((word for word in split_words(text) if word not in _ARTICLES and word not in FIRST_PERSON), "")
    told = speaks_of_self(text) or first in PRONOUNS or names_debt(first) or tells_end(first) or holds_value(first)
    return "" if told or first in STOP_WORDS else find_concept(first)


@cache
def says_when() -> re.Pattern[str]:
    """Return the pattern of words, in small letters, that say when something was and nothing else: "already"."""
    calendars = [each.calendar for each in _LANGUAGES]
    return _compile(
        [each.exactly for each in calendars if each.exactly] + [each.vaguely for each in calendars if each.vaguely]
    )


@lru_cache(maxsize=_REMEMBERED)
def names_debt(text: str) -> bool:
    """Return whether a text speaks of what is owed or lent."""
    return _OWES.search(text.lower()) is not None


def mark_changed(
    asked: str,
    shown: Sequence[Recalled],
    items: Sequence[MemoryItem],
    found: Sequence[Recalled],
    reader: Reader,
    *,
    hidden: Iterable[str] = (),
) -> tuple[tuple[Recalled, ...], dict[str, bool]]:
    """Return ``shown`` with what was said later of it before it, and by key whether what is shown surely changed.

    ``items`` are shown, too; ``found`` is all that was found; what the exchanges ``hidden`` say stands elsewhere.
    """
    if not (shown or items):
        return (), {}
    noted = tuple(_recall(item) for item in items)
    beside = (*shown, *noted)
    spoken = list_utterances(tuple({each.key: each for each in (*beside, *found[:_LOOKED_AT])}.values()), reader)
    keys = {each.key for each in beside}
    chosen = [Evidence(text, said) for said in spoken if said.memory.key in keys for text in list_statements(said)]
    changes = find_changes(asked, chosen, spoken, find_aliases(spoken))
    changed = {chosen[place].source.memory.key: later.sure for place, later in changes.items()}
    news = {chosen[place].source.memory.key: later.piece for place, later in changes.items()}
    told: dict[str, Recalled] = {}
    elsewhere = {"", *hidden, *(each.exchange for each in noted)}
    for memory in (*(each for each in noted if each.key in news), *shown):
        later = news.get(memory.key)
        if later is not None and later.source.memory.exchange not in elsewhere:
            told.setdefault(later.source.memory.key, replace(later.source.memory, text=later.text))
        if memory in shown:
            told.setdefault(memory.key, memory)
    return tuple(told.values()), changed


def _recall(item: MemoryItem) -> Recalled:
    said = item.provenance
    return Recalled(
        f"item:{item.id}",
        item.content,
        Channel.ITEM,
        1.0,
        said.author_name,
        said.author_id,
        role="user",
        said_at=said.said_at,
        exchange=said.exchange,
    )


def leaves_some(asked: str, later: str, earlier: str) -> bool:
    """Return whether something of what was told may hold beside its change: "two goats, Pip and Nell", "Nell died".

    What tells one thing has changed as a whole, and of more than one thing that for which the question asks.
    """
    if tells_fewer(later, earlier):
        return True
    if not _tells_several(earlier):
        return False
    analysis = analyse(asked)
    told = _list_concepts(earlier).intersection(analysis.terms)
    if told and told <= _list_concepts(later) | list_changing_words(later):
        return False
    return analysis.kind in {AnswerKind.ANY, AnswerKind.YES_NO} or not holds_kind(analysis, later)


def _tells_several(text: str) -> bool:
    return _CLAUSE.search(text.rstrip(" .!?…")) is not None or _AND.search(text.lower()) is not None


def asks_past(asked: str) -> bool:
    """Return whether a question asks for what was, and may hold no more, in each language that it may be in."""
    past = [_PAST.get(each.code) for each in detect_languages(asked)]  # "was kriegt Milan" is German
    return all(each is not None and each.search(asked.lower()) is not None for each in past)


@lru_cache(maxsize=_REMEMBERED)
def tells_end(text: str) -> bool:
    """Return whether words say that something holds no more."""
    return _ENDS.search(text.lower()) is not None


@lru_cache(maxsize=_REMEMBERED)
def tells_anything(text: str) -> bool:
    """Return whether a text has any form that may change what was told: a value, a denial, a word of change."""
    return any(form(text) for form in (tells_end, find_contrasts, holds_value, negations().search))


@lru_cache(maxsize=_REMEMBERED)
def list_changing_words(text: str) -> frozenset[str]:
    """Return the concepts of the words of change; between "paid" and "back" stands what it is about."""
    phrases = [split_words(match[0]) for match in _ENDS.finditer(text.lower())]
    return frozenset(find_concept(word) for phrase in phrases for word in (*phrase[:1], *phrase[-1:]))


@lru_cache(maxsize=_REMEMBERED)
def _list_concepts(text: str) -> frozenset[str]:
    nothing = _NO_THINGS, detect_languages(text)[0].vocabulary.ambiguous_words
    return frozenset(find_concept(word) for word in split_words(text) if not any(word in words for words in nothing))


@lru_cache(maxsize=_REMEMBERED)
def speaks_of_self(text: str) -> bool:
    """Return whether a text tells what its speaker does."""
    return any(
        _IMPLIED.match(plain) is not None or _SPEAKER.search(" ".join(plain.split()[:_SUBJECT])) is not None
        for plain in map(fold, split_sentences(text))
    )


def _list_later(said: RecalledUtterance) -> Iterator[Evidence]:
    """Yield the sentences of somebody's words that may have changed something."""
    yield from (Evidence(text, said) for text in list_statements(said) if len(text) <= _SHORT)


def _tell_whole(piece: Evidence) -> str:
    """Return all of a short message, and the sentence of a long one."""
    text = " ".join(piece.source.text.split())
    return text if len(text) <= _SHORT else piece.text


def _get_moment(said: RecalledUtterance) -> float:
    return said.said_at.timestamp() if said.said_at else 0.0
