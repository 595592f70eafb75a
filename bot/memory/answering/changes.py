"""Finds what has ended or changed since it was told: "I sold the Volvo" behind "I have a red Volvo".

Nobody says that it corrects anything.  Words tell it, or a model that read both messages (``Recalled.changing``): what
surely changed is told no more where nothing of it can be left, and else both are told, the change first, what was
before it as that.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from typing import Final

from bot.memory.answering.evidence import (
    ACT_FOR_US,
    Aliases,
    Evidence,
    RecalledUtterance,
    find_aliases,
    is_read_as_beside,
    leans_back,
    list_statements,
    list_utterances,
)
from bot.memory.answering.questions import FIRST_PERSON, LIKED, SPEAKERS, AnswerKind, analyse, holds_kind
from bot.memory.concepts import PEOPLE, STOP_WORDS, find_concept, is_alike, is_last_part, list_borders, widen_concept
from bot.memory.helpfulness import BESIDE, MAY_ANSWER, ORDERED, get_answering
from bot.memory.items import Channel, MemoryItem, Recalled, name_sentence
from bot.memory.learning.correction import find_contrasts, strip_opening
from bot.memory.learning.rewording import (
    ADDS,
    PREPOSITIONS,
    PRONOUNS,
    holds_value,
    split_tokens,
    tells_another_value,
    tells_fewer,
    tells_value_of_a_kind,
)
from bot.memory.learning.speech_acts import keep_own_words
from bot.memory.learning.statements import FLOOR, find_facts, tells_floor_alone
from bot.memory.patterns import compile_bounded
from bot.memory.speakers import Reader
from language import alternatives, detect_languages, languages, negations
from language.sentences import split_sentences
from language.words import fold, split_words

_LANGUAGES: Final = languages()
_ARTICLES: Final = frozenset[str]().union(*(each.learning.articles for each in _LANGUAGES))
_NO_THINGS: Final = STOP_WORDS | _ARTICLES
"""Words that name nothing, those among them that mean something in another language."""
_OTHER_PEOPLE: Final = PEOPLE - ACT_FOR_US
_OF_MANY: Final = frozenset({LIKED, find_concept("name")})
"""Concepts that make no matter of two: who likes two things likes them both, and both may be called something."""
_POINTS: Final = SPEAKERS | PRONOUNS
"""Words with which somebody is said to do something to what was told: "the landlord raised it"."""
_UNIT: Final = compile_bounded(alternatives(unit for each in _LANGUAGES for unit in each.calendar.units))
"""Units of time, in which matters of all kinds are told."""
_REMEMBERED: Final = 4096
"""Texts of which it is known whether they tell a change: the same memories are found again and again."""
_LEAST_SHARED: Final = 2
"""Concepts that two sentences have in common where one alone may stand in sentences about two matters."""
_CLAUSE: Final = re.compile(r"[,;:.!?()]{1,8}(?:\s|$)")
_SUBJECT: Final = 5
"""Words of a sentence among which it is looked for who does something."""
_SHORT: Final = 240
"""Characters of a message that is told as a whole."""
_LOOKED_AT: Final = 16
"""Memories among which it is looked for what changed what is shown."""
_SOON_S: Final = 3600.0
"""Seconds within which somebody goes on about what they said before."""
_FEW: Final = 8
"""Messages of somebody's: where no more are found, whatever follows one may be about it."""
_RARE: Final = 2
"""Messages that speak of what two of them are about."""
_CLEARLY: Final = 0.85
"""Likelihood to answer from which on what was told later answers a question anew, whatever thing it names."""
_SURELY, _PERHAPS, _AS_WELL = 0.95, 0.6, 0.3
"""Likelihood, by a model that read both, from which on a message surely or perhaps changed another; from the last on it
may have, as well as not: both are told, and words say whether it surely did.  Below that it did not, whatever they say.
"""
_NEARLY: Final = 0.1
"""Below the surest of several changes the last of those that are about as likely is told."""
_MOST_BARE: Final = 2
"""Concepts of words that are about what was said before them, beside those that something begins."""


