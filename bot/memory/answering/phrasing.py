"""The words around a remembered answer: who said it and when, what was noted, what small talk gets back.

Of words that are told back to who said them only possessives are turned ("my sister" becomes "your sister"), which
change no other word of the sentence; what else is said in the first person stays, in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Final

from bot.memory.answering.evidence import Evidence
from bot.memory.answering.utterances import end_sentence
from bot.memory.document import render_place
from bot.memory.items import Trust
from bot.memory.learning.speech_acts import (
    ABOUT_ASSISTANT,
    WELLBEING,
    asks_about_assistant,
    contains_phrase,
    is_trivial,
    list_own_sentences,
    says_goodbye,
    strip_opening,
)
from bot.memory.learning.statements import find_facts
from bot.memory.learning.wishes import WishKind, find_wishes
from bot.memory.sanitise import escape_markup, expose_links, flatten
from bot.memory.secrets.redaction import is_redacted
from bot.memory.speakers import ANOTHERS, show_name
from language import Language, detect_languages, languages
from language.catalogue import Message
from language.speech import OTHER
from language.texts import AnswerPhrases
from language.words import split_words

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_QUOTING: Final = re.compile(r"[\"“”„«»]|:(?!\d)|(?<!\w)['‘]")
"""Signs of words within words: there "my" may be somebody else's."""


def turn_to_listener(sentence: str) -> str | None:
    """Return a sentence as it is told to whom it came from, ``None`` where that is not certain."""
    likely = detect_languages(sentence)
    first_person = _list_first_person(likely)
    forms = {word: form for each in likely for word, form in each.persons.turned.items()}
    spoken = [word for word in map(str.casefold, _WORD.findall(sentence)) if word in first_person]
    if any(word not in forms for word in spoken) or (spoken and _QUOTING.search(sentence)):
        return None
    if any(_compile_listener(each).search(sentence) for each in likely):
        return None

    def turn(found: re.Match[str]) -> str:
        word = forms.get(found[0].casefold(), found[0])
        return word[:1].upper() + word[1:] if found[0][:1].isupper() else word

    return _WORD.sub(turn, sentence)


@cache
def _list_first_person(likely: tuple[Language, ...]) -> frozenset[str]:
    return frozenset[str]().union(
        *(each.persons.first_person | each.questions.first_person or each.learning.mine for each in likely)
    )


@cache
def _compile_listener(language: Language) -> re.Pattern[str]:
    """Return the pattern of words by which the speaker means whom the sentence would be told to."""
    return re.compile(rf"\b(?:{language.persons.listener or '(?!)'})\b", re.IGNORECASE)


_LANGUAGES: Final = languages()
_TALK: Final = (*(each.small_talk for each in _LANGUAGES), OTHER)
_THANKS: Final = frozenset[str]().union(*(each.thanks for each in _TALK))
_FAREWELL: Final = frozenset[str]().union(*(each.farewells for each in _TALK))
_GREETING: Final = frozenset[str]().union(*(each.hellos for each in _TALK))
_ABOUT_ANSWERS: Final = frozenset({WishKind.ORDER, WishKind.WITHDRAWAL})
_LONGEST_NOTED: Final = 200
_MOST_NOTED: Final = 3
_LONGEST_NAME: Final = 60
_LONGEST_PLACE: Final = 80
_WEEK: Final = 7
"""Days in which one of the week names a single one."""


