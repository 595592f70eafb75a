"""Ranks the utterances of a transcript for a question: a weighted sum of signals, best passage per utterance.

A signal is how each passage relates to a question, one number per passage.  Every signal is absolute, not normalised
within a query: a score means the same whatever else is stored, so that one floor separates "known" from "not known" and
a part of the passages can be scored alone.
Lexical and late-interaction signals come three times: on the passage, reaching back two passages (an answer often
names its subject only in the question before it) and around it.
The sum is linear because few labelled conversations exist: a small network over the same signals lost three points on
conversations it had not seen.
Beyond some thousand passages only candidates are scored: the best by words and by meaning, with their neighbours.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.memory.helpfulness import COMPETING, HELPS, KNOWN, Weights, judge
from bot.memory.overviews import OverviewKind
from bot.memory.ranking import passages as cues
from bot.memory.ranking.passages import ASSISTANT, Subject, find_days, score_dates
from bot.memory.ranking.transcript import Transcript
from bot.memory.ranking.vectors import BITS, Floats, Ints, count_differing

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


Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float32] | npt.NDArray[np.uint16]


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
        self.table = transcript.passages.rows
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
    weights, rarity = postings.weigh(question.keys)
    wanted = rarity ** np.float32(_RARITY_POWER)
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
    weights = view.transcript.postings.weigh(question.words)[1] ** np.float32(_RARITY_POWER)
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
    if question.vector is not None:
        places, present = view.transcript.vector_places.find(view.rows)
        similar = _compare(view.transcript, present, question.vector)
        cosine[:] = similar.mean() if len(similar) else 0.0
        cosine[places] = similar
    sentence = _score_sentence(view, question)
    return {
        "dense": cosine,
        "dense_after": view.earlier(cosine - cosine.mean(), -1),  # nothing after it is no worse than anything
        "sentence": sentence,
        "asked_before": view.earlier(sentence * view.marked(cues.ENDS_ASKING), 1),
    }


def _compare(transcript: Transcript, places: Ints, vector: Floats) -> Floats:
    """Return how near a question's vector is to the vectors at these places."""
    vectors, scales, _ = transcript.vectors
    similar: Floats = (vectors[places].astype(np.float32) @ vector) * scales[places]
    return similar


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


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """Exact search of up to ``exact_passages``; beyond that only candidates are scored.

    Candidates are the best ``candidates`` by words and by meaning, each: of all, of the days that the question names,
    of whom it is about, of wishes where advice is asked; with their neighbours.
    """

    exact_passages: int = 3000
    candidates: int = 100


SEARCH_BUDGET: Final = SearchBudget()

ANSWER: Final = "answer_after"
"""Name of what a question gains from its answer, among the signals of a result."""

ASKED_SHARE: Final = 0.4
"""Of the distance to its answer; 0.3 to 0.5 are alike."""

SESSION_DISCOUNT: Final = 0.5
"""What a result loses for each better one of its session in a question over time; 0.2 to 1 are alike."""

_NEIGHBOURS: Final = range(-2, 5)
_RESCORED: Final = 4
"""Times as many are compared by their vectors as are chosen by them."""
_NEAR_DAYS: Final = 0.3
"""Of the bonus for a day that is named."""
_TELLING: Final = 0.05


@dataclass(frozen=True, slots=True)
class Ranked:
    """An utterance found.

    ``row`` is its best passage; ``signals`` what each signal contributed to ``score``, the largest first, after the
    certainty that it answers at all and the probability that it helps (:mod:`bot.memory.helpfulness`).
    """

    row: int
    score: float
    signals: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PartialScores:
    """The signals ``found`` by the words of a question ``text`` in a small transcript, before it is embedded."""

    view: View
    text: str
    found: dict[str, Floats]


