"""Answers questions for all that was told of somebody or something: "what do you know about my sister?".

What ranks first for such a question is what has its words; what is asked for is everything in which the subject is
meant: by its name in any case and script, by who they are ("my sister", where one is called so), by "she" in the
sentence behind.  The newest comes first, and what holds no more is left out.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from bot.memory.answering.changes import find_changes, leaves_some, put_behind_news
from bot.memory.answering.evidence import (
    PEOPLE_SPEAK,
    Evidence,
    drop_repeated,
    find_aliases,
    is_anothers,
    is_by,
    list_author_concepts,
)
from bot.memory.answering.phrasing import format_lines
from bot.memory.answering.questions import FIRST_PERSON, TOGETHER, analyse
from bot.memory.answering.utterances import list_statements, list_utterances
from bot.memory.concepts import (
    PEOPLE,
    STOP_WORDS,
    find_concept,
    is_alike,
    list_concepts,
    list_forms,
    mend_opening,
    widen_concept,
)
from bot.memory.helpfulness import HELPS, KNOWN, ORDERED
from bot.memory.items import Recalled
from bot.memory.learning.kinds import keep_until_read
from bot.memory.learning.rewording import PREPOSITIONS
from bot.memory.learning.speech_acts import strip_greeting
from bot.memory.names import NameKind, find_mentions, is_same_name, make_key
from bot.memory.overviews import OverviewKind, find_overview, names_time
from bot.memory.overviews import find_subject as find_topic
from bot.memory.patterns import bound_repetitions, compile_bounded
from bot.memory.speakers import Reader
from language import Language, alternatives, languages
from language.analyser import list_possessives, strip_ending, strip_possessive
from language.patterns import compile_at_use
from language.sentences import split_sentences
from language.spans import is_verb
from language.texts import AnswerPhrases
from language.words import split_words

ABOUT: Final = "about"
"""Name of the signal that a memory is about what a question wants to know all of."""
_WORD: Final = compile_at_use(r"[^\W_]+(?:[-'’.@/:][^\W_]+)*")
_LONGEST: Final = 120
_MOST_WORDS: Final = 5
"""Of a subject; what is longer is a question of another kind."""
_MOST: Final = 12
"""Sentences of a list that a person reads in a chat."""
_COMPARED: Final = 60
"""The newest sentences, of which it is looked whether they state anything and still hold."""
_SURE: Final = 0.95
_HELPS: Final = 0.9
_LANGUAGES: Final = languages()
_MINE: Final = frozenset[str]().union(*(each.learning.mine for each in _LANGUAGES))
_OWN: Final = FIRST_PERSON - TOGETHER
_ARTICLES: Final = frozenset[str]().union(*(each.learning.articles for each in _LANGUAGES))
_TITLES: Final = frozenset[str]().union(*(each.entities.titles for each in _LANGUAGES))
_COMMON: Final = frozenset[str]().union(*(each.vocabulary.common_words for each in _LANGUAGES))
_THEIRS: Final = compile_bounded(alternatives(each.changes.others for each in _LANGUAGES), re.IGNORECASE)
_OF: Final = frozenset[str]().union(*(each.entities.name_particles for each in _LANGUAGES))
_COURTESY: Final = compile_bounded(
    rf"(?:[,\s]+{alternatives(each.abilities.ending for each in _LANGUAGES)})+\Z", re.IGNORECASE
)
_BEFORE: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.about.before for each in _LANGUAGES)}\s+(?=\S)", re.IGNORECASE
)
_POLITE: Final = compile_bounded(
    rf"\A(?:{alternatives(each.abilities.polite for each in _LANGUAGES)}[,:\s]+)+(?=\S+\s+\S)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom or what a question is about, as it was written and by its words.

    ``names`` are keys as :func:`~bot.memory.names.make_key` gives them, ``terms`` concepts; of both one is enough,
    unless ``whole`` asks for all of them ("Anna's wedding", a list).  ``who`` asks who somebody is, ``changed`` what
    became of it; ``own`` says that it is the asker's ("my sister").
    """

    text: str
    names: frozenset[str]
    terms: frozenset[str]
    whole: bool = False
    who: bool = False
    changed: bool = False
    own: bool = False

    def list_words(self) -> tuple[str, ...]:
        """Return the words, in all their forms and languages, one of which stands where the subject is meant."""
        return tuple(dict.fromkeys(form for each in (*self.names, *self.terms) for form in (each, *list_forms(each))))


