"""The signals of recall: how each passage relates to a question, one number per signal and passage.

Every signal is absolute, not normalised within a query: a score means the same whatever else is stored, so that one
floor separates "known" from "not known" and a part of the passages can be scored alone.
Lexical and late-interaction signals come three times: on the passage, reaching back two passages (an answer often
names its subject only in the question before it) and around it.
In a chat the speaker of a turn is metadata: "What did Anna paint?" is answered by a turn *of* Anna that says "I".
An embedding model matches names instead of content, so names of authors are taken out of what is embedded, and a
question about an author is asked in the first person: the way its answer was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.memory.overviews import OverviewKind, find_overview
from bot.memory.ranking import passages as cues
from bot.memory.ranking.binary_codes import Floats, Ints, find_places
from bot.memory.ranking.passages import find_days, score_dates
from bot.memory.ranking.transcript import Transcript
from language import alternatives, languages
from language.analyser import list_possessives

_BEFORE: Final = 2
"""How many passages count as before."""
_AROUND: Final = ((1, 0.87), (2, 0.82), (3, 0.7), (4, 0.65), (-1, 0.8), (-2, 0.7))
"""Pairs of how many passages back and what a match there counts; those before come first."""
_CARRY_WORDS: Final = 40.0
"""A longer neighbour lends less: a long answer mentions everything."""
_RARITY_POWER: Final = 0.6
"""How much rarity weighs in late interaction (1 in BM25): 0.5 to 0.75 were best."""
_SHARE_FLOOR: Final = 0.5
"""Keeps a question of common words alone from looking fully answered."""


@dataclass(frozen=True, slots=True)
class RankingQuestion:
    """A question, ready to be compared.

    ``keys`` are its distinct index terms without the names of the chat's authors; ``words`` the stems of its embedded
    words, with the state of each in ``states``, shape (words, dimension); ``vector`` is normalised.  ``vector`` is
    ``None`` and ``words`` empty while no model is there: the lexical signals carry alone.
    ``overview`` is the kind of what it asks for if that is spread over time: keys, vector and words are of its subject.
    """

    text: str
    keys: tuple[str, ...]
    subject: Subject
    now: datetime
    vector: Floats | None = None
    words: tuple[str, ...] = ()
    states: Floats | None = None
    overview: OverviewKind | None = None


class View:
    """Some rows of a transcript, ascending, with what the signals share about them.

    Neighbours are utterances, not rows: what was said before a short answer to a long message is all of that message,
    however many passages it has (measured with answers of several hundred words: +1.3 recall@10).
    """

    def __init__(self, transcript: Transcript, rows: Ints) -> None:
        self.transcript = transcript
        self.rows = rows
        self.table = transcript.table()
        """All rows; :meth:`column` gives those of the view."""
        self._chosen = self.table[rows]
        self.session = self.column("session")
        self.cues = self.column("cues").astype(np.int64)
        self.by_user = (self.column("author") != ASSISTANT).astype(np.float32)
        """1 where anybody but the assistant speaks."""
        self.words = self.column("words").astype(np.float32)
        self._carry = np.minimum(1.0, _CARRY_WORDS / np.maximum(self.words, 1.0)).astype(np.float32)
        utterance = self.column("utterance").astype(np.int64)
        self._starts = np.flatnonzero(np.diff(utterance, prepend=-1))
        self._utterances = utterance[self._starts]
        self._sessions = self.session[self._starts]
        self._links: dict[int, npt.NDArray[np.bool_]] = {}
        self._shares: dict[int, Floats] = {}
        self._places = np.repeat(np.arange(len(self._starts)), np.diff(self._starts, append=len(rows)))

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> npt.NDArray[np.generic]:
        """Return a column of the transcript at these rows."""
        column: npt.NDArray[np.generic] = self._chosen[name]
        return column

    def marked(self, bit: int) -> Floats:
        """Return 1 where a cue is present."""
        return ((self.cues & bit) > 0).astype(np.float32)

    def earlier(self, values: Floats, back: int) -> Floats:
        """Return, for each row, the best value of the utterance ``back`` before its own in the same session, else 0."""
        return self._by_passage(self._shifted(self._by_utterance(values), back))

    def reach(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the best of each row's own value and those before it, and of its own and those around it, discounted.

        A neighbour that is not there or is negative counts as 0.
        """
        lent = self._by_utterance(values * self._carry)
        near = np.zeros_like(lent)
        before = values
        for back, discount in _AROUND:
            self._lend(lent, back, discount, near)
            if back == _BEFORE:
                before = np.maximum(values, self._by_passage(near))
        return before, np.maximum(before, self._by_passage(near))

    def _lend(self, lent: Floats, back: int, discount: float, near: Floats) -> None:
        """Raise ``near`` to what the utterances ``back`` before lend, in their session."""
        here, there = self._pair(back)
        share = self._shares.get(back)
        if share is None:
            share = self._shares[back] = self._linked(back) * np.float32(discount)
        np.maximum(near[..., here], lent[..., there] * share, out=near[..., here])

    def _shifted(self, values: Floats, back: int) -> Floats:
        """Return, for each utterance, the value ``back`` utterances before it in its session, 0 where there is none."""
        found = np.zeros_like(values)
        here, there = self._pair(back)
        np.multiply(values[..., there], self._linked(back), out=found[..., here])
        return found

    def _pair(self, back: int) -> tuple[slice, slice]:
        """Return where the utterances stand that have one ``back`` before them, and where those stand."""
        size = max(len(self._starts) - abs(back), 0)
        later, earlier = slice(len(self._starts) - size, None), slice(0, size)
        return (later, earlier) if back > 0 else (earlier, later)

    def _linked(self, back: int) -> npt.NDArray[np.bool_]:
        """Return, for each such pair, whether nothing is left out between them and their session is the same."""
        linked = self._links.get(back)
        if linked is None:
            here, there = self._pair(back)
            adjacent = self._utterances[here] - self._utterances[there] == back
            linked = self._links[back] = adjacent & (self._sessions[here] == self._sessions[there])
        return linked

    def _by_utterance(self, values: Floats) -> Floats:
        """Return the best value of each utterance, of one per row."""
        if len(self._starts) == len(self):
            return values
        best: Floats = np.maximum.reduceat(values, self._starts, axis=-1)
        return best

    def _by_passage(self, values: Floats) -> Floats:
        """Return one value per row, of one per utterance."""
        return values if len(self._starts) == len(self) else values[..., self._places]