def score_by_words(
    transcript: Transcript, question: RankingQuestion, budget: SearchBudget = SEARCH_BUDGET
) -> PartialScores | None:
    """Return what :func:`rank` need not do again for this question, ``None`` where candidates are chosen first."""
    count = len(transcript)
    if not 0 < count <= budget.exact_passages:
        return None
    view = View(transcript, np.arange(count, dtype=np.int64))
    return PartialScores(view, question.text, compute_signals(view, question, BY_WORDS))


def rank(
    transcript: Transcript,
    question: RankingQuestion,
    weights: Weights,
    limit: int,
    budget: SearchBudget = SEARCH_BUDGET,
    begun: PartialScores | None = None,
) -> tuple[Ranked, ...]:
    """Return at most ``limit`` utterances, best first; empty for an empty transcript, or where nothing comes near.

    ``begun`` is of the same transcript; it does not count when the question is another one meanwhile.
    """
    if not transcript:
        return ()
    if begun is not None and begun.text == question.text:
        view, found = begun.view, begun.found | compute_signals(begun.view, question, BY_MEANING)
    else:
        candidates = choose_candidates(transcript, question, budget)
        if not len(candidates):
            return ()
        view = View(transcript, candidates)
        found = compute_signals(view, question)
    counted = choose_weights(question, weights)
    used = {name: np.float32(counted[name]) for name in found if counted.get(name)}
    score = np.zeros(len(view), dtype=np.float32)
    for name, weight in used.items():
        score += weight * found[name]
    found[ANSWER], used[ANSWER] = compute_answer_gain(view, score), np.float32(1)
    score += found[ANSWER]
    best = choose_best_passages(view, score)
    if question.overview is not None:
        best, score = spread_over_sessions(view, score, best)
    best = best[: max(limit, COMPETING)]
    shares = _compute_contributions(found, used, best)
    here = {name: values[best] for name, values in found.items()}
    vector, words = question.vector is not None, question.states is not None
    sure, helps = judge(here, score[best], vector=vector, words=words)
    told = explain(tuple(used), shares[:limit], sure, helps)
    columns = zip(view.rows[best].tolist(), score[best].tolist(), told, strict=False)
    return tuple(Ranked(row, points, signals) for row, points, signals in columns)


def explain(names: tuple[str, ...], shares: Floats, sure: Floats, helps: Floats) -> list[Mapping[str, float]]:
    """Return why each memory was found: its certainties, then what the signals gave, the largest first, no trifles."""
    rounded = shares.round(3)
    order = np.argsort(-rounded, axis=1, kind="stable")
    told = np.take_along_axis(rounded, order, axis=1).tolist()
    rows = zip(sure.tolist(), helps.tolist(), order.tolist(), told, strict=False)
    return [
        {
            KNOWN: round(known, 3),
            HELPS: round(helpful, 4),
            **{names[n]: value for n, value in zip(places, values, strict=True) if abs(value) >= _TELLING},
        }
        for known, helpful, places, values in rows
    ]


def compute_answer_gain(view: View, score: Floats) -> Floats:
    """Return what a passage that asks gains from a better one after it: the question belongs to its answer."""
    after = view.earlier(score - score.min(), -1) + score.min()
    gained: Floats = np.float32(ASKED_SHARE) * view.marked(cues.ENDS_ASKING) * np.maximum(after - score, 0)
    return gained


def choose_best_passages(view: View, score: Floats) -> Ints:
    """Return the places of the best passage of every utterance, best first; ties go to the newer."""
    order = np.lexsort((-view.rows, -score))
    _, first = np.unique(view.column("utterance")[order], return_index=True)
    best: Ints = order[np.sort(first)]
    return best