@keep_until_read
def find_subject(message: str) -> Subject | None:
    """Return whom or what a message wants to know all about, ``None`` if it asks anything else, or about its author."""
    asked, subject = _find_by_patterns(message)
    if asked:
        return subject
    overview = find_overview(message)
    if overview is None or overview.kind in {OverviewKind.ORDER, OverviewKind.DECISIONS}:
        return None
    subjects = (overview.subject, *_list_behind(message)) if len(message) <= _LONGEST else (overview.subject,)
    read = (_read(each, who=False, changed=overview.kind is OverviewKind.CHANGE) for each in subjects)
    return next(filter(None, read), None)


def _list_behind(message: str) -> Iterator[str]:
    """Yield what stands behind each word before a subject: "run me through what you have on {whom}"."""
    plain = _COURTESY.sub("", strip_greeting(" ".join(message.split())).strip(" ?!.…"))
    for found in _BEFORE.finditer(plain):
        yield find_topic(plain[found.end() :])


@lru_cache(maxsize=64)
def _find_by_patterns(message: str) -> tuple[bool, Subject | None]:
    """Return whether a message has the form of such a question, and its subject."""
    plain = strip_greeting(" ".join(message.split())).strip(" ?!.…")
    if len(plain) > _LONGEST:
        return False, None
    mended = _COURTESY.sub("", mend_opening(plain))
    for asked in dict.fromkeys((mended, _POLITE.sub("", mended))):
        for kind, pattern in itertools.chain.from_iterable(map(_compile, _LANGUAGES)):
            if (found := pattern.fullmatch(asked)) is not None:
                if kind == "who" and analyse(asked).gathering:
                    return False, None
                subject = _read(found["whom"], who=kind == "who", changed=kind == "changed")
                return True, replace(subject, whole=True) if subject and kind == "listed" else subject
    return False, None


def add_aliases(subject: Subject, said: Sequence[Recalled], reader: Reader) -> Subject:
    """Return a subject with the names of who is meant by "my sister" or "the nurse", and the other way round.

    Who has a name is meant by "my sister", too, where no other sister has one.
    """
    spoken = list_utterances(tuple(said), reader)
    known = find_aliases(spoken)
    called = {
        each
        for name, kins in known.items()
        if name not in PEOPLE and any(name == other or is_same_name(name, other) for other in subject.terms)
        for each in kins
        if len(known[each]) == 1
    }
    terms = subject.terms | called
    named = {name for each in terms for name in known.get(each, ())}
    named.update(name for each in spoken if each.mine for name in _list_names_beside(subject, each.text))
    return replace(subject, terms=terms | named) if named or called else subject


def _list_names_beside(subject: Subject, text: str) -> Iterator[str]:
    """Yield the names of people that stand right beside a word of the subject: "the nurse is called Blessing".

    Who stands beside a person by name is another one: "Ann, Ben and Cleo".
    """
    named = [
        {find_concept(strip_possessive(word)) for word in split_words(mention.shown)}
        for mention in find_mentions(text)
        if mention.kind is NameKind.PERSON or (mention.sure and mention.kind is NameKind.NAME)
    ]
    own = [names for names in named if not names.isdisjoint(subject.terms)]
    persons = frozenset[str]().union(*(own or named)) - subject.terms
    said = [word for word in split_words(text) if word not in STOP_WORDS and word not in _TITLES]
    concepts = [_find_thing(word) for word in said]
    for one, other in itertools.pairwise(word for word in concepts if word != "name"):
        if other in persons and one in subject.terms:
            yield other
        elif one in persons and other in subject.terms:
            yield one