def _compile(sources: Sequence[str]) -> re.Pattern[str]:
    # Of small letters: five times as fast as looking for either case.
    return compile_bounded(rf"(?:(?<!\w)|(?=['’])){alternatives(sources)}(?!\w)")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A :class:`~language.changes.Change`, compiled."""

    ends: re.Pattern[str]
    of: re.Pattern[str] | None
    personal: bool
    own: bool
    pays: bool


_KINDS: Final = tuple(
    _Kind(
        _compile((change.ends,)),
        _compile((change.of,)) if change.of else None,
        change.personal,
        change.own,
        change.pays,
    )
    for each in _LANGUAGES
    for change in each.changes.kinds
)
_ANY: Final = _compile(tuple(change.ends for each in _LANGUAGES for change in each.changes.kinds))
_PAST: Final = {each.code: _compile((each.changes.past,)) for each in _LANGUAGES if each.changes.past}
"""By language: "was" asks for the past in English and for a thing in German."""
_SPEAKER: Final = _compile(tuple(each.changes.speaker for each in _LANGUAGES))
_IMPLIED: Final = compile_bounded(rf"\s*{alternatives(each.changes.implied for each in _LANGUAGES)}(?!\w)")
_ABSENT: Final = _compile(tuple(each.changes.absent for each in _LANGUAGES))
_OTHERS: Final = _compile(tuple(each.changes.others for each in _LANGUAGES))
_NOW: Final = _compile(
    tuple(rf"{each.changes.now}|(?:{each.changes.since}) {alternatives(each.calendar.months)}" for each in _LANGUAGES)
)
_INSTEAD: Final = _compile(tuple(each.changes.instead for each in _LANGUAGES))
_AND: Final = _compile(tuple(each.changes.joins for each in _LANGUAGES))


@dataclass(frozen=True, slots=True)
class Later:
    """What somebody said later of what they had told.

    ``sure`` says that it surely ended or changed it, ``whole`` that nothing is left of it for the question, ``begins``
    that something holds now that did not, ``ends`` that its words end such a thing, ``read`` that a model read it as a
    likely change, whoever doubts that these answer, ``beside`` that it may be one as well as not.
    """

    piece: Evidence
    sure: bool
    whole: bool = False
    begins: bool = False
    ends: bool = False
    read: bool = False
    beside: bool = False

    @property
    def likely(self) -> bool:
        """Whether it surely or, as a model read both, perhaps changed it: where one thing alone can be told."""
        return self.sure or self.read


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
    A question for what was before is answered by that, and one that names a change by what a model read as one alone:
    "is he back already?".
    """
    told = [piece for piece in chosen if piece.source.role == "user"]
    if not told or asks_past(asked):
        return {}
    oldest = min(piece.age for piece in told)
    ours = sorted((said for said in spoken if said.role == "user" and said.said_at), key=_get_moment)
    talk = _Talk(asked, ours, known)
    ages = {piece.age for piece in told}
    later = [
        each
        for said in (() if _tells_change(asked) else ours)
        if _get_moment(said) > oldest and (tells_anything(said.text) or talk.precede(said) in ages)
        for each in _list_later(said)
    ]
    compared = (said for said in ours if said.memory.changing and ORDERED not in said.memory.signals)
    read = [Evidence(said.text, said) for said in compared if any(True for _ in _list_later(said))]
    found: dict[int, Later] = {}
    for place, piece in enumerate(chosen if later or read else ()):
        if piece.source.role != "user":
            continue
        of_others = partial(talk.tells_of_others, earlier=piece)
        since = [each for each in later if each.follows(piece) and each.text != piece.text and not of_others(each)]
        since = [each for each in since if _rate_change(each, piece, 1.0) >= _AS_WELL]
        ended = [each for each in since if talk.changes(each, piece)]
        anew = [each for each in since if talk.tells_anew(each, piece) or (each in ended and _may_end(each, piece))]
        rated = [each for each in read if each.follows(piece) and not of_others(each)]
        rated = [each for each in rated if _rate_change(each, piece, 0.0) >= _find_least(each, piece, known)]
        surely, likely = (
            [each for each in rated if _rate_change(each, piece, 0.0) >= one] for one in (_SURELY, _PERHAPS)
        )
        sure = [*anew, *surely]
        changed = sure or ended or [*likely, *(each for each in since if talk.may_change(each, piece))] or rated
        if changed:
            surest = max(_rate_change(each, piece, 1.0) for each in changed) - _NEARLY
            last = max(
                (each for each in changed if _rate_change(each, piece, 1.0) >= surest), key=lambda each: each.age
            )
            whole = last in surely or (last in ended and last in anew and _rate_change(last, piece, 1.0) >= _SURELY)
            whole = whole and not leaves_some(asked, last.text, piece.text)
            begins = _rate(last, 1.0) >= BESIDE and _may_begin(last.source.text)
            news, ends = replace(last, text=_tell_whole(last)), talk.ends(last, piece)
            by_reading = _rate_change(last, piece, 0.0) >= _PERHAPS, last in rated and last not in likely
            found[place] = Later(news, bool(sure), whole, begins, ends, *by_reading)
    return found