def spread_over_sessions(view: View, score: Floats, best: Ints) -> tuple[Ints, Floats]:
    """Return the places of ``best`` and all scores, where each further result of a session counts less than the last.

    What is spread over time is told in many sessions; the fullest of them would else take all the places.
    """
    session = view.session[best]
    order = np.argsort(session, kind="stable")
    _, first, sizes = np.unique(session[order], return_index=True, return_counts=True)
    before = np.empty(len(best), dtype=np.float32)
    before[order] = np.arange(len(best)) - np.repeat(first, sizes)
    spread = score.copy()
    spread[best] -= np.float32(SESSION_DISCOUNT) * before
    return best[np.argsort(-spread[best], kind="stable")], spread


def choose_candidates(transcript: Transcript, question: RankingQuestion, budget: SearchBudget) -> Ints:
    """Return the rows worth scoring, ascending: all of a small transcript."""
    count = len(transcript)
    if count <= budget.exact_passages:
        return np.arange(count, dtype=np.int64)
    words = transcript.postings.score(question.keys)
    words[1:] += words[:-1] / 2
    near = _NearestBySign(transcript, question.vector)
    chosen = []
    for among in (None, *_list_subsets(transcript, question)):
        chosen += [_choose_top(words, budget.candidates, among), near.choose(budget.candidates, among)]
    rows = (np.concatenate(chosen)[:, None] + np.array(_NEIGHBOURS)).ravel()
    wanted = np.zeros(count, dtype=np.bool_)
    wanted[rows[(rows >= 0) & (rows < count)]] = True
    return np.flatnonzero(wanted)


def _list_subsets(transcript: Transcript, question: RankingQuestion) -> Iterator[Flags]:
    """Yield what else gives candidates of its own.

    Rows of the days that a question names, of whom it is about, and of wishes, which guide advice on anything.
    """
    table = transcript.passages.rows
    first, last = (datetime.fromtimestamp(float(table["said_at"][place]), UTC) for place in (0, -1))
    if spans := find_days(question.text, question.now, first, last):
        yield score_dates(table["said_at"].astype(np.float64), spans) > _NEAR_DAYS
    if question.subject.only is not None:
        yield table["author"] == question.subject.only
    if cues.find_wanted_features(question.text).advice and question.overview is None:
        yield (table["cues"] & cues.WISH) > 0


class _NearestBySign:
    """Finds the rows nearest to a question: those with most signs in common, then by their vectors."""

    def __init__(self, transcript: Transcript, vector: Floats | None) -> None:
        self._transcript, self._vector = transcript, vector
        self._owners = transcript.vectors[2]
        self._common = None if vector is None else BITS - count_differing(transcript.vector_signs.columns, vector)

    def choose(self, most: int, among: Flags | None) -> Ints:
        """Return at most ``most`` rows (of those marked ``among``)."""
        if self._common is None or self._vector is None:
            return np.zeros(0, dtype=np.int64)
        places = _choose_top(self._common, _RESCORED * most, None if among is None else among[self._owners])
        best = _choose_top(_compare(self._transcript, places, self._vector), most)
        rows: Ints = self._owners[places[best]].astype(np.int64)
        return rows


def choose_weights(question: RankingQuestion, weights: Weights) -> Mapping[str, float]:
    """Return the weights for what is known of a question: everything, its vector alone, or its words alone."""
    if question.vector is None:
        return weights.lexical
    return weights.full if question.states is not None else weights.vectors


def _choose_top(score: Numbers, most: int, among: Flags | None = None) -> Ints:
    """Return where the ``most`` highest scores above 0 stand, in any order (of those marked ``among``)."""
    places = np.flatnonzero(score > 0 if among is None else among & (score > 0))
    if len(places) <= most:
        return places
    inside = score[places]
    best: Ints = places[np.argpartition(inside, len(inside) - most)[len(inside) - most :]]
    return best


def _compute_contributions(found: dict[str, Floats], used: dict[str, np.float32], places: Ints) -> Floats:
    """Return for each place what each of the ``used`` signals gave to its score, shape (places, signals)."""
    shares: Floats = np.array([weight * found[name][places] for name, weight in used.items()], dtype=np.float32).T
    return shares.reshape(len(places), len(used))