def is_own_phrase(piece: Evidence, phrases: AnswerPhrases) -> bool:
    """Return whether a sentence of the assistant's is one of these phrases: then it knows nothing by itself."""
    if piece.source.role != "assistant":
        return False
    spoken = (
        phrases.noted,
        phrases.told_quoted,
        phrases.told_quoted_undated,
        phrases.told_these,
        phrases.said,
        phrases.forwarded,
        phrases.shown,
        phrases.answered,
        phrases.imported_answer,
        phrases.found,
        phrases.perhaps,
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


def format_line(
    piece: Evidence, now: datetime, phrases: AnswerPhrases, *, replaced: bool = False, weekday: bool = False
) -> str:
    """Return a sentence with who said it and on which day, in the zone of ``now``; ``replaced`` if it holds no more.

    ``weekday`` names the day of the week as well, for a question about time.
    """
    place, (piece, replied) = piece.source.memory.place, _split_replied(piece)
    if place is not None:
        where = render_place(place, phrases.document_page, lambda text: escape_markup(flatten(text, _LONGEST_PLACE)))
        return phrases.document.format(place=where, text=expose_links(piece.text))
    date = _format_date(piece.source.said_at, now, phrases, weekday=weekday)
    text = _get_plain(piece)
    match piece.source.role:
        case _ if replaced:
            phrase = phrases.earlier if date else phrases.earlier_undated
            whose = "" if _is_told(piece) else f"{_name(piece, phrases)}: "
            return phrase.format(date=date, text=whose + tell_piece(piece, phrases)) + replied
        case "assistant" if date and piece.source.memory.trust < Trust.BOT:
            phrase = phrases.imported_answer
        case "assistant":
            phrase = phrases.answered if date else phrases.answered_undated
        case "forwarded" if not piece.source.author:
            phrase = phrases.shown if date else phrases.shown_undated
        case "forwarded":
            phrase = phrases.forwarded if date else phrases.forwarded_undated
        case "found":
            phrase = phrases.found
        case _ if piece.source.mine and (turned := turn_to_listener(text)) is not None:
            phrase, text = phrases.told if date else phrases.told_undated, _finish(turned)
        case _ if piece.source.mine:
            phrase = phrases.told_quoted if date else phrases.told_quoted_undated
        case _:
            phrase = phrases.said if date else phrases.said_undated
    return phrase.format(name=_name(piece, phrases), date=date, text=text) + replied


def _split_replied(piece: Evidence) -> tuple[Evidence, str]:
    """Return a sentence without another's message that it replies to, and that as it stands behind it."""
    before = end_sentence(piece.source.memory.before)
    if not before.startswith(ANOTHERS):
        return piece, ""
    return replace(piece, text=piece.text.removeprefix(before).strip() or piece.text), f" ({expose_links(before)})"


def format_lines(
    pieces: Sequence[Evidence],
    now: datetime,
    phrases: AnswerPhrases,
    *,
    replaced: Container[Evidence] = (),
    heading: str = "",
    weekday: bool = False,
) -> str:
    """Return sentences each with who said it and when; where all are the asker's as a list, with the date once.

    ``heading`` stands above the list in place of "You told me".  What is ``replaced`` stands first, or behind a line of
    whoever said it, as it names nobody; else it is told as any other.
    """
    pieces = _put_behind_own(pieces, replaced)
    behind = (*pieces[:1], *pieces)
    replaced = [
        one
        for one, line in zip(pieces, behind, strict=False)
        if one in replaced and one.source.whose == line.source.whose
    ]
    whole = [format_line(piece, now, phrases, replaced=piece in replaced, weekday=weekday) for piece in pieces]
    told = [piece for piece in pieces if piece not in replaced and _is_told(piece)]
    if not heading and (len(told) < 2 or not all(map(_is_told, pieces))):  # noqa: PLR2004 - one is no list
        return "\n".join(whole)
    dates = [_format_date(piece.source.said_at, now, phrases, weekday=weekday) for piece in told]
    if not heading and len(set(dates)) == 1 and dates[0]:
        heading, dates = phrases.told_these.format(date=dates[0]), [""] * len(dates)
    left = iter(dates)
    lines = [
        _list(tell_piece(piece, phrases), next(left), phrases) if piece in told else line
        for piece, line in zip(pieces, whole, strict=True)
    ]
    return "\n• ".join((heading or phrases.told_these_undated, *lines))


def _put_behind_own(pieces: Sequence[Evidence], replaced: Container[Evidence]) -> list[Evidence]:
    """Return lines, with what is replaced behind the last before it that the same person said."""
    lines: list[Evidence] = []
    for piece in pieces:
        own = [place for place, line in enumerate(lines, 1) if line.source.whose == piece.source.whose]
        lines.insert(own[-1] if own and piece in replaced else len(lines), piece)
    return lines


def _list(text: str, date: str, phrases: AnswerPhrases) -> str:
    return phrases.listed.format(text=text, date=date) if date else text


def _is_told(piece: Evidence) -> bool:
    """Return whether it is the asker's own word."""
    return piece.source.mine and piece.source.role == "user" and piece.source.memory.place is None


def tell_piece(piece: Evidence, phrases: AnswerPhrases) -> str:
    """Return a sentence as part of an answer: turned to whom it is told if it is theirs, else in quotation marks."""
    text = _get_plain(piece)
    turned = turn_to_listener(text) if _is_told(piece) else None
    return phrases.quoted.format(text=text) if turned is None else _finish(turned)


def _get_plain(piece: Evidence) -> str:
    """Return a sentence without "by the way", all of it where that is all."""
    plain = strip_opening(piece.text).strip()
    return expose_links(plain if any(map(str.isalnum, plain)) else piece.text.strip())


def _finish(sentence: str) -> str:
    """Return a sentence with a capital and a full stop."""
    begun = sentence[:1].upper() + sentence[1:]
    return end_sentence(begun)


def _name(piece: Evidence, phrases: AnswerPhrases) -> str:
    """Return another person by name, in quotation marks if it does not read like one; by number if need be."""
    source = piece.source
    number = source.speaker.id
    if shown := show_name(flatten(source.author, _LONGEST_NAME), escape_markup):
        return f"{shown} #{number}" if source.namesakes else shown
    return phrases.numbered.format(id=number) if number else phrases.another


def _format_date(moment: datetime | None, now: datetime, phrases: AnswerPhrases, *, weekday: bool) -> str:
    """Return when something was told as people say it: "today", "on Monday", "on 3 May"; "" where nobody knows."""
    if moment is None:
        return ""
    if moment.tzinfo is not None and now.tzinfo is not None:
        moment = moment.astimezone(now.tzinfo)
    ago = (now.date() - moment.date()).days
    if 0 <= ago < _WEEK:
        named = (phrases.today, phrases.yesterday)
        return named[ago] if ago < len(named) else phrases.on_weekdays[moment.weekday()]
    form = phrases.day if moment.year == now.year else phrases.date
    date = form.format(day=moment.day, month=phrases.months[moment.month - 1], year=moment.year)
    if weekday:
        return phrases.weekday_date.format(weekday=phrases.on_weekdays[moment.weekday()], date=date)
    return phrases.on_date.format(date=date)


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
    short = [sentence for sentence in sentences if len(sentence) <= _LONGEST_NOTED and not is_redacted(sentence)]
    kept = [each for each in short if not any(each != other and each in other for other in short)]
    return phrase.format(text=expose_links(" ".join(kept[:_MOST_NOTED]))) if kept else ""


def answer_small_talk(text: str, phrases: AnswerPhrases) -> str:
    """Return the answer to thanks, a greeting, a farewell, a question about the assistant, or a word that says nothing.

    Of chatter only the sentences count that are trivial (see :mod:`bot.memory.learning.speech_acts`): "what a lovely
    morning, we went for a walk" is no greeting.
    """
    said = {word for sentence in list_own_sentences(text) if is_trivial(sentence) for word in split_words(sentence)}
    if asks_about_assistant(text) or contains_phrase(text, ABOUT_ASSISTANT):
        return phrases.introduction
    if contains_phrase(text, WELLBEING):
        return phrases.wellbeing
    if said & _THANKS:
        return phrases.thanks
    if said & _FAREWELL or says_goodbye(text):
        return phrases.farewell
    return phrases.greeting if said & _GREETING else phrases.other_smalltalk