def score_words(view: View, question: RankingQuestion) -> dict[str, Floats]:
    """Return BM25 of the passage, with what its predecessors said, and with what is around it."""
    postings = view.transcript.postings
    matches = postings.matches(question.keys, view.rows)
    idf = [postings.idf(key) for key in question.keys]
    weights = np.array(idf, dtype=np.float32)
    wanted = np.array([known or postings.idf_unknown for known in idf], dtype=np.float32) ** np.float32(_RARITY_POWER)
    both = np.concatenate([matches, matches > 0])
    before, around = view.reach(both)
    count = len(matches)
    own = weights @ matches
    return {
        "lexical": own,
        "lexical_before": weights @ before[:count],
        "lexical_around": weights @ around[:count],
        "lexical_share": own / (weights.sum() + np.float32(_SHARE_FLOOR)),
        "met": wanted @ around[count:] / (wanted.sum() + np.float32(_SHARE_FLOOR)),
    }


def score_late_interaction(view: View, question: RankingQuestion) -> dict[str, Floats]:
    """Return late interaction: for each word of the question its nearest word in the passage, weighed by rarity.

    ``least`` is the similarity of the worst met word, ``late_share`` how much of all that could be met is met around.
    """
    if question.states is None or not len(question.states):
        nothing = np.zeros(len(view), dtype=np.float32)
        return dict.fromkeys(("late", "late_before", "late_around", "least", "late_share"), nothing)
    postings = view.transcript.postings
    rarity = [postings.idf(word) or postings.idf_unknown for word in question.words]
    weights = np.array(rarity, dtype=np.float32) ** np.float32(_RARITY_POWER)
    matches = view.transcript.word_codes.nearest(view.rows, question.states)
    before, around = view.reach(matches)
    met = weights @ around
    return {
        "late": weights @ matches,
        "late_before": weights @ before,
        "late_around": met,
        "least": np.minimum.reduce(matches, axis=0),
        "late_share": met / (weights.sum() + np.float32(_SHARE_FLOOR)),
    }


def score_meaning(view: View, question: RankingQuestion) -> dict[str, Floats]:
    """Return how near the question is to the passage, to the one after, and to the passage's best sentence.

    A passage is embedded with the end of the one before it, so that one counts without a signal of its own; but for
    ``asked_before``: how near the question is to the one that the passage before asks.
    """
    cosine = np.zeros(len(view), dtype=np.float32)
    vectors, scales, owners = view.transcript.vectors
    if question.vector is not None and len(owners):
        places, present = find_places(view.rows, owners)
        similar = (vectors[present].astype(np.float32) @ question.vector) * scales[present]
        cosine[:] = similar.mean() if len(similar) else 0.0
        cosine[places] = similar
    sentence = _score_sentence(view, question)
    return {
        "dense": cosine,
        "dense_after": view.earlier(cosine, -1),
        "sentence": sentence,
        "asked_before": view.earlier(sentence * view.marked(cues.ENDS_ASKING), 1),
    }