def choose_about(subject: Subject, said: Sequence[Recalled], reader: Reader) -> tuple[Recalled, ...]:
    """Return the memories in which a subject is meant, the newest first, each with what it says of it alone.

    They are marked by :data:`ABOUT`.
    """
    told: dict[str, list[Evidence]] = {}
    for piece in _list_pieces(subject, said, reader):
        told.setdefault(piece.source.memory.key, []).append(piece)
    return tuple(
        replace(
            pieces[0].source.memory,
            text=" ".join(piece.text for piece in pieces),
            before="",
            signals=MappingProxyType({ABOUT: 1.0, KNOWN: _SURE, HELPS: _HELPS / (1 + place / 10)}),
        )
        for place, pieces in enumerate(told.values())
    )


def tell_about(
    subject: Subject, memories: Sequence[Recalled], reader: Reader, now: datetime, phrases: AnswerPhrases
) -> tuple[str, tuple[Recalled, ...]] | None:
    """Return the answer and the memories that it quotes, ``None`` where nothing is marked as about the subject."""
    about = tuple(memory for memory in memories if ABOUT in memory.signals and ORDERED not in memory.signals)
    if not about:
        return None
    shown = about[:_MOST]
    pieces = [Evidence(said.text, said) for said in list_utterances(shown, reader)]
    changes = find_changes("", pieces, list_utterances(tuple(memories), reader), {})
    keys = {memory.key for memory in shown}
    news = {key: one.piece for one in changes.values() if (key := one.piece.source.memory.key) not in keys}
    behind = {len(news) + n: one for n, one in changes.items() if not one.sure or one.piece in news.values()}
    told, over = put_behind_news((*news.values(), *pieces), behind)
    shown = (*(piece.source.memory for piece in news.values()), *shown)
    text = format_lines(told, now, phrases, replaced=[told[place] for place in over])
    if len(about) > _MOST:
        text = f"{text}\n{phrases.more_about.format(count=len(about) - _MOST, words=subject.text)}"
    return text, shown


def _list_pieces(subject: Subject, said: Sequence[Recalled], reader: Reader) -> tuple[Evidence, ...]:
    """Return the sentences in which a subject is meant and that still hold: those of whose it is, the newest first."""
    spoken = tuple(each for each in list_utterances(tuple(said), reader) if each.role in PEOPLE_SPEAK)
    told = (Evidence(text, each) for each in spoken for text in list_statements(each))
    rated = [(_count_meant(subject, piece), piece) for piece in told if not (subject.own and _is_of_others(piece))]
    least = max((count for count, _ in rated), default=0) if subject.whole else 1
    meant = drop_repeated(piece for count, piece in rated if count >= max(least, 1))
    newest = sorted(meant, key=lambda piece: -piece.age)
    pieces = [piece for place, piece in enumerate(newest) if place >= _COMPARED or not _wants_all(piece.text)]
    known = find_aliases(spoken)
    changes = find_changes("", pieces[:_COMPARED], spoken, known)
    held: list[Evidence] = []
    for place, piece in enumerate(pieces):
        if place not in changes or not changes[place].sure:
            held.append(piece)
            continue
        held.append(changes[place].piece)
        # Of "My sister lives in Porto. She is a goldsmith." the second may hold still, and of "…, a goldsmith" some.
        last = replace(piece, text=split_sentences(piece.text)[-1])
        left = last.text != piece.text and not find_changes("", (last,), spoken, known)
        if left or (last.text == piece.text and leaves_some("", held[-1].text, last.text)):
            held.append(last)
    named = frozenset(list_concepts(subject.text))

    def is_of_whom(piece: Evidence) -> bool:
        return piece.source.mine if subject.own else is_by(piece.source, named)

    return tuple(sorted(drop_repeated(held), key=lambda piece: (not is_of_whom(piece), -piece.age)))


def _is_of_others(piece: Evidence) -> bool:
    return is_anothers(piece) and TOGETHER.isdisjoint(split_words(piece.text))


