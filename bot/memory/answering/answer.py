"""The assistant without a language model: it acknowledges what it is told and answers with what it was told.

An answer is a quotation: the sentences that answer, word for word, with who said them and when.  What nobody said is
not known, and that is said too; nothing is ever made up.
Questions over time and over everything are answered with lines of the chronicle, dated, in order of time.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal

from bot.memory.answering.changes import (
    asks_past,
    find_changes,
    tells_anything,
)
from bot.memory.answering.document_sentences import (
    choose_from_documents,
    gather_from_documents,
    list_nearest_in_documents,
    quote_opening,
)
from bot.memory.answering.evidence import (
    Aliases,
    Evidence,
    doubt,
    drop_repeated,
    find_aliases,
    find_sure,
    gather_evidence,
    is_by,
    is_of_the_rest,
    is_of_whom,
    keep_answering,
    lacks_form,
    list_guesses,
    list_nearest,
    list_read,
    names_only_another,
    put_in_turn,
)
from bot.memory.answering.follow_ups import leaves_out
from bot.memory.answering.phrasing import acknowledge, answer_small_talk, format_lines, is_own_phrase
from bot.memory.answering.questions import (
    MOST,
    TOGETHER,
    AnswerKind,
    QuestionAnalysis,
    SubQuestion,
    analyse,
    may_introduce,
    split_questions,
)
from bot.memory.answering.reckoning import (
    asks_age,
    asks_sum,
    compute_age,
    compute_rest,
    tell_sum,
    tell_total,
    tells_amounts,
    tells_other_debt,
)
from bot.memory.answering.subjects import find_subject, tell_about
from bot.memory.answering.utterances import RecalledUtterance, end_sentence, list_statements, list_utterances
from bot.memory.concepts import list_concepts, mend_words
from bot.memory.helpfulness import ANSWERING, MAY_ANSWER, ORDERED, get_answering, leave_unread
from bot.memory.items import Channel, Recalled
from bot.memory.learning.kinds import LIKELY, SentenceKind, decide_kind, find_asking_word, measure_telling, tell_kinds
from bot.memory.learning.rewording import ADDS, names_another
from bot.memory.learning.speech_acts import (
    SpeechAct,
    asks_to_forget,
    asks_to_keep,
    classify_speech,
    is_question,
    list_own_sentences,
    puts_on_list,
    tells_again,
    wants_reminder,
)
from bot.memory.learning.statements import find_facts, states_fact
from bot.memory.learning.wishes import states_wish
from bot.memory.overviews import Overview, OverviewKind, asks_about_time, find_overview
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import is_redacted, redact
from bot.memory.speakers import Reader, Who
from language import negations
from language.texts import AnswerPhrases
from language.words import split_exactly, split_words

__all__ = ["FLOOR", "RememberedAnswer", "Retrieval", "answer_from", "list_searches"]

FLOOR: Final = 0.6
"""Share of a question's content that a sentence must share to answer it; below, the honest answer is "I don't know"."""
_WEAK_FLOOR: Final = 0.75
"""The same for words that no person said: the assistant's own and descriptions from the graph."""
_DOUBTED_FLOOR: Final = 0.9
"""The same where the search itself doubts that the answer is there (:mod:`bot.memory.ranking.ranking`)."""
_UNSURE: Final = 0.45
"""From here on a sentence is worth showing beside "I don't know"."""
_LISTED: Final = 5
_MOST_GUESSED: Final = 2
_NEAR_BEST: Final = 0.8
_MOST: Final = 3
_MOST_QUOTED: Final = 2
"""Sentences of documents: they are longer than what people say."""
_BETTER: Final = 0.2
"""By how much a document's sentence must fit better than what somebody told to be quoted in its place."""
_MOST_TOLD: Final = 7
"""Of all that is known about the asker; /memory shows the rest."""
_MOST_NAMED: Final = 6
"""Words of a message that may ask by no more than naming what it asks for."""
_MOST_WONDERED: Final = 16
"""The same where it hardly tells anything."""
_TOLD_LITTLE: Final = 0.3
"""Likelihood that a message tells something below which what it names needs not be known word by word."""
_MOST_DOUBTED: Final = 9
"""Words of a message that may be a question though it has no form of one."""
_CERTAIN: Final = 0.8
"""Likelihood from which on a message is of its kind for certain."""
_TELLING: Final = 0.6
"""The same for whether it tells anything, which is what most do."""
_HARDLY_ASKS: Final = 0.05
"""Share of asking below which a message in no form of a question only tells: of 1,500 messages of diaries 213 were
searched for as if they asked, 105 of them are below it, and none of the three of 357 questions that have no form."""
_ASKED: Final = 0.95
"""Likelihood of an answer from which on a message asks for it: of 2,075 short ones in the lives that ask nothing 7 are
read as that, of 18 questions in no form of one 11 (docs/recall.md)."""
_HERE: Final = "message"
"""Key of the message itself among the memories: it may say what it asks for."""