def _find_least(later: Evidence, earlier: Evidence, known: Aliases) -> float:
    """Return how likely a change must be read: surely where its words say that it is of another, or adds something."""
    doubtful = _is_about_another(later.text, earlier.text, known) or ADDS.search(later.source.text) is not None
    return _SURELY if doubtful else _AS_WELL


def _rate_change(later: Evidence, earlier: Evidence, unread: float) -> float:
    """Return how likely a message changed what a piece says, ``unread`` where no model read both.

    What was read for the question counts, else what was read of any of the piece's sentences.
    """
    changing, memory = later.source.memory.changing, earlier.source.memory
    if not changing or memory.key in changing:
        return changing.get(memory.key, unread)
    sentences = split_sentences(keep_own_words(earlier.source.text))
    numbers = [number for number, each in enumerate(sentences) if each in earlier.text] if len(sentences) > 1 else [-1]
    keys = (name_sentence(memory.exchange, number) for number in numbers)
    return max((changing[key] for key in keys if key in changing), default=unread)


def _may_begin(text: str) -> bool:
    return (_tells_news(text) or _tells_instead(text)) and ADDS.search(text) is None


def _may_end(later: Evidence, earlier: Evidence) -> bool:
    """Return whether a sentence that ends what an answer says is about the question as well, as far as it is read."""
    return _rate(later, 1.0) >= BESIDE or _rate(earlier, 0.0) < MAY_ANSWER


def _rate(piece: Evidence, unread: float) -> float:
    rate = get_answering(piece.source.memory)
    return unread if rate is None else rate


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
    paying = [each for each in told if any(kind.pays for kind in _list_ends(each.text))]
    lent = [each for each in told if each not in paying and names_debt(each.text)]
    talk, found = _Talk(asked, ours, known), [each for each in paying if each.follows(debt)]
    more = [each for each in lent if each.follows(debt) and not _names_other_debtor(each.text, debt.text, known)]
    if more or not all(talk.names_no_more(each.text, debt.text) for each in found):
        return ()
    if any(speaks_of_self(each.text) is not speaks_of_self(asked) for each in found):
        return ()
    return tuple(found) if len(lent) == 1 or all(talk.changes(each, debt) for each in found) else ()


def _names_other_debtor(text: str, debt: str, known: Aliases) -> bool:
    """Return whether two sentences tell what others owe, each somebody else: "my sister owes me 20"."""
    one, other = _find_debtor(text), _find_debtor(debt)
    return bool(one and other) and one != other and other not in known.get(one, ())


def _find_debtor(text: str) -> str:
    """Return whom a sentence names first as who owes, "" where that is its speaker, a pronoun or nobody."""
    first = next((word for word in split_words(text) if word not in _ARTICLES and word not in FIRST_PERSON), "")
    told = speaks_of_self(text) or first in PRONOUNS or names_debt(first) or _tells_change(first) or holds_value(first)
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
    return any(kind.of.search(text.lower()) for kind in _KINDS if kind.pays and kind.of is not None)


