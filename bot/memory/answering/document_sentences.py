"""Finds the sentences of documents that answer a question, and says how well each fits it.

What stands in a document is nobody's word: there is no speaker to compare, and no later word that replaces an earlier
one.  A sentence speaks under its headings, and after the sentence before it: what they name it need not name again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.memory.answering.evidence import Evidence, build_matcher
from bot.memory.answering.questions import (
    FIRST_PERSON,
    AnswerKind,
    QuestionAnalysis,
    holds_kind,
)
from bot.memory.answering.utterances import RecalledUtterance
from bot.memory.concepts import (
    list_concepts,
)
from bot.memory.items import Recalled
from bot.memory.learning.speech_acts import asks_to_keep
from bot.memory.patterns import compile_bounded, compile_words
from bot.memory.speakers import Speaker, Who
from language.sentences import split_sentences
from language.words import split_words

_BEFORE: Final = 0.9
"""What a term of the question counts that only the sentence before has; and one that only the headings have."""
_BENEATH: Final = 3
"""Sentences at the beginning of a chunk that may answer by its headings alone, sharing nothing themselves."""
_BENEATH_SHARE: Final = 0.95
_ABSENT_HERE: Final = 0.55
"""Share of its fit that a sentence keeps when it lacks the kind of thing that is asked for."""
_LONGEST: Final = 600
_RULE: Final = frozenset("|:- ")
_ROW: Final = compile_bounded(r"[^|:]{1,60}: [^|]*(?: \| [^|:]{1,60}: [^|]*)+")
"""A row that says what its values are: what the row before it has is another thing's."""
_ORDERS_PROGRAM: Final = compile_words(lambda each: each.speech.orders_program)
"""What is said to whoever reads a document by machine is nothing that it tells."""


def gather_from_documents(memories: tuple[Recalled, ...], asked: QuestionAnalysis) -> tuple[Evidence, ...]:
    """Return the sentences of documents that share something with the question, with their fit, in order."""
    found = (piece for memory in memories if memory.place is not None for piece in _rate_chunk(memory, asked))
    return tuple(piece for piece in found if piece.fit > 0)


def choose_from_documents(evidence: tuple[Evidence, ...], floor: float, *, most: int) -> tuple[Evidence, ...]:
    """Return the sentences that fit, at most ``most`` and each once, best first; of equal ones the first found."""
    fits = sorted((piece for piece in evidence if piece.fit >= floor), key=lambda piece: -round(piece.fit, 1))
    least = fits[0].fit * _NEAR_BEST if fits else 0.0
    unique = {" ".join(piece.text.casefold().split()): piece for piece in reversed(fits) if piece.fit >= least}
    return tuple(reversed(unique.values()))[:most]


_NEAR_BEST: Final = 0.8


def list_nearest_in_documents(
    memories: tuple[Recalled, ...], asked: QuestionAnalysis, *, most: int
) -> tuple[Evidence, ...]:
    """Return the best sentence of each of the first ``most`` chunks."""
    chunks = [memory for memory in memories if memory.place is not None][:most]
    best = (max(_rate_chunk(memory, asked), key=lambda piece: piece.fit, default=None) for memory in chunks)
    return tuple(piece for piece in best if piece is not None)


def quote_opening(memories: tuple[Recalled, ...]) -> tuple[Evidence, ...]:
    """Return how documents begin, for a question about one as a whole: the first chunk of each that was found."""
    first: dict[str, Recalled] = {}
    for memory in memories:
        if memory.place is not None:
            known = first.get(memory.place.uid)
            first[memory.place.uid] = memory if known is None or _get_number(memory) < _get_number(known) else known
    return tuple(
        Evidence(" ".join(memory.text.split())[:_LONGEST], _as_utterance(memory), 1.0) for memory in first.values()
    )


def _get_number(memory: Recalled) -> int:
    number = memory.key.rpartition(":")[2]
    return int(number) if number.isdecimal() else 0


def _rate_chunk(memory: Recalled, asked: QuestionAnalysis) -> Iterator[Evidence]:
    place = memory.place
    above = list_concepts(" ".join((place.name.replace("_", " "), *place.headings))) if place is not None else ()
    said = _as_utterance(memory)
    before: tuple[str, ...] = ()
    previous = ""
    for number, (sentence, head) in enumerate(_list_sentences(memory.text)):
        of_writer = asked.own and not FIRST_PERSON.isdisjoint(split_words(sentence))
        if _ORDERS_PROGRAM.search(sentence) or (of_writer and asks_to_keep(sentence)):
            continue
        own, is_row = list_concepts(sentence), bool(head) or _ROW.fullmatch(sentence) is not None
        around = (*above, *list_concepts(head))
        fit, leans = _rate(asked, sentence, own, around, () if is_row else before, opens=number < _BENEATH)
        text = f"{previous} {sentence}" if leans and previous else sentence
        yield Evidence(text[:_LONGEST], said, fit * (_ABSENT_HERE if of_writer else 1))
        before, previous = own, sentence


def _rate(
    asked: QuestionAnalysis,
    sentence: str,
    own: tuple[str, ...],
    around: tuple[str, ...],
    before: tuple[str, ...],
    *,
    opens: bool,
) -> tuple[float, bool]:
    """Return how well a sentence answers, 0..1, and whether it needs the one before it for that."""
    terms = asked.terms
    here, above, earlier = build_matcher(own, {}), build_matcher(around, {}), build_matcher(before, {})
    shared = {term for term in terms if here(term)}
    beneath = {term for term in terms.keys() - shared if above(term)}
    carried = {term for term in terms.keys() - shared - beneath if earlier(term)}
    if not terms or (not shared and not (opens and beneath)):
        return 0.0, False
    if asked.kind is not AnswerKind.YES_NO and not asked.entities <= shared | beneath | carried:
        return 0.0, False
    score = sum(terms[term] for term in shared) + _BEFORE * sum(terms[term] for term in beneath | carried)
    score /= sum(terms.values())
    if not shared:
        score *= _BENEATH_SHARE
    if not holds_kind(asked, sentence):
        score *= _ABSENT_HERE
    return score, bool(carried)


def _list_sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a chunk with the head of their table, "" outside of one; a row names its columns."""
    head: list[str] = []
    for line in _join_lines(text):
        if not line.startswith("|"):
            head = []
            yield from ((sentence, "") for sentence in split_sentences(line) if sentence.strip())
        elif set(line) <= _RULE:
            continue
        elif not head:
            head = _split_cells(line)
        else:
            cells = zip(head, _split_cells(line), strict=False)
            row = "; ".join(f"{name}: {cell}" if name else cell for name, cell in cells if cell)
            yield row, " ".join(head)


def _join_lines(text: str) -> Iterator[str]:
    """Yield lines, those that go on in small letters joined to the one before: pages break lines anywhere."""
    held = ""
    for line in text.split("\n"):
        begun = line.strip()
        if held and begun[:1].islower() and not (held.startswith("|") or _ROW.fullmatch(begun)):
            held = f"{held} {begun}"
            continue
        if held:
            yield held
        held = begun
    if held:
        yield held


def _split_cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _as_utterance(memory: Recalled) -> RecalledUtterance:
    return RecalledUtterance(memory.text, memory, "", "document", mine=False, said_at=memory.said_at, speaker=_NOBODY)


_NOBODY: Final = Speaker(Who.NOBODY)