@dataclass(frozen=True, slots=True)
class RememberedAnswer:
    """An answer made without a model; ``used`` are the memories that it quotes, best first."""

    text: str
    used: tuple[Recalled, ...]
    kind: Literal["answer", "acknowledged", "unknown", "smalltalk"]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Memories found for one of several questions, best first, and whether the best of it is likely to answer."""

    memories: tuple[Recalled, ...]
    known: bool = True
    unread: bool = False


def list_searches(message: str) -> tuple[str, ...]:
    """Return the texts to search memory for before :func:`answer_from`, each by itself; empty if it will not look.

    What asks nothing is acknowledged without memory.  One question is searched for alone where it names what it is
    about and refers to nothing, else with all that is said around it.
    """
    asked = split_questions(message)
    if find_overview(message) is not None or find_subject(message) is not None:
        return (message,)
    beside = bool(asked) and len(list_own_sentences(message)) > 1  # "got the keys. when was the viewing again"
    if len(asked) > 1 or (beside and not leaves_out(asked[0].text)):
        return tuple(question.resolved for question in asked[:MOST])
    return (message,) if asked or _may_ask(message) or _is_doubted(message) else ()


_ASKING: Final = (
    SentenceKind.QUESTION,
    SentenceKind.OVERVIEW,
    SentenceKind.REQUEST,
    SentenceKind.LIST_SHOW,
    SentenceKind.REMINDER_SHOW,
)
_MAY_ASK: Final = (None, *_ASKING)
"""Kinds of what may ask by naming; what is likely of another says or orders something: "I keep forgetting my keys"."""


def _may_ask(message: str) -> bool:
    """Return whether a message may only name what it asks for: it is short and tells no value and no change.

    "List what Ezra can't have" may be for memory as well as for a model.
    """
    said = list_own_sentences(message)
    if len(said) != 1 or message.rstrip().endswith((".", "!")):
        return False
    little = bool(tell_kinds(said[0])) and measure_telling(said[0]) < _TOLD_LITTLE
    if not 1 < len(message.split()) <= (_MOST_WONDERED if little else _MOST_NAMED):
        return False
    tells = tells_anything(message) and (not little or any(map(str.isdigit, message)))
    if tells or _adds(message) or measure_telling(said[0]) >= LIKELY or _reports(said[0]):
        return False
    kept = asks_to_keep(message) or puts_on_list(message) or states_wish(message) or wants_reminder(message)
    kept = kept or decide_kind(said[0]) not in _MAY_ASK
    act = classify_speech(said[0])
    ordered = act is SpeechAct.REQUEST and not asks_to_forget(said[0])
    return not kept and (act is SpeechAct.STATEMENT or ordered)


def _is_doubted(message: str) -> bool:
    """Return whether a short message is of no kind for certain, or chatter that has the form of a question.

    "Is maureen still having it done on the 9th", "and what's the wifi".
    """
    said = list_own_sentences(message)
    if len(said) != 1 or not 1 < len(message.split()) <= _MOST_DOUBTED or message.rstrip().endswith((".", "!")):
        return False
    known = decide_kind(said[0], _CERTAIN) is not None or measure_telling(said[0]) >= _TELLING or _reports(said[0])
    act = classify_speech(said[0])
    chats = act is SpeechAct.SMALLTALK and is_question(said[0]) and bool(list_concepts(said[0]))
    return bool(tell_kinds(said[0])) and (chats or (not known and act is SpeechAct.STATEMENT))


def _reports(sentence: str) -> bool:
    """Return whether a sentence hardly asks, beside how likely it tells something, or that something is done."""
    kinds = tell_kinds(sentence)
    asking, telling = kinds.measure(*_ASKING), kinds.telling + kinds.measure(SentenceKind.LIST_DONE)
    return asking < _HARDLY_ASKS * (asking + telling)


def _adds(message: str) -> bool:
    """Return whether a message only names more, by its first or last words; inside, the word may be "still"."""
    words = message.split()
    last = words[-2:] if negations().search(words[-1].lower()) else words[-1:]
    return any(map(ADDS.search, (*words[:1], *last) if tell_kinds(message) else (message,)))


def answer_from(
    question: str,
    memories: tuple[Recalled, ...],
    *,
    asker_id: int,
    asker_name: str,
    now: datetime,
    phrases: AnswerPhrases,
    first: bool = False,
    alone: bool = True,
    known: bool = True,
    unread: bool = False,
    direct: bool = False,
    guessing: bool = True,
    among_others: bool = False,
    namesakes: frozenset[str] = frozenset(),
    apart: Mapping[str, Retrieval] = MappingProxyType({}),
) -> RememberedAnswer:
    """Return what the assistant says to ``question``, any message; ``memories`` best first, from any channel.

    What the message itself states counts, too, but not as a memory that was used.
    Several questions are answered one by one, each below its own words, from what was found for it (``apart``, by the
    texts of :func:`list_searches`) or, where it was not searched for by itself, from ``memories``.

    ``first`` (first answer of a session) adds the hint that no model is configured: once is enough.
    ``alone=False`` leaves the hint out altogether: there is a model, it only failed.
    ``known=False`` says that nothing found is likely to answer: then a sentence must fit as a whole.  ``unread`` says
    that there may be more than ``memories``: then "I don't know" does not claim that nobody told.  ``guessing``
    says that the best of little is shown as a guess, though it does not reach the floor; ``direct`` lists
    what was found instead of looking for the sentences that answer.  ``among_others`` says that others speak where the
    asker does: then words without an author's id are not theirs; ``namesakes`` are names that several of them bear.
    ``now`` gives the time zone in which dates are told.
    """
    question = redact(clean(question)).text
    said = list_own_sentences(question)
    asked = split_questions(question)
    hint = f"\n\n{phrases.no_model}" if alone and first else ""
    reader = Reader(asker_id, asker_name, not among_others, namesakes)
    subject = find_subject(question) if len(asked) <= 1 else None
    if subject is not None and (about := tell_about(subject, memories, reader, now, phrases)) is not None:
        return RememberedAnswer(about[0] + hint, about[1], "answer")
    if (overview := find_overview(question)) is not None:
        lines = _keep_of_asker(memories, reader) if analyse(question).whole else memories
        told = tell_lines(overview, lines, reader, now, phrases) if known else None
        if told is not None:
            return RememberedAnswer(told[0] + hint, told[1], "answer")
        if not asked:
            return RememberedAnswer((phrases.unread if unread else phrases.unknown) + hint, (), "unknown")
    asking = _Asking(question, reader, now, phrases, direct=direct, guessing=guessing)
    together = Retrieval(memories, known, unread)
    if not asked:
        named = None
        if _may_ask(question):  # what a model that reads questions makes of it, or else its words
            words = replace(together, memories=tuple(map(leave_unread, memories)))
            named = asking.answer_named(together) or asking.answer_named(words)
        if named is None and _is_doubted(question) and (named := asking.answer_doubted(together)) is not None:
            noted = f"{acknowledge(question, phrases)}\n\n" if states_fact(question) else ""
            named = replace(named, text=noted + named.text)
        return replace(named, text=named.text + hint) if named else _reply_to_statement(question, said, phrases, hint)
    stated = acknowledge(question, phrases) if find_facts(question) or states_wish(question) else ""
    if len(asked) > 1:
        answer = _answer_each(asking, asked, together, apart)
        before = stated
    else:
        answer = asking.answer(asked[0].resolved, together)
        if answer.text == phrases.unknown and all(map(tells_again, said)):
            return RememberedAnswer(phrases.heard + hint, (), "acknowledged")
        before = stated if answer.text in {phrases.unknown, phrases.unread} else ""
    return replace(answer, text=f"{before}\n\n{answer.text}{hint}" if before else f"{answer.text}{hint}")


def _keep_of_asker(memories: tuple[Recalled, ...], reader: Reader) -> tuple[Recalled, ...]:
    """Return what the asker told, and what others told of them by name."""
    named = frozenset(list_concepts(reader.name))
    return tuple(
        memory
        for memory in memories
        if reader.alone or reader.identify(memory).who is Who.ASKER or not named.isdisjoint(list_concepts(memory.text))
    )


def _answer_each(
    asking: _Asking, asked: tuple[SubQuestion, ...], together: Retrieval, apart: Mapping[str, Retrieval]
) -> RememberedAnswer:
    """Return the answers to several questions, each below its question."""
    phrases, answered = asking.phrases, asked[:MOST]
    answers = [asking.answer(question.resolved, apart.get(question.resolved, together)) for question in answered]
    lines = [
        f"{number}. {_capitalise(question.text)}\n{answer.text}"
        for number, (question, answer) in enumerate(zip(answered, answers, strict=True), 1)
    ]
    if len(asked) > MOST:
        lines.append(phrases.not_answered.format(count=len(asked) - MOST))
    used = {memory.key: memory for answer in answers for memory in answer.used}
    kind: Literal["answer", "unknown"] = "answer" if any(each.kind == "answer" for each in answers) else "unknown"
    return RememberedAnswer("\n\n".join(lines), tuple(used.values()), kind)


def _capitalise(question: str) -> str:
    return question[:1].upper() + question[1:]


@dataclass(frozen=True, slots=True)
class _Asking:
    """A message that asks: what it says, by whom and when."""

    message: str
    reader: Reader
    now: datetime
    phrases: AnswerPhrases
    direct: bool
    guessing: bool

    def answer(self, asked: str, found: Retrieval) -> RememberedAnswer:
        """Return the answer to one question of the message; what was an order to a list answers where nothing else."""
        found = replace(found, memories=tuple(each for each in found.memories if not _repeats(asked, each.text)))
        if analyse(asked).name:  # not that of the asker's cat or daughter
            said = (each for each in found.memories if each.role != "assistant" and may_introduce(each.text))
            found = replace(found, memories=tuple(said))
        told = tuple(each for each in found.memories if ORDERED not in each.signals)
        answer = self._find_answer(asked, replace(found, memories=told))
        if answer.kind == "answer" or len(told) == len(found.memories):
            return answer
        with_orders = None if self.direct else self._find_answer(asked, found)
        return with_orders if with_orders is not None and with_orders.kind == "answer" else answer

    def _find_answer(self, asked: str, found: Retrieval) -> RememberedAnswer:
        if analyse(asked).kind is not AnswerKind.YES_NO:
            others = (each for each in found.memories if not tells_other_debt(each.text, asked))
            found = replace(found, memories=tuple(others))
        asked = mend_words(asked, itertools.chain.from_iterable(split_words(each.text) for each in found.memories))
        phrases = self.phrases.replace(unknown=self.phrases.unread) if found.unread else self.phrases
        answer = None if self.direct else self._tell_age(asked, found, phrases)
        answer = answer or (None if self.direct else self._tell_sum(asked, found, phrases))
        answer = answer or (None if self.direct else self._quote(asked, found, phrases))
        of_documents = bool(found.memories) and all(memory.place is not None for memory in found.memories)
        if of_documents and not self.direct and (answer is None or answer.kind == "unknown"):
            answer = self._ask_documents(asked, found, phrases)
        analysis = analyse(asked)
        if self.direct and answer is None and found.known:
            near = list_nearest(found.memories, analysis, self.reader, most=_LISTED)
            near = (*near, *list_nearest_in_documents(found.memories, analysis, most=_LISTED))[:_LISTED]
            answer = _list_found(asked, near, self.now, phrases)
        elif not self.direct and (answer is None or answer.kind == "unknown"):
            sure = self._tell_sure(asked, analysis, found, phrases)
            answer = sure or answer or self._guess(asked, analysis, found, phrases)
        if answer is None:
            return RememberedAnswer(phrases.unknown, (), "unknown")
        return replace(answer, used=tuple(memory for memory in answer.used if memory.key != _HERE))

    def answer_named(self, found: Retrieval) -> RememberedAnswer | None:
        """Return what people told of all that a message names, ``None`` where it names anything of its own.

        Where it hardly tells anything, most of it is enough if the search is sure.
        """
        told = tuple(each for each in found.memories if each.place is None and each.role != "assistant")
        little = bool(tell_kinds(self.message)) and measure_telling(self.message) < _TOLD_LITTLE
        floor = FLOOR if found.known and little else _DOUBTED_FLOOR
        answer = _answer(self.message, told, self.reader, self.now, self.phrases, floor)
        if little and (answer is None or answer.kind == "unknown"):
            answer = self._tell_sure(self.message, analyse(self.message), replace(found, memories=told), self.phrases)
            named = frozenset(list_concepts(self.message))
            if answer is not None and all(named.isdisjoint(list_concepts(each.text)) for each in answer.used):
                return None  # who tells something new names nobody that was told of
        return answer if answer is not None and answer.kind == "answer" else None

    def answer_doubted(self, found: Retrieval) -> RememberedAnswer | None:
        """Return what a model that read it is all but certain that it answers the message, ``None`` for nothing.

        What has the form of a question needs no more than any other.
        """
        least = ANSWERING if is_question(self.message) else _ASKED
        memories = tuple(each for each in found.memories if (get_answering(each) or 0.0) >= least)
        asked = self.message.rstrip(" ?") + "?"
        return self._tell_sure(asked, analyse(asked), replace(found, memories=memories), self.phrases)

    def _tell_age(self, asked: str, found: Retrieval, phrases: AnswerPhrases) -> RememberedAnswer | None:
        """Return how old somebody is by the date of birth that was told, ``None`` where the question asks no age."""
        if not asks_age(analyse(asked)):
            return None
        spoken = list_utterances(found.memories, self.reader)
        computed = compute_age(asked, spoken, self.now, find_aliases(spoken))
        if computed is None:
            return None
        piece, years, year = computed
        told = phrases.age_then.format(years=years, year=year) if year else phrases.age.format(years=years)
        text = f"{format_lines((piece,), self.now, phrases)}\n{told}"
        return RememberedAnswer(text, _list_sources((piece,), [piece]), "answer")

    def _tell_sum(self, asked: str, found: Retrieval, phrases: AnswerPhrases) -> RememberedAnswer | None:
        """Return what the amounts come to that were told, ``None`` where the question asks for no sum of any."""
        if not asks_sum(asked):
            return None
        analysis = analyse(asked)
        own = analysis.own and not analysis.entities and TOGETHER.isdisjoint(split_words(asked))
        memories = _keep_of_asker(found.memories, self.reader) if own else found.memories
        memories = (self._make_here(), *memories) if tells_amounts(self.message) else memories
        told = tell_sum(asked, list_utterances(memories, self.reader), self.now, phrases)
        return None if told is None else RememberedAnswer(*told, "answer")

    def _tell_sure(
        self, asked: str, analysis: QuestionAnalysis, found: Retrieval, phrases: AnswerPhrases
    ) -> RememberedAnswer | None:
        """Return what the search is sure of, whatever words it shares with the question; ``None`` for nothing."""
        sure = find_sure(found.memories, analysis, self.reader) if found.known or self.guessing else ()
        if analysis.kind is not AnswerKind.YES_NO:
            sure = tuple(piece for piece in sure if not names_another(piece.text, asked))
        if not sure:
            return None
        spoken = list_utterances(found.memories, self.reader)
        known = find_aliases(spoken)
        told, over = _tell_changes(asked, sure, spoken, known)
        text = _format_told(asked, told, over, spoken, known, self.now, phrases)
        return RememberedAnswer(_add_left_out(text, told, phrases), _list_sources(told, list(told)), "answer")

    def _guess(
        self, asked: str, analysis: QuestionAnalysis, found: Retrieval, phrases: AnswerPhrases
    ) -> RememberedAnswer | None:
        """Return "I don't know" with what may answer, ``None`` where that is nothing."""
        if not (found.known or self.guessing):
            return None
        near = list_guesses(found.memories, analysis, self.reader, most=_MOST_GUESSED, known=found.known)
        if found.known:
            filed = list_nearest_in_documents(found.memories, analysis, most=_MOST_GUESSED)
            near = (*near, *filed)[:_MOST_GUESSED]
        if analysis.kind is not AnswerKind.YES_NO:
            near = tuple(piece for piece in near if not names_another(piece.text, asked))
        spoken = list_utterances(found.memories, self.reader)
        return _guess(asked, near, list(near), spoken, self.now, phrases)

    def _ask_documents(self, asked: str, found: Retrieval, phrases: AnswerPhrases) -> RememberedAnswer | None:
        """Return how documents begin where the question names nothing in them, else the sentences that come nearest."""
        analysis = analyse(asked)
        if not analysis.terms:
            return _list_found(asked, quote_opening(found.memories)[:_MOST_QUOTED], self.now, phrases)
        near = list_nearest_in_documents(found.memories, analysis, most=_MOST_GUESSED)
        return _guess(asked, near, list(near), (), self.now, phrases)

    def _make_here(self) -> Recalled:
        """Return the message itself as a memory."""
        me = self.reader
        return Recalled(_HERE, self.message, Channel.TURN, 1.0, me.name, me.id, role="user", said_at=self.now)

    def _quote(self, asked: str, found: Retrieval, phrases: AnswerPhrases) -> RememberedAnswer | None:
        """Return the sentences that answer, of memory or of the message itself."""
        reader, now = self.reader, self.now
        here = self._make_here()
        floor = FLOOR if found.known else _DOUBTED_FLOOR
        answer = _answer(asked, (here, *found.memories), reader, now, phrases, floor)
        if answer is None or answer.kind == "unknown":
            # What the message itself says was not searched for, so that no search can doubt it.
            said_here = _answer(asked, (here,), reader, now, phrases, FLOOR)
            answer = said_here if said_here is not None and said_here.kind == "answer" else answer
        return answer


def _repeats(asked: str, text: str) -> bool:
    """Return whether a text has but words of a question, and tells nothing: who wrote "gate code" asked for it."""
    told = analyse(asked).kind in _TOLD_BY_MORE and find_asking_word(asked) is not None
    return told and frozenset(split_exactly(text)) <= frozenset(split_exactly(asked)) and not states_fact(text)


_TOLD_BY_MORE: Final = frozenset({AnswerKind.PLACE, AnswerKind.NUMBER, AnswerKind.REASON, AnswerKind.ANY})
"""Kinds of questions that no text answers which has but their words, whoever said it and when."""


def _reply_to_statement(question: str, said: tuple[str, ...], phrases: AnswerPhrases, hint: str) -> RememberedAnswer:
    """Return what is said to a message that asks nothing of memory: to a statement, a request, to small talk."""
    kinds = {classify_speech(sentence) for sentence in said}
    if any(map(asks_to_forget, said)):
        return RememberedAnswer(phrases.how_to_forget + hint, (), "answer")
    if kinds <= {SpeechAct.SMALLTALK}:
        return RememberedAnswer(answer_small_talk(question, phrases) + hint, (), "smalltalk")
    if states_fact(question) or is_redacted(question):
        return RememberedAnswer(acknowledge(question, phrases) + hint, (), "acknowledged")
    if wants_reminder(question):
        return RememberedAnswer(phrases.heard + hint, (), "acknowledged")
    if kinds & {SpeechAct.REQUEST, SpeechAct.HYPOTHESIS}:
        return RememberedAnswer(f"{phrases.needs_model}{hint}", (), "unknown")
    return RememberedAnswer(phrases.heard + hint, (), "acknowledged")


def _answer(
    asked: str, memories: tuple[Recalled, ...], reader: Reader, now: datetime, phrases: AnswerPhrases, floor: float
) -> RememberedAnswer | None:
    analysis, spoken = analyse(asked), list_utterances(memories, reader)
    known = find_aliases(spoken)
    repeated = split_exactly(asked)
    evidence = [
        piece
        for piece in gather_evidence(spoken, analysis, known)
        if split_exactly(piece.text) != repeated and not is_own_phrase(piece, phrases)
    ]
    of_day = analysis.kind is not AnswerKind.YES_NO
    told = [
        doubt(piece, analysis)
        for piece in evidence
        if piece.source.role == "user" and not (of_day and names_another(piece.text, asked))
    ]
    written = () if analysis.whole else gather_from_documents(memories, analysis)
    quoted = choose_from_documents(written, max(floor, FLOOR), most=_MOST_QUOTED)
    own = analysis.own and TOGETHER.isdisjoint(split_words(asked))
    chosen = (
        _list_known_facts(spoken)
        if analysis.whole
        else _choose_best(keep_answering(told), floor, analysis.entities, own=own)
    )
    if quoted and (not chosen or quoted[0].fit > max(piece.fit for piece in chosen) + _BETTER):
        chosen = quoted
    if not chosen:
        chosen = _choose_best([piece for piece in evidence if piece.source.role != "user"], max(floor, _WEAK_FLOOR))
    if not chosen and list_read(memories, analysis, reader, MAY_ANSWER):
        return None  # what a model read as a possible answer goes before what shares words
    if not chosen:
        return _guess(asked, _choose_best(told, _UNSURE)[:1], evidence, spoken, now, phrases)
    said = [piece.text for piece in chosen]
    by_others = chosen[0].source.role == "user" and not any(is_of_whom(analysis, piece.source) for piece in chosen)
    later = [
        piece
        for piece in list_read(memories, analysis, reader, ANSWERING)
        if (
            piece.follows(chosen[0]) or (by_others and is_of_whom(analysis, piece.source)) or _is_news_by(piece, chosen)
        )
        and not any(each in piece.text for each in said)
        and not names_only_another(analysis, piece, known)
    ]
    both = sorted(put_in_turn((*later, *chosen)), key=lambda piece: not is_of_whom(analysis, piece.source))
    chosen, over = _tell_changes(asked, tuple(both[: max(_MOST, len(chosen))]), spoken, known)
    keys = [_get_key(piece) for piece in chosen]
    older = tuple(piece for n, (piece, key) in enumerate(zip(chosen, keys, strict=True)) if key and key in keys[:n])
    text = _format_told(asked, chosen, (*over, *older), spoken, known, now, phrases)
    return RememberedAnswer(_add_left_out(text, chosen, phrases), _list_sources(chosen, evidence), "answer")


def _is_news_by(piece: Evidence, told: Iterable[Evidence]) -> bool:
    """Return whether somebody said it of whom nothing is told: in a group nobody speaks for another."""
    return piece.source.role == "user" and piece.source.whose not in {each.source.whose for each in told}


def _format_told(
    asked: str,
    told: tuple[Evidence, ...],
    over: tuple[Evidence, ...],
    spoken: tuple[RecalledUtterance, ...],
    known: Aliases,
    now: datetime,
    phrases: AnswerPhrases,
) -> str:
    """Return the lines of an answer, below them what is left of a debt, with all paid back of it, or what a row is."""
    rest = compute_rest(asked, told, spoken, known)
    shown = {piece.text: piece for piece in (*(rest.payments if rest else ()), *told)}
    if rest is not None and not any(rest.debt.text in text for text in shown):
        shown[rest.debt.text] = rest.debt
    text = format_lines(tuple(shown.values()), now, phrases, replaced=over, weekday=asks_about_time(asked))
    total = phrases.rest.format(amount=rest.amount) if rest else tell_total(asked, told, spoken, known, phrases)
    return f"{text}\n{total}".rstrip()


def _add_left_out(text: str, pieces: Iterable[Evidence], phrases: AnswerPhrases) -> str:
    """Return an answer with the line that says so where a secret was left out of what it quotes."""
    return f"{text}\n{phrases.secret_left_out}" if any(is_redacted(piece.text) for piece in pieces) else text


def _tell_changes(
    asked: str, chosen: tuple[Evidence, ...], spoken: tuple[RecalledUtterance, ...], known: Aliases
) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
    """Return ``chosen`` with what has ended or changed any of it before it, and what holds no more.

    What has changed as a whole is left out.
    """
    if asks_past(asked):
        return _tell_before(asked, chosen, spoken, known)
    chosen = tuple(each for piece in chosen for each in _split_leaning(asked, piece, spoken, known))
    found = find_changes(asked, chosen, spoken, known)
    changes = {place: later for place, later in found.items() if not is_of_the_rest(later.piece, chosen[place])}
    over = tuple(one for place, one in enumerate(chosen) if place in changes and changes[place].likely)
    news = {place: later.piece for place, later in changes.items()}
    gone = [one for place, one in enumerate(chosen) if place in changes and changes[place].whole]
    over = tuple(one for one in over if one not in gone)
    told = [piece for place, one in enumerate(chosen) for piece in (news.get(place), one) if piece]
    kept = drop_repeated((*(each for each in told if each not in (*gone, *over)), *over))
    return tuple(kept)[: max(_MOST, len(chosen))], over


def _tell_before(
    asked: str, chosen: tuple[Evidence, ...], spoken: tuple[RecalledUtterance, ...], known: Aliases
) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
    """Return what holds no more before what holds, and what that is: what a question for the past asks for.

    What a message has changed is there as well, found or not; where none surely has, the last that it may have.
    """
    told = [piece for piece in chosen if piece.source.role == "user"]
    changed = {key for piece in told for key, rate in piece.source.memory.changing.items() if rate >= ANSWERING}
    shown = {piece.source.memory.key for piece in chosen}
    earlier = [said for said in spoken if said.memory.key in changed - shown]
    pieces = (*chosen, *(Evidence(said.text, said) for said in earlier))
    over = [pieces[place] for place, later in find_changes("", pieces, spoken, known).items() if later.perhaps]
    over = [piece for piece in over if any(each.follows(piece) for each in told)]
    older = [one for one in pieces if one.source.memory.key in changed and not lacks_form(analyse(asked), one.text)]
    older = [one for one in older if any(each.follows(one) for each in told)]
    over = over or sorted(older, key=lambda one: -one.age)[:1]
    return tuple(drop_repeated((*over, *(piece for piece in pieces if piece not in over))))[:_MOST], tuple(over)


def _split_leaning(
    asked: str, piece: Evidence, spoken: tuple[RecalledUtterance, ...], known: Aliases
) -> tuple[Evidence, ...]:
    """Return a message without what stands before it, and that, where it changes what it needs to be understood."""
    said, own = piece.source, Evidence(piece.source.text, piece.source, piece.fit)
    if piece.text == own.text:
        return (piece,)
    whose, ended = said.whose, end_sentence(said.memory.before)
    before = next((each for each in spoken if each.whose == whose and end_sentence(each.text) == ended), None)
    if before is None:
        return (piece,)
    earlier = Evidence(before.text, before)
    later = find_changes(asked, (earlier,), spoken, known).get(0)
    changed = later is not None and later.piece.source.memory.key == said.memory.key
    return (own, earlier) if changed else (piece,)


def _guess(
    asked: str,
    chosen: tuple[Evidence, ...],
    evidence: list[Evidence],
    spoken: tuple[RecalledUtterance, ...],
    now: datetime,
    phrases: AnswerPhrases,
) -> RememberedAnswer | None:
    """Return the sentences that come nearest, as what may answer, ``None`` when nothing comes near."""
    if not chosen:
        return None
    known = find_aliases(spoken)
    told, over = _tell_changes(asked, chosen, spoken, known)
    if not over and all(piece.source.mine for piece in told):
        told = tuple(sorted(told, key=lambda piece: piece.age, reverse=True))
    text = phrases.perhaps.format(line=_format_told(asked, told, over, spoken, known, now, phrases))
    if phrases.unknown == phrases.unread:
        text = f"{phrases.unread}\n{text}"
    return RememberedAnswer(text, _list_sources(told, evidence), "unknown")


def _list_found(
    asked: str, near: tuple[Evidence, ...], now: datetime, phrases: AnswerPhrases
) -> RememberedAnswer | None:
    """Return what was found, dated and attributed, ``None`` when that is nothing."""
    if not near:
        return None
    text = format_lines(near, now, phrases, weekday=asks_about_time(asked))
    return RememberedAnswer(_add_left_out(text, near, phrases), _list_sources(near, list(near)), "answer")


def _choose_best(
    evidence: list[Evidence], floor: float, named: frozenset[str] = frozenset(), *, own: bool = False
) -> tuple[Evidence, ...]:
    """Return at most three sentences that fit, the latest word on a matter before older ones.

    Of what is the asker's ``own`` they know best, and of what is somebody's who is ``named`` that one: what others say
    of it comes behind, however often, and so does another word of who has said one.
    """
    fits = drop_repeated([piece for piece in evidence if piece.fit >= floor])
    if not fits:
        return ()
    least = max(piece.fit for piece in fits) * _NEAR_BEST
    near = sorted(
        (piece for piece in fits if piece.fit >= least or is_by(piece.source, named)),
        key=lambda piece: (-round(piece.fit, 1), -piece.age),
    )
    theirs = {piece.source.whose: piece for piece in reversed(near) if is_by(piece.source, named)}
    near = sorted(put_in_turn(near), key=lambda piece: own and not piece.source.mine)
    near = sorted(near, key=lambda piece: piece is not theirs.get(piece.source.whose))[:_MOST]
    keys = [_get_key(piece) for piece in near]
    order = {id(piece): keys.index(key) if key else n for n, (piece, key) in enumerate(zip(near, keys, strict=True))}
    return tuple(sorted(near, key=lambda piece: (order[id(piece)], -piece.age)))


def _get_key(piece: Evidence) -> tuple[object, str] | None:
    """Return what the sentence is the latest word on (see :class:`~bot.memory.learning.statements.Fact`), and whose."""
    known = next(iter(find_facts(piece.text)), None) if piece.source.role == "user" else None
    return (piece.source.whose, known.key) if known and known.key else None


def _list_known_facts(spoken: tuple[RecalledUtterance, ...]) -> tuple[Evidence, ...]:
    """Return the newest seven facts that the asker told."""
    mine = [Evidence(text, said) for said in spoken if said.mine for text in list_statements(said) if find_facts(text)]
    return tuple(sorted(drop_repeated(mine), key=lambda piece: -piece.age)[:_MOST_TOLD])


def _list_sources(chosen: tuple[Evidence, ...], evidence: list[Evidence]) -> tuple[Recalled, ...]:
    """Return the memories that hold the chosen sentences: those quoted first, then those that repeat them."""
    said = {split_exactly(piece.text) for piece in chosen}
    pieces = (*chosen, *(piece for piece in evidence if split_exactly(piece.text) in said))
    return tuple({piece.source.memory.key: piece.source.memory for piece in pieces}.values())


_MOST_LINES: Final = 12
"""Lines that a person reads in a chat; the best of what was found."""
_NEAR_BEST_LINE: Final = 0.5
"""Share of the best line's score that a line needs which names nothing of what the question is about: a model
overlooks what is beside the point, a list shows it."""


def tell_lines(
    overview: Overview, memories: tuple[Recalled, ...], reader: Reader, now: datetime, phrases: AnswerPhrases
) -> tuple[str, tuple[Recalled, ...]] | None:
    """Return the answer and the lines that it quotes, ``None`` where the chronicle holds nothing for the question."""
    found = sorted((memory for memory in memories if memory.channel is Channel.DIGEST), key=lambda one: -one.score)
    wanted = frozenset(list_concepts(overview.subject))
    near = (
        memory
        for memory in found
        if memory.score >= _NEAR_BEST_LINE * found[0].score or not wanted.isdisjoint(list_concepts(memory.text))
    )
    shown = {memory.key for memory in itertools.islice(near, _MOST_LINES)}
    used = tuple(memory for memory in memories if memory.key in shown)
    used = tuple(sorted(used, key=lambda one: one.said_at.timestamp() if one.said_at else math.inf))
    if not used:
        return None
    pieces = [Evidence(said.text, said) for said in list_utterances(used, reader) if said.text.strip()]
    text = format_lines(
        pieces, now, phrases, heading=_choose_heading(overview, phrases), weekday=overview.chronological
    )
    return _add_left_out(text, pieces, phrases), used


def _choose_heading(overview: Overview, phrases: AnswerPhrases) -> str:
    if overview.kind is OverviewKind.DECISIONS:
        return phrases.decided
    return phrases.in_order if overview.chronological else phrases.gathered