def keep_asked_part(asked: str, piece: Evidence) -> Evidence:
    """Return a piece's last sentence alone if a question names of it what those before, who tell of whom, do not."""
    *before, last = split_sentences(piece.text)
    named = _list_concepts(asked) & _list_concepts(last)
    return replace(piece, text=last) if named - _list_concepts(" ".join(before)) else piece


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
    if tells_fewer(later, earlier) and not (_tells_news(later) or _tells_instead(later)):
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


def goes_on(later: Evidence, earlier: Evidence, known: Aliases) -> bool:
    """Return whether somebody may have said more of a matter later: nothing says that it is another, or one more."""
    if not later.follows(earlier) or _is_absent(later.text) or ADDS.search(later.source.text):
        return False
    return not _is_about_another(later.text, earlier.text, known)


def asks_past(asked: str) -> bool:
    """Return whether a question asks for what was, and may hold no more, in each language that it may be in."""
    past = [_PAST.get(each.code) for each in detect_languages(asked)]  # "was kriegt Milan" is German
    return all(each is not None and each.search(asked.lower()) is not None for each in past)


@lru_cache(maxsize=_REMEMBERED)
def _tells_change(text: str) -> bool:
    return _ANY.search(text.lower()) is not None


@lru_cache(maxsize=_REMEMBERED)
def _tells_news(text: str) -> bool:
    return _NOW.search(text.lower()) is not None


@lru_cache(maxsize=_REMEMBERED)
def _tells_instead(text: str) -> bool:
    return _INSTEAD.search(text.lower()) is not None


def _list_clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause.strip()]


@lru_cache(maxsize=_REMEMBERED)
def _begins_value(text: str) -> bool:
    """Return whether a clause says that a time, a day or a number holds from some time on: "from May it is 21"."""
    return any(holds_value(clause) and (_tells_news(clause) or _tells_change(clause)) for clause in _list_clauses(text))


@lru_cache(maxsize=_REMEMBERED)
def names_none(text: str) -> bool:
    """Return whether words have no subject of their own, so that they are about what was said before: "at 8:40".

    Who names many things tells of them, and so does who says what they like.
    """
    named = _list_concepts(text) - list_changing_words(text)
    if len([one for one in named if not holds_value(one)]) > _MOST_BARE or LIKED in named:
        return False
    return FIRST_PERSON.isdisjoint(split_words(text)) and not find_facts(text)


@lru_cache(maxsize=_REMEMBERED)
def _is_absent(text: str) -> bool:
    return _ABSENT.search(text.lower()) is not None


def _list_later(said: RecalledUtterance) -> Iterator[Evidence]:
    """Yield the sentences of somebody's words that may have changed something."""
    if not _is_absent(said.text):
        yield from (Evidence(text, said) for text in list_statements(said) if len(text) <= _SHORT)


def _tell_whole(piece: Evidence) -> str:
    """Return all of a short message, and the sentence of a long one."""
    text = " ".join(piece.source.text.split())
    return text if len(text) <= _SHORT else piece.text


def _get_moment(said: RecalledUtterance) -> float:
    return said.said_at.timestamp() if said.said_at else 0.0


