"""The words around a remembered answer: who said it and when, what was noted, what small talk gets back."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from bot.memory.answering.evidence import Evidence
from bot.memory.documents.places import render_place
from bot.memory.learning.speech_acts import ABOUT_ASSISTANT, WELLBEING, contains_phrase, strip_opening
from bot.memory.learning.statements import find_facts
from bot.memory.learning.wishes import WishKind, find_wishes
from bot.memory.sanitise import flatten
from bot.memory.secrets.redaction import is_redacted
from bot.memory.speakers import reads_like_a_role
from bot.memory.synonyms import STOP_WORDS, find_concept
from language import languages
from language.analyser import strip_ending
from language.catalogue import Message
from language.speech import OTHER
from language.texts import AnswerPhrases
from language.words import split_words

_LANGUAGES: Final = languages()
_NEVER_LOWERED: Final = frozenset[str]().union(*(each.answers.never_lowered for each in _LANGUAGES))
_TALK: Final = (*(each.small_talk for each in _LANGUAGES), OTHER)
_THANKS: Final = frozenset[str]().union(*(each.thanks for each in _TALK))
_FAREWELL: Final = frozenset[str]().union(*(each.farewells for each in _TALK))
_GREETING: Final = frozenset[str]().union(*(each.hellos for each in _TALK))
_ABOUT_ANSWERS: Final = frozenset({WishKind.ORDER, WishKind.WITHDRAWAL})
_LONGEST_NOTED: Final = 200
_MOST_NOTED: Final = 3
_LONGEST_NAME: Final = 60
_LONGEST_PLACE: Final = 80


def is_own_phrase(piece: Evidence, phrases: AnswerPhrases) -> bool:
    """Return whether a sentence of the assistant's is one of these phrases: then it knows nothing by itself."""
    if piece.source.role != "assistant":
        return False
    spoken = (
        phrases.noted,
        phrases.told,
        phrases.told_undated,
        phrases.said,
        phrases.forwarded,
        phrases.shown,
        phrases.answered,
        phrases.found,
    )
    plain = (
        phrases.heard,
        phrases.secret_left_out,
        phrases.unknown,
        phrases.unread,
        phrases.no_model,
        phrases.greeting,
        phrases.wellbeing,
        phrases.introduction,
        phrases.how_to_forget,
    )
    starts = [*(phrase.opening().strip() for phrase in spoken), *plain]
    return any(start and piece.text.startswith(start) for start in starts)


def format_line(piece: Evidence, now: datetime, phrases: AnswerPhrases, *, replaced: bool = False) -> str:
    """Return a sentence with who said it and on which day, in the zone of ``now``; ``replaced`` if it holds no more."""
    place = piece.source.memory.place
    if place is not None:
        where = render_place(place, phrases.document_page, lambda text: flatten(text, _LONGEST_PLACE))
        return phrases.document.format(place=where, text=piece.text)
    date = _format_date(piece.source.said_at, now, phrases)
    text = _lower_first(piece.text)
    match piece.source.role:
        case _ if replaced:
            phrase = phrases.earlier if date else phrases.earlier_undated
        case "assistant":
            phrase = phrases.answered if date else phrases.answered_undated
        case "forwarded" if not piece.source.author:
            phrase = phrases.shown if date else phrases.shown_undated
        case "forwarded":
            phrase = phrases.forwarded if date else phrases.forwarded_undated
        case "found":
            phrase = phrases.found
        case _ if piece.source.mine:
            phrase = phrases.told if date else phrases.told_undated
        case _:
            phrase = phrases.said if date else phrases.said_undated
    return phrase.format(name=_name(piece, phrases), date=date, text=text)


def _name(piece: Evidence, phrases: AnswerPhrases) -> str:
    """Return another person by name, in quotation marks if it reads like "you" or "I"; by number if need be."""
    source = piece.source
    number, name = source.speaker.id, flatten(source.author, _LONGEST_NAME)
    if name:
        shown = f"“{name}”" if reads_like_a_role(name) else name
        return f"{shown} #{number}" if source.namesakes else shown
    return phrases.numbered.format(id=number) if number else phrases.another


def _format_date(moment: datetime | None, now: datetime, phrases: AnswerPhrases) -> str:
    if moment is None:
        return ""
    if moment.tzinfo is not None and now.tzinfo is not None:
        moment = moment.astimezone(now.tzinfo)
    weekday = phrases.weekdays[moment.weekday()] if phrases.weekdays else ""
    month = phrases.months[moment.month - 1]
    return phrases.date.format(weekday=weekday, day=moment.day, month=month, year=moment.year)


def _lower_first(sentence: str) -> str:
    """Return a sentence as it stands after a colon: "My sister …" begins small, names and "I" stay as they are."""
    plain = strip_opening(sentence).strip()
    first = next(iter(split_words(plain)), "")
    is_common = first in STOP_WORDS or find_concept(first) != strip_ending(first)
    return plain[:1].lower() + plain[1:] if is_common and first not in _NEVER_LOWERED else plain


def acknowledge(text: str, phrases: AnswerPhrases) -> str:
    """Return the acknowledgement of a statement, quoting what was understood as one.

    A wish about answers is called one: who answers from memory alone cannot promise to keep to it.
    """
    wished = [wish.content for wish in find_wishes(text) if wish.kind in _ABOUT_ANSWERS]
    stated = [fact.sentence for fact in find_facts(text)]
    left_out = phrases.secret_left_out if is_redacted(text) else ""
    told = (
        _quote_noted([sentence for sentence in stated if sentence not in wished], phrases.noted),
        _quote_noted(wished, phrases.wish_noted),
        left_out,
    )
    return " ".join(filter(None, told)) or phrases.heard


def _quote_noted(sentences: list[str], phrase: Message) -> str:
    kept = [sentence for sentence in sentences if len(sentence) <= _LONGEST_NOTED and not is_redacted(sentence)]
    return phrase.format(text=" ".join(kept[:_MOST_NOTED])) if kept else ""


def answer_small_talk(text: str, phrases: AnswerPhrases) -> str:
    """Return the answer to thanks, a greeting, a farewell, a question about the assistant, or a word that says nothing.

    ``text`` is trivial (see :mod:`bot.memory.learning.speech_acts`).
    """
    said = set(split_words(text))
    if contains_phrase(text, ABOUT_ASSISTANT):
        return phrases.introduction
    if contains_phrase(text, WELLBEING):
        return phrases.wellbeing
    if said & _THANKS:
        return phrases.thanks
    if said & _FAREWELL:
        return phrases.farewell
    return phrases.greeting if said & _GREETING else phrases.other_smalltalk
