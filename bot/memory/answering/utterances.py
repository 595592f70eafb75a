"""Turns what was recalled into who said what, sentence by sentence.

A question is no statement, neither is what somebody only supposes or quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.memory.answering.reminders import wants_reminder
from bot.memory.document import parse_document
from bot.memory.items import Channel, Recalled
from bot.memory.learning.speech_acts import Speech, own_words, speech_of
from bot.memory.learning.statements import facts
from bot.memory.patterns import compiled
from bot.memory.sanitise import clean
from language import alternatives, languages
from language.sentences import sentences

_ANSWERS: Final = tuple(each.answers for each in languages())
_PRONOUN: Final = compiled(rf"{alternatives(each.pronouns for each in _ANSWERS)}\b", re.IGNORECASE)
_AMENDS: Final = compiled(alternatives(each.amends for each in _ANSWERS), re.IGNORECASE)
"""Puts right the sentence before it, and says nothing without it."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one speaker said in one memory.

    ``role`` is "user", "assistant", "forwarded" (``author`` wrote it, a user passed it on) or "found" (nobody known).
    """

    text: str
    memory: Recalled
    author: str
    role: str
    mine: bool
    said_at: datetime | None


def list_utterances(memories: tuple[Recalled, ...], *, asker_id: int, asker_name: str) -> tuple[Utterance, ...]:
    """Return who said what in ``memories``, in their order."""
    return tuple(said for memory in memories for said in _split_by_speaker(memory, asker_id, asker_name))


def list_statements(said: Utterance, hints: tuple[re.Pattern[str], ...] = ()) -> Iterator[str]:
    """Yield the sentences that state something and match all ``hints`` (in small letters, "ё" as "е").

    Of what a person said, requests to be reminded count too.  A sentence that begins with "she" or "no, on" brings the
    one before.
    """
    if not _matches(said.text, hints):
        return
    before = ""
    for sentence in sentences(own_words(said.text)):
        leans = before and (_PRONOUN.match(sentence) or _AMENDS.match(sentence))
        joined = f"{before} {sentence}" if leans else sentence
        if joined is sentence:
            before = sentence
        if _matches(joined, hints) and all(_states(part, said) for part in {sentence, before}):
            yield joined


def _states(sentence: str, said: Utterance) -> bool:
    speech = speech_of(sentence)
    if speech is Speech.REQUEST and said.role == "user":
        return bool(facts(sentence)) or wants_reminder(sentence)
    return speech is Speech.STATEMENT


def _matches(text: str, hints: tuple[re.Pattern[str], ...]) -> bool:
    folded = text.casefold().replace("ё", "е")
    return all(hint.search(folded) for hint in hints)


def _split_by_speaker(memory: Recalled, asker_id: int, asker_name: str) -> Iterator[Utterance]:
    """Yield the parts of a memory; long-term memory knows authors by name alone."""
    text = clean(memory.text)
    document = parse_document(text) if memory.channel is Channel.CHUNK else None
    name = document.author_name if document and document.author_name else memory.author
    by_name = memory.channel is Channel.CHUNK and not memory.author_id
    mine = name == asker_name if by_name else memory.author_id == asker_id
    if document is not None:
        at = memory.said_at or document.said_at
        yield Utterance(document.user_text, memory, name, "user", mine, at)
        if (part := document.forwarded) is not None:
            yield Utterance(part.text, memory, part.author, "forwarded", mine=False, said_at=at)
        yield Utterance(document.assistant_text, memory, "", "assistant", mine=False, said_at=at)
    elif memory.role == "forwarded":
        yield Utterance(text, memory, memory.author, "forwarded", mine=False, said_at=memory.said_at)
    elif memory.channel in (Channel.CHUNK, Channel.ENTITY, Channel.RELATION) and not memory.role:
        yield Utterance(text, memory, name, "found", mine=False, said_at=memory.said_at)
    elif memory.role == "assistant":
        yield Utterance(text, memory, "", "assistant", mine=False, said_at=memory.said_at)
    else:
        yield Utterance(text, memory, name, "user", mine, memory.said_at)