class _Talk:
    """What was found of somebody's words for a question, to compare them two by two."""

    def __init__(self, asked: str, ours: Sequence[RecalledUtterance], known: Aliases) -> None:
        self._known = known
        self._indexes: dict[str, dict[str, list[str]]] = {}
        self._matters: dict[str, list[tuple[str, tuple[str, str]]]] = {}
        self._shared: dict[tuple[str, str], frozenset[str]] = {}
        self._asked = _list_concepts(asked)
        self._texts = {_get_moment(said): said.text for said in ours}
        self._few = len(self._texts) <= _FEW
        self._before = {then: moment for moment, then in itertools.pairwise(self._texts)}

    @cached_property
    def _common(self) -> Counter[str]:
        """How many messages speak of a concept."""
        return Counter(concept for text in self._texts.values() for concept in _list_concepts(text))

    def precede(self, said: RecalledUtterance) -> float:
        """Return when the same person said what came right before it, 0 where that is too long ago."""
        moment = _get_moment(said)
        before = self._before.get(moment, 0.0)
        return before if moment - before <= _SOON_S else 0.0

    def changes(self, later: Evidence, earlier: Evidence) -> bool:
        """Return whether a sentence ends what another one says, or tells it again with another value."""
        if tells_another_value(later.text, earlier.text):
            return True
        # Another value of what is asked for answers as well; who names nothing may not, read alone.
        answers = names_none(later.source.text) or not is_read_as_beside(later, MAY_ANSWER)
        answers = answers or is_read_as_beside(earlier, MAY_ANSWER)  # nothing was read of either
        if answers and self._renews(later.text, earlier.text):
            return True
        if self._sets_value(later, earlier):
            return True
        if _denies(later.text, earlier.text) or _takes_back(later.text, earlier.text):
            return not _is_about_another(later.text, earlier.text, self._known)
        return self.ends(later, earlier)

    def ends(self, later: Evidence, earlier: Evidence) -> bool:
        """Return whether a sentence says by its words that something of a kind has ended that another one tells."""
        said = later.source.text.lower()  # what stands before it, to be understood, has been told in its place
        kinds = tuple(kind for kind in _list_ends(later.text) if kind.ends.search(said))
        if not (kinds and self._is_about(later, earlier)):
            return False
        if _is_about_another(later.text, earlier.text, self._known):
            kinds = tuple(kind for kind in kinds if kind.personal)  # these ask who it happened to
        old, shared = earlier.text.lower(), self._list_shared(later.text, earlier.text)
        return any(
            (kind.of is None or kind.of.search(old)) and self._fits(kind, later.text, earlier.text, shared)
            for kind in kinds
        )

    def tells_anew(self, later: Evidence, earlier: Evidence) -> bool:
        """Return whether a message puts right what was said right before, or answers the question anew.

        It does so where a model that read both takes both for answers, and the later one tells a change, or of the same
        thing a value of the same kind.
        """
        own, old = later.source.text, earlier.text
        if ADDS.search(own) or _is_about_another(own, old, self._known):
            return False
        _, surely, perhaps = strip_opening(own)
        rate, right = _rate(later, 0.0), surely or perhaps
        if (surely or (perhaps and rate >= MAY_ANSWER)) and self.precede(later.source) == earlier.age:
            return True
        if min(rate, _rate(earlier, 0.0)) < MAY_ANSWER:
            return False
        changes = right or _tells_any_change(own)
        if changes and rate >= _CLEARLY:
            return True
        common = (_list_concepts(own) & _list_concepts(old)) - PEOPLE
        about = any(not holds_value(one) for one in common)
        return about and (changes or tells_value_of_a_kind(own, old))

    def _is_about(self, later: Evidence, earlier: Evidence) -> bool:
        """Return whether a message is about another one by its own words, and not by what stands before it alone.

        Who speaks of themselves may name nothing; what stands before it, to have it understood, may be the other one.
        """
        own, old = later.source.text, earlier.text
        if self._list_shared(own, old) or (speaks_of_self(own) and speaks_of_self(old)):
            return True
        return self.precede(later.source) == earlier.age or fold(old) in fold(later.text)

    def _sets_value(self, later: Evidence, earlier: Evidence) -> bool:
        """Return whether a message right behind another says that its value is another now, and names nothing else.

        "The doctor bumped me up to 100" behind "my pills are 50 mg".
        """
        own, old = later.source.text, earlier.text
        if self.precede(later.source) != earlier.age or ADDS.search(own) or not tells_value_of_a_kind(own, old):
            return False
        if not any(holds_value(clause) and _tells_news(clause) for clause in _list_clauses(own)):
            return False
        if _is_about_another(own, old, self._known):
            return False
        named = _list_concepts(own) - list_changing_words(own) - PEOPLE - self._widen(old)
        beside, said = [one for one in named if not holds_value(one)], split_words(own)
        first = next((find_concept(word) for word in said if word not in _ARTICLES), "")
        return not beside or (beside == [first] and not _POINTS.isdisjoint(said))

    def _renews(self, later: str, earlier: str) -> bool:
        """Return whether it is said that another time, day, number, name or place of the same thing holds now."""
        if not _tells_news(later) or ADDS.search(later) or _is_about_another(later, earlier, self._known):
            return False
        if _tells_alike(later, earlier):
            return True
        shared = self._list_shared(later, earlier)
        several = len(shared) >= _LEAST_SHARED
        return (several or tells_value_of_a_kind(later, earlier)) and not self._are_people(shared)

    def may_change(self, later: Evidence, earlier: Evidence) -> bool:
        """Return whether a sentence may be about what another one says, and tell something else of it.

        It says that something begins, and it is about the same thing or was said right after; or it was said right
        after and takes its place, tells a value of the same kind, or there is little else.
        """
        if _is_about_another(later.text, earlier.text, self._known):
            return False
        shared = self._list_shared(later.text, earlier.text)
        about = not self._are_people(shared)
        if self.precede(later.source) == earlier.age:
            whole = later.source.text
            if _tells_instead(whole) and (about or not self._is_told_elsewhere(whole, earlier.text)):
                return True
            valued = tells_value_of_a_kind(whole, earlier.text)
            named = self._asked.intersection(_list_concepts(whole)) - PEOPLE - _OF_MANY  # what is asked for
            begins = named or (valued and _begins_value(whole))
            bare = names_none(whole) or (self._few and begins and not ADDS.search(whole))
            bare = bare and not self._is_told_elsewhere(whole, earlier.text)
            if not (about or bare or leans_back(whole, earlier.text)):
                return False
            return self._few or _tells_news(whole) or valued
        another_value, several = tells_value_of_a_kind(later.text, earlier.text), len(shared) >= _LEAST_SHARED
        if _tells_news(later.text):
            return about or (bool(shared) and another_value)
        return about and several and (another_value or _tells_change(later.text))

    def _is_told_elsewhere(self, later: str, earlier: str) -> bool:
        """Return whether other words than the earlier ones speak of what a sentence names."""
        named = _list_concepts(later) - list_changing_words(later) - _list_concepts(earlier)
        return any(self._common[one] > 1 for one in named)

    def _list_shared(self, later: str, earlier: str) -> frozenset[str]:
        """Return what both sentences are about, by any name: what is asked about, or hardly anything else speaks of."""
        found = self._shared.get((later, earlier))
        if found is None:
            there = self._index(earlier)
            found = self._shared[later, earlier] = frozenset(
                one
                for one, borders in self._list_matters(later)
                if any(_is_part(one, other) for border in borders for other in there.get(border, ()))
            )
        return found

    def _list_matters(self, text: str) -> list[tuple[str, tuple[str, str]]]:
        """Return the concepts of a sentence that another one may be about as well, and their borders."""
        found = self._matters.get(text)
        if found is None:
            found = self._matters[text] = [
                (one, list_borders(one))
                for one in self._widen(text) - list_changing_words(text) - _OF_MANY
                if (one in self._asked or (self._common[one] <= _RARE and not holds_value(one)))
                and not _UNIT.fullmatch(one)
            ]
        return found

    def _index(self, text: str) -> Mapping[str, list[str]]:
        """Return by their borders the concepts of a sentence that are none of its change."""
        found = self._indexes.get(text)
        if found is None:
            found = self._indexes[text] = {}
            for one in self._widen(text) - list_changing_words(text):
                for border in list_borders(one):
                    found.setdefault(border, []).append(one)
        return found

    def _fits(self, kind: _Kind, later: str, earlier: str, shared: frozenset[str]) -> bool:
        speaks = [speaks_of_self(text) for text in (later, earlier)]
        if kind.own and all(speaks):
            return not tells_floor_alone(later) or FLOOR in _list_concepts(earlier)
        if kind.personal and not all(speaks):
            # "I lent Josh my tent" is ended by what Josh did with the tent.
            named = _find_subject(later) in self._widen(earlier) and (not speaks[0] or _is_of_both(later, earlier))
            enough = len(shared) >= _LEAST_SHARED or (shared and self.names_no_more(later, earlier))
            if not named or (kind.of is not None and any(speaks) and not enough):
                return False
        # What ends anything at all must name the thing: two sentences about one person are not yet about one matter.
        return bool(shared) if kind.of is not None or kind.personal else not self._are_people(shared)

    def tells_of_others(self, later: Evidence, earlier: Evidence) -> bool:
        """Return whether a sentence names people of whom the earlier one tells, but not who is asked about and told of.

        "Carla has moved" behind "Carla lives in Tulsa, Rob in Duluth" says nothing of where Rob lives.
        """
        there = self._widen(earlier.text) & (PEOPLE | self._known.keys())
        meant = frozenset[str]().union(*map(widen_concept, self._asked))
        named, asked = there & self._widen(later.text), there & meant
        return bool(named and asked) and named.isdisjoint(asked)

    def names_no_more(self, later: str, earlier: str) -> bool:
        """Return whether a sentence names nothing beside its change and values that the earlier one does not."""
        plain = says_when().sub(" ", later.lower())
        named = _list_concepts(plain) - list_changing_words(later) - self._widen(earlier)
        values = {find_concept(word) for word in split_words(plain) if holds_value(word)}  # "десять" as "десят"
        return all(one in values or holds_value(one) for one in named)

    def _are_people(self, shared: frozenset[str]) -> bool:
        """Return whether concepts name nothing but people, by what they are or by name."""
        return shared <= PEOPLE | self._known.keys()

    def _widen(self, text: str) -> frozenset[str]:
        concepts = _list_concepts(text)
        if self._known.keys().isdisjoint(concepts):
            return concepts
        return frozenset(name for each in concepts for name in (each, *self._known.get(each, ())))