def _score_sentence(view: View, question: RankingQuestion) -> Floats:
    if question.vector is None:
        return np.zeros(len(view), dtype=np.float32)
    best: Floats = view.transcript.sentence_codes.nearest(view.rows, question.vector[None])[0]
    return best


def score_speaker(view: View, question: RankingQuestion) -> dict[str, Floats]:
    """Return whether the passage's author is whom the question is about, and how many tries its message has."""
    author = view.column("author")
    only, first = question.subject.only, question.subject.first
    nobody = np.zeros(len(view), dtype=np.float32)
    return {
        "speaker": nobody if only is None else (author == only).astype(np.float32),
        "first_speaker": nobody if first is None else (author == first).astype(np.float32),
        "assistant": nobody if only is not None else (author == ASSISTANT).astype(np.float32),
        "pieces": np.log(np.maximum(view.column("pieces").astype(np.float32), 1.0)),
    }


def score_time(view: View, question: RankingQuestion) -> dict[str, Floats]:
    """Return nearness to the days a question names, and time expressions where it asks when."""
    said_at = view.table["said_at"].astype(np.float64)
    first, last = (datetime.fromtimestamp(said_at[place], UTC) for place in (0, -1))
    asked = cues.find_wanted_features(question.text).time
    return {
        "date": score_dates(said_at[view.rows], find_days(question.text, question.now, first, last)),
        "when": view.marked(cues.TIME) * asked,
        "when_vaguely": view.marked(cues.VAGUE_TIME) * asked,
    }


def score_form(view: View, question: RankingQuestion) -> dict[str, Floats]:
    """Return the form of the passage: a question, an answer, personal, with a number, a name or a reason asked for."""
    asked = cues.find_wanted_features(question.text)
    return {
        "ends_asking": view.marked(cues.ENDS_ASKING),
        "answers": view.earlier(view.marked(cues.ASKS), 1),
        "number": view.marked(cues.NUMBER) * asked.number,
        "name_wanted": view.marked(cues.NAME) * asked.name,
        "reason": view.marked(cues.REASON) * asked.reason,
        "personal": view.marked(cues.FIRST_PERSON),
        "news": view.marked(cues.NEWS) * asked.several,
    }


def score_talk(view: View, question: RankingQuestion) -> dict[str, Floats]:
    """Return what a user's message is in a talk with an assistant, less the less the chat is one.

    There a wish ("always …", "I prefer …") guides advice whatever else the advice is about, a question is
    a request that tells what its author is at, and what is summed up is both sides' words.
    """
    talk = np.float32(view.transcript.talk)
    said = view.by_user * talk
    wish = view.marked(cues.WISH) * said
    return {
        "wish": wish,
        "wish_wanted": wish * (cues.find_wanted_features(question.text).advice and question.overview is None),
        "request": view.marked(cues.ENDS_ASKING) * said,
        "summed_up": (talk - said) * (question.overview is OverviewKind.SUMMARY),
    }


Group = Callable[[View, RankingQuestion], dict[str, Floats]]
BY_WORDS: Final[tuple[Group, ...]] = (score_words, score_speaker, score_time, score_form, score_talk)
BY_MEANING: Final[tuple[Group, ...]] = (score_late_interaction, score_meaning)
"""Those that need the question embedded."""
GROUPS: Final[tuple[Group, ...]] = (*BY_WORDS, *BY_MEANING)


def compute_signals(view: View, question: RankingQuestion, groups: tuple[Group, ...] = GROUPS) -> dict[str, Floats]:
    """Return every signal of the groups by name, one value per row of the view."""
    return {name: values for group in groups for name, values in group(view, question).items()}


ASSISTANT: Final = -1
"""The place of the assistant among the authors of a chat."""

