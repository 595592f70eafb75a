"""Says who said what in memories, and which of their sentences state something.

A question is no statement, neither is what somebody only supposes or quotes.  A sentence that needs the one before it
("she moved there", "and a bit of Dutch") brings it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from bot.memory.concepts import (
    PEOPLE,
    STOP_WORDS,
    find_concept,
    list_concepts,
)
from bot.memory.document import parse_document
from bot.memory.items import Channel, Recalled
from bot.memory.learning import correction
from bot.memory.learning.rewording import ADDS, PRONOUNS
from bot.memory.learning.speech_acts import (
    OF_SPEAKER,
    SpeechAct,
    classify_speech,
    find_listed,
    keep_own_words,
    tells_again,
    wants_reminder,
)
from bot.memory.learning.statements import find_facts, has_known_form
from bot.memory.patterns import compile_bounded
from bot.memory.sanitise import clean
from bot.memory.speakers import Reader, Speaker, Who, find_namesakes, is_namesake
from language import alternatives, languages
from language.sentences import split_sentences
from language.words import fold, split_words

_PATTERNS: Final = tuple(each.answers for each in languages())
_ALONE: Final = compile_bounded(alternatives(each.alone for each in _PATTERNS), re.IGNORECASE)
_UNNAMED: Final = compile_bounded(alternatives(each.unnamed for each in _PATTERNS), re.IGNORECASE)
_SEVERAL: Final = compile_bounded(alternatives(each.several for each in _PATTERNS), re.IGNORECASE)
REFERS: Final = frozenset[str]().union(*(each.questions.refers for each in languages()))
_DEMONSTRATIVE: Final = compile_bounded(
    alternatives(
        rf"(?:{each.questions.demonstratives})\s+(?:{each.questions.before_subject})\b"
        for each in languages()
        if each.questions.demonstratives
    ),
    re.IGNORECASE,
)
_NAMED: Final = 2
"""Words of a sentence that say what it is about, so that "it" behind them stands for that."""
_MORE: Final = compile_bounded(
    rf"(?:{alternatives(each.speech.openers for each in languages())}\b[,\s]*){{0,2}}"
    rf"{alternatives(word for each in languages() for word in (*each.lists.follows, *each.questions.joins))}\b[,\s]*",
    re.IGNORECASE,
)
_LONGEST_ADDED: Final = 80
"""Characters of a message that only names more."""
_MOST_ADDED: Final = 9
_MOST_BARE: Final = 5
"""Words that name more where they begin with "and", and where they say so later."""
_TOLD: Final = 3
"""Words behind "no, …" that say what is put right."""
_COMMON: Final = frozenset[str]().union(*(each.vocabulary.common_words for each in languages()))
_NO_NAMES: Final = frozenset[str]().union(*(each.no_names for each in _PATTERNS))


@dataclass(frozen=True)
class RecalledUtterance:
    """The words of one speaker in one memory.

    ``role`` is "user", "assistant", "forwarded" (``author`` wrote it, a user passed it on), "document" or "found"
    (nobody known).
    """

    text: str
    memory: Recalled
    author: str
    role: str
    mine: bool
    said_at: datetime | None
    speaker: Speaker
    namesakes: bool = False
    """Whether somebody else here has the speaker's name."""

    @cached_property
    def whose(self) -> tuple[Who, int, str]:
        """Who said it, to compare: the id, and the name only where there is none."""
        return self.speaker.who, self.speaker.id, "" if self.speaker.id else self.speaker.name


def list_utterances(memories: tuple[Recalled, ...], reader: Reader) -> tuple[RecalledUtterance, ...]:
    """Return who said what in ``memories``, in their order."""
    namesakes = find_namesakes(reader, memories)
    said = (memory for memory in memories if memory.place is None)  # a document's words are nobody's
    return tuple(part for memory in said for part in _split_by_speaker(memory, reader, namesakes))


def list_statements(said: RecalledUtterance, hints: tuple[Trace, ...] = ()) -> Iterator[str]:
    """Yield the sentences that state something and match all ``hints`` (in small letters, "ё" as "е").

    Of what a person said, requests to be reminded count too.  A sentence that speaks of "her" and named nobody yet, or
    begins with "no, on", brings the one before; what stands under a head ("Pancakes: …") is one with it.
    """
    if not _matches(f"{said.memory.before} {said.text}" if said.memory.before else said.text, hints):
        return
    if (listed := find_listed(said.text)) is not None:
        yield listed
        return
    own = split_sentences(keep_own_words(said.text))
    told = split_sentences(keep_own_words(said.memory.before)) if said.role == "user" and said.memory.before else ()
    before = " ".join(told)
    for sentence in own:
        leans = before and leans_back(sentence, before)
        joined = f"{end_sentence(before)} {sentence}" if leans else sentence
        if joined is sentence:
            before = sentence
        if _matches(joined, hints) and all(_is_statement(part, said) for part in {sentence, before}):
            yield joined


def end_sentence(sentence: str) -> str:
    """Return a sentence with a sign at its end, which a smile is as well."""
    return f"{sentence}." if sentence.rstrip(")\"'”»’%€$£°")[-1:].isalnum() else sentence


def leans_back(sentence: str, before: str = "") -> bool:
    """Return whether a sentence needs the one ``before``: it only names more of that, or :func:`_refers_back`."""
    if _goes_on_a_row(sentence) and (not before or classify_speech(before) is SpeechAct.STATEMENT):
        return True
    return _refers_back(sentence, before)