@lru_cache(maxsize=_REMEMBERED)
def tells_anything(text: str) -> bool:
    """Return whether a text has any form that may change what was told: a value, a denial, a word of change."""
    return _tells_any_change(text) or any(form(text) for form in (holds_value, negations().search))


def _tells_any_change(text: str) -> bool:
    return any(form(text) for form in (_tells_change, _tells_news, _tells_instead, find_contrasts))


@lru_cache(maxsize=_REMEMBERED)
def _list_ends(text: str) -> tuple[_Kind, ...]:
    """Return the kinds of change that a sentence tells."""
    plain = text.lower()
    return tuple(kind for kind in _KINDS if kind.ends.search(plain)) if _tells_change(text) else ()


@lru_cache(maxsize=_REMEMBERED)
def list_changing_words(text: str) -> frozenset[str]:
    """Return the concepts of the words of change, "now" too; between "paid" and "back" stands what it is about."""
    patterns = (_NOW, *(kind.ends for kind in _list_ends(text)))
    phrases = [split_words(match[0]) for pattern in patterns for match in pattern.finditer(text.lower())]
    return frozenset(find_concept(word) for phrase in phrases for word in (*phrase[:1], *phrase[-1:]))


@lru_cache(maxsize=_REMEMBERED)
def _list_concepts(text: str) -> frozenset[str]:
    nothing = _NO_THINGS, detect_languages(text)[0].vocabulary.ambiguous_words
    return frozenset(find_concept(word) for word in split_words(text) if not any(word in words for words in nothing))