_LEAST_NICKNAME: Final = 3
_INFLECTED: Final = 5
_PERSONS: Final = tuple(each.persons for each in languages())
_FIRST: Final = re.compile(rf"\b{alternatives(each.asker for each in _PERSONS)}\b")
_SECOND: Final = re.compile(rf"\b{alternatives(each.listener for each in _PERSONS)}\b", re.IGNORECASE)
_ANSWERED: Final = re.compile(alternatives(each.asks_what_was_answered for each in _PERSONS), re.IGNORECASE)
_TOLD: Final = re.compile(alternatives(each.asks_what_was_told for each in _PERSONS))
_YOU_DID: Final = re.compile(rf"^\W*{alternatives(each.asks_what_was_done for each in _PERSONS)}", re.IGNORECASE)
"""Who does it is asked for, though "my" stands in the question, too: "Which hotel did you find for my trip?"."""
_CONJOINED: Final = re.compile(rf"\b{alternatives(each.together for each in _PERSONS)}\b", re.IGNORECASE)
_DECLINED: Final = tuple(
    (re.compile(f"[{each.letters}]", re.IGNORECASE), each.letters, each.persons.name_vowels)
    for each in languages()
    if each.letters and each.persons.name_vowels
)
"""Languages that decline names: their letters as a pattern and as a class, and the letters that a name loses."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a question is about.

    ``only`` is the one author it names or means; ``first`` the first of several.  Both are places in the list of names
    that was given, or :data:`ASSISTANT`; ``None`` when nobody is meant.  ``named`` are all places mentioned, in order.
    """

    only: int | None = None
    first: int | None = None
    named: tuple[int, ...] = ()


def find_subject(question: str, names: tuple[str, ...], asker: int | None) -> Subject:
    """Return whom ``question`` is about.

    ``names`` are the names of the chat's authors, ``asker`` the place of who asks, ``None`` for somebody who never
    spoke here: then "I" means nobody.
    """
    found = sorted((match.start(), place) for place, name in enumerate(names) if (match := _search(name, question)))
    named = tuple(place for _, place in found)
    if len(named) > 1:
        return Subject(first=None if _CONJOINED.search(question) else named[0], named=named)
    if named:
        return Subject(only=named[0], named=named)
    if asker is None:
        return Subject()
    return Subject(only=_find_person(question, asker))


def _find_person(question: str, asker: int) -> int | None:
    """Return who "I" and "you" mean: a question for what the assistant said may well hold "me"."""
    if _ANSWERED.search(question) and not _TOLD.search(question):
        return ASSISTANT
    if _YOU_DID.search(question):
        return ASSISTANT
    if _FIRST.search(question):
        return asker
    return ASSISTANT if _SECOND.search(question) else None


def find_focus(question: str, fold: Callable[[str], str]) -> str | None:
    """Return what a question over time or over everything is about; ``None`` for another, and where nothing is left.

    The words that only ask ("in what order", "throughout our conversations") outweigh its subject, and are themselves
    found wherever somebody talks about talking.  ``fold`` gives "" for words without a subject.
    """
    overview = find_overview(question)
    if overview is None:
        return None
    return " ".join(word for word in overview.subject.split() if fold(word)) or None


def remove_names(text: str, names: Iterable[str]) -> str:
    """Return a passage without the names of the chat's authors, for embedding."""
    for pattern in filter(None, map(_compile_name, names)):
        text = pattern.sub("", text)
    return re.sub(r"\s{2,}", " ", text).strip()


def rewrite_in_first_person(question: str, names: Iterable[str]) -> str:
    """Return a question with the names of the chat's authors as "I" and "my": as the answer was said."""
    for pattern in filter(None, map(_compile_name, names)):
        question = pattern.sub(lambda match: "my" if match.group().endswith(list_possessives()) else "I", question)
    return question.strip()


def _search(name: str, text: str) -> re.Match[str] | None:
    pattern = _compile_name(name)
    return pattern.search(text) if pattern else None


@lru_cache(maxsize=4096)
def _compile_name(name: str) -> re.Pattern[str] | None:
    """Return what finds a name: its first word, its nicknames that are a prefix ("Mel"), its cases."""
    words = re.findall(r"[^\W\d_]{2,}", name)
    if not words or not words[0][0].isupper():
        return None
    first = words[0]
    owner = f"{alternatives(list_possessives())}?"
    forms = [re.escape(first) + owner]
    declined = next(((letters, vowels) for own, letters, vowels in _DECLINED if own.match(first)), None)
    if declined and len(first) >= _LEAST_NICKNAME:
        letters, vowels = declined
        forms = [rf"{re.escape(first.rstrip(vowels))}[{letters}]{{0,3}}"]
    elif len(first) >= _INFLECTED:
        forms += [re.escape(first[:size]) + owner for size in range(len(first) - 1, _LEAST_NICKNAME - 1, -1)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