def _refers_back(sentence: str, before: str) -> bool:
    """Return whether a sentence speaks of "her" and named nobody, or puts the one ``before`` right.

    "They changed the code" needs it where it tells of several who may have; what it is, "" leaves open.
    """
    right, *amends = correction.strip_opening(sentence)
    corrects = any(amends) and len(list_concepts(right)) < _TOLD and not find_facts(right)
    sentence = right or sentence
    if corrects or _DEMONSTRATIVE.match(sentence):
        return True
    if _ALONE.match(sentence) or (before and _UNNAMED.match(sentence) and not _SEVERAL.search(before)):
        return False
    named = 0
    for place, word in enumerate(sentence.split()):
        plain = next(iter(split_words(word)), "")
        if plain in REFERS or (place == 0 and plain.partition("'")[0] in PRONOUNS):
            return True
        named += plain not in STOP_WORDS and plain not in _COMMON
        begins = place == 0 and named
        if begins or find_concept(plain) in PEOPLE or (place and word[0].isupper() and word not in _NO_NAMES):
            return False
        if named == _NAMED:
            return False
    return False


def _goes_on_a_row(sentence: str) -> bool:
    """Return whether a few words only name more of what was told before: "and a bit of Dutch", "Tom not either".

    Of whom they speak they do not say, or it is another than before, of whom the same is told.
    """
    begins = _MORE.match(sentence) if len(sentence) <= _LONGEST_ADDED else None
    most = _MOST_ADDED if begins is not None else _MOST_BARE
    if sentence.count(" ") > most + 2 or not (begins or ADDS.search(sentence)):
        return False
    words = split_words(sentence[begins.end() :] if begins is not None else sentence)
    if not 0 < len(words) <= most:
        return False
    alone = OF_SPEAKER.match(" ".join(words)) is not None or has_known_form(sentence)
    return not alone and find_concept(words[0]) not in PEOPLE


def _is_statement(sentence: str, said: RecalledUtterance) -> bool:
    speech = classify_speech(sentence)
    if speech is SpeechAct.REQUEST and said.role == "user":
        return bool(find_facts(sentence)) or wants_reminder(sentence)
    return speech is SpeechAct.STATEMENT or (speech is SpeechAct.QUESTION and tells_again(sentence))


def _matches(text: str, hints: tuple[Trace, ...]) -> bool:
    folded = fold(text) if hints else ""
    return all(hint.is_in(folded) for hint in hints)


def _split_by_speaker(memory: Recalled, reader: Reader, namesakes: frozenset[str]) -> Iterator[RecalledUtterance]:
    """Yield the parts of a memory, each with who said it."""
    from_outside = memory.channel in (Channel.CHUNK, Channel.ENTITY, Channel.RELATION)
    text = clean(memory.text) if from_outside else memory.text
    document = parse_document(text) if memory.channel is Channel.CHUNK and memory.place is None else None
    if document is None:
        speaker = reader.identify(memory)
        yield _attribute(text, memory, speaker, _find_role(memory, speaker), namesakes)
        return
    author_id = document.author_id or memory.author_id
    user = reader.identify_author(author_id, document.author_name or memory.author, "user")
    yield _attribute(document.user_text, memory, user, "user", namesakes, document.said_at)
    if (part := document.forwarded) is not None:
        writer = reader.identify_author(0, part.author, "forwarded")
        yield _attribute(part.text, memory, writer, "forwarded", namesakes, document.said_at)
    assistant = Speaker(Who.ASSISTANT)
    yield _attribute(document.assistant_text, memory, assistant, "assistant", namesakes, document.said_at)


def _find_role(memory: Recalled, speaker: Speaker) -> str:
    """Return the role of an utterance; long-term memory's own words are nobody's."""
    if memory.role in {"forwarded", "assistant"}:
        return memory.role
    longterm = memory.channel in (Channel.CHUNK, Channel.ENTITY, Channel.RELATION)
    return "found" if longterm and not memory.role and speaker.who is not Who.ASKER else "user"


def _attribute(
    text: str, memory: Recalled, speaker: Speaker, role: str, namesakes: frozenset[str], said_at: datetime | None = None
) -> RecalledUtterance:
    return RecalledUtterance(
        text,
        memory,
        "" if role == "assistant" else speaker.name,
        role,
        role == "user" and speaker.who is Who.ASKER,
        memory.said_at or said_at,
        speaker,
        (speaker.namesake or bool(namesakes)) and is_namesake(speaker, namesakes),
    )


@dataclass(frozen=True, slots=True)
class Trace:
    """What stands in whatever can mean one of some terms: the beginnings of words, and parts of them.

    Each question has its own: to compile them as a pattern would take longer than to look for them.
    """

    beginnings: tuple[str, ...]
    parts: tuple[str, ...]

    def is_in(self, folded: str) -> bool:
        """Return whether any of them stands in a text of small letters."""
        return any(part in folded for part in self.parts) or any(_begins_word(each, folded) for each in self.beginnings)


def _begins_word(beginning: str, folded: str) -> bool:
    at = folded.find(beginning)
    while at > 0 and folded[at - 1].isalnum():
        at = folded.find(beginning, at + 1)
    return at >= 0