def _tells_alike(later: str, earlier: str) -> bool:
    """Return whether two sentences tell names, or places, of what both are about: "is called …", "is under …"."""
    common = _list_concepts(later) & _list_concepts(earlier)
    (new, where), (old, there) = (_find_rest(text, common) for text in (later, earlier))
    if not (new and old) or where != there:
        return False
    return bool(common - PEOPLE) if where else all(map(_is_name, old)) and _is_name(new[0])


def _find_rest(text: str, common: frozenset[str]) -> tuple[list[str], bool]:
    """Return what a sentence says that is not in common, and whether a preposition leads to it.

    Nothing if it begins with another thing than what is in common: "my cat Tom" may be told of as "Tom".
    """
    rest: list[str] = []
    changing, led = list_changing_words(text), False
    left, tokens = changing | common, split_tokens(text)
    things = [n for n, one in enumerate(tokens) if one.folded not in _NO_THINGS and one.concept not in changing][:2]
    about = [n for n in things if tokens[n].concept in common and (n == things[0] or _is_name(tokens[n].text))]
    for token in tokens[about[0] :] if about else ():
        leads = PREPOSITIONS.fullmatch(token.text) is not None
        if rest or not (leads or token.folded in _NO_THINGS or token.concept in left or not token.text.isalnum()):
            rest.append(token.text)
        else:
            led = leads or (led and token.folded in _NO_THINGS)
    return rest, led