def _wants_all(text: str) -> bool:
    """Return whether what looks like a statement asks for all of something: "catch me up on the kitchen"."""
    return not text.endswith((".", "!")) and find_subject(text) is not None


def _count_meant(subject: Subject, piece: Evidence) -> int:
    """Return how many of a subject's words a sentence has, in whatever form; "my" is a word for who says it."""
    said = split_words(piece.text)
    words = _WORD.findall(piece.text)
    written = words if len(words) == len(said) else said
    concepts = [_find_thing(word) for word in said]
    wanted = {term: frozenset(widen_concept(term)) for term in subject.terms}
    owner = frozenset() if FIRST_PERSON.isdisjoint(said) else list_author_concepts(piece.source)
    count = 0
    for term, meant in wanted.items():
        count += term in owner or any(
            (concept in meant and (concept not in PEOPLE or _is_near(said, written, place, subject)))
            or (concept not in PEOPLE and is_alike(concept, term))
            for place, concept in enumerate(concepts)
        )
    if count == 0 and subject.names:
        keys = {make_key(word) for word in said}
        count += any(is_same_name(key, name) for key in keys for name in subject.names)
    return count


def _is_near(said: Sequence[str], written: Sequence[str], place: int, subject: Subject) -> bool:
    """Return whether a relative is the speaker's own, or is asked for: "my sister", not "Tom's sister" nor "his"."""
    before = said[place - 1] if place else ""
    if before and _find_thing(before) in subject.terms:
        return True
    behind = said[place + 1] if place + 1 < len(said) else ""
    owner = bool(before) and written[place - 1][0].isupper() and before.endswith("s") and before not in STOP_WORDS
    names = [word[0].isupper() for word in written[place + 1 : place + 3]]
    owned = before not in _MINE and len(names) > 1 and all(names)  # "жена Игоря Лена"
    other = _THEIRS.fullmatch(before) or before.endswith(list_possessives()) or behind in _OF
    return not (other or owner or owned)


def _find_thing(word: str) -> str:
    """Return the concept of a word for somebody or something: a flat is a thing, to live somewhere is none."""
    concept = find_concept(word)
    return strip_ending(strip_possessive(word)) if concept == "live" else concept


@cache
def _compile(language: Language) -> tuple[tuple[str, re.Pattern[str]], ...]:
    words = language.about
    sources = (
        *(("who", words.who),),
        *(("changed", each) for each in words.changed),
        *(("listed", each) for each in words.lists),
        *(("", each) for each in words.asks),
    )
    whom = r"(?P<whom>\S.{0,60}?)"
    return tuple(
        (kind, compile_at_use(bound_repetitions(source).replace("{whom}", whom), re.IGNORECASE))
        for kind, source in sources
        if source
    )


def _read(whom: str, *, who: bool, changed: bool) -> Subject | None:
    """Return the subject that words name, ``None`` where they name none, or a time, or the asker."""
    said = split_words(whom)
    bare = [word for word in said if word not in _ARTICLES and word not in _MINE]
    telling = [word for word in bare if word not in STOP_WORDS]
    content = [word for word in telling if word not in _COMMON] or telling
    near = any(find_concept(strip_possessive(word)) in PEOPLE for word in content)
    if (
        not content
        or len(bare) > _MOST_WORDS
        or (names_time(whom) and not who)
        or (who and len(content) > 1 and is_verb(content[0]))  # "кто тренирует Демида" has no copula either
        or (
            who
            and (near or len(bare) < len(said) or any(PREPOSITIONS.fullmatch(word) for word in said if word not in _OF))
        )
    ):
        return None
    return Subject(
        " ".join(whom.split()),
        frozenset(make_key(word) for word in content if find_concept(word) not in PEOPLE),
        frozenset(map(_find_thing, content)),
        whole=any(word.endswith(list_possessives()) for word in said[:-1]),
        who=who,
        changed=changed,
        own=not _OWN.isdisjoint(said),
    )