def _is_name(word: str) -> bool:
    return word[:1].isupper()


def _denies(later: str, earlier: str) -> bool:
    """Return whether a sentence names what another one says as what is not, and what is: "not to Lisbon, to Porto"."""
    return any(named <= _list_concepts(earlier) for named in _list_wrong(later))


@lru_cache(maxsize=_REMEMBERED)
def _list_wrong(text: str) -> tuple[frozenset[str], ...]:
    """Return the names and values of each thing that a sentence says to be another."""
    plain = text.islower()  # who writes all in small letters shows no names
    found = [
        frozenset(
            each.concept
            for each in split_tokens(wrong)
            if each.folded not in _NO_THINGS and (plain or _is_value(each.text))
        )
        for wrong, _ in find_contrasts(text)
    ]
    return tuple(filter(None, found))


def _is_value(word: str) -> bool:
    """Return whether a word is a name, or a code."""
    return _is_name(word) or any(map(str.isdigit, word))


def _takes_back(later: str, earlier: str) -> bool:
    """Return whether a clause denies what a sentence says and names nothing else: "mum can't come on Saturday"."""
    there = _list_concepts(earlier)
    return any(named <= there for named in _list_denied(later)) and not negations().search(earlier)


@lru_cache(maxsize=_REMEMBERED)
def _list_denied(text: str) -> tuple[frozenset[str], ...]:
    """Return what each clause names that denies anything, but for those that name hardly anything."""
    denied = (_list_concepts(clause) for clause in _CLAUSE.split(text) if negations().search(clause))
    return tuple(named for named in denied if len(named) >= _LEAST_SHARED)


@lru_cache(maxsize=_REMEMBERED)
def speaks_of_self(text: str) -> bool:
    """Return whether a text tells what its speaker does."""
    return any(
        _IMPLIED.match(plain) is not None or _SPEAKER.search(" ".join(plain.split()[:_SUBJECT])) is not None
        for plain in map(fold, split_sentences(text))
    )


def _is_about_another(later: str, earlier: str, known: Aliases) -> bool:
    """Return whether a sentence begins with somebody whom the earlier one does not name: "my neighbour sold his"."""
    people, theirs = _find_others(later)
    if not (people or theirs):
        return False
    there = _list_concepts(earlier)
    if people - there.union(*(known.get(each, ()) for each in there)):
        return True
    return theirs and PEOPLE.isdisjoint(there)


@lru_cache(maxsize=_REMEMBERED)
def _find_others(text: str) -> tuple[frozenset[str], bool]:
    """Return the people that a sentence begins with, and whether it tells of others alone; none if of its speaker."""
    begins = next((clause for clause in _list_clauses(text) if _list_concepts(clause)), text)
    people = _OTHER_PEOPLE.intersection(map(find_concept, split_words(begins)[:_SUBJECT]))
    theirs = _OTHERS.search(begins.lower()) is not None
    if not (people or theirs) or speaks_of_self(text) or (not theirs and _tells_us(text)):
        return frozenset(), False
    return people, theirs and FIRST_PERSON.isdisjoint(split_words(text))


def _tells_us(text: str) -> bool:
    """Return whether somebody changed a value for the speaker: "the doctor bumped me up to 100"."""
    return _begins_value(text) and not SPEAKERS.isdisjoint(split_words(text)) and not _OTHERS.search(text.lower())


def _is_of_both(later: str, earlier: str) -> bool:
    """Return whether a sentence begins with somebody beside its speaker, of whom the other tells as of theirs."""
    begins = next(iter(split_words(later)), "")
    return begins not in _NO_THINGS and not FIRST_PERSON.isdisjoint(split_words(earlier))


def _find_subject(text: str) -> str:
    return next((find_concept(word) for word in split_words(text) if word not in _NO_THINGS), "")


def _is_part(one: str, other: str) -> bool:
    """Return whether two words begin alike, or one is the last part of the other."""
    return is_alike(one, other) or is_last_part(one, other)
