"""Learns the maps of :mod:`bot.memory.ranking.vectors` from facts and questions for them in other words.

``asked_facts.jsonl`` holds facts as somebody tells them (``say``), two questions for each (``ask``, ``ask2``), a
message about the same things that does not answer (``near``), and a question that neither answers (``unknown``).
Both maps are learnt by a softmax over what could be the answer ("InfoNCE", van den Oord et al. 2018): of the vector
over all messages, of the words over some, where a message counts as the mean over the question's words of the nearest
of its own (ColBERT, Khattab and Zaharia 2020).  The map of the vector is also held to rank the answer of a question
above the best message for a question without one.
Judged on thirds of the facts left out, among all messages of their language.

A third map leads from what somebody said later to what that changed, by the same softmax over all earlier messages of
the language: of the lines and streams of :mod:`benchmarks.reading.lives`, and judged on those left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from adapters.embedding.e5 import E5Embedder
from adapters.sqlite.turn_search.passages import PassageEmbedder
from benchmarks.descent import Descent
from benchmarks.reading.lives import STREAMS_HELD_OUT, Asked, read_changes, read_streams, split_off
from bot.config.folders import PROJECT, find_model_folder
from bot.memory.ranking.vectors import Floats, Ints
from harness.options import Report
from language.analyser import Analyser

FACTS: Final = Path(__file__).with_name("asked_facts.jsonl")
MAPS: Final = PROJECT / "bot" / "memory" / "ranking" / "question_map.npz"
FOLDS: Final = 3
_TOLD: Final = ("say", "near")
_ASKED: Final = ("ask", "ask2", "unknown")
_SHARPNESS: Final = np.float32(20)
"""Of the softmax over cosines."""
_L2: Final = {"vector": 1e-3, "words": 1e-4, "later": 1e-3}
_RATE: Final = {"vector": 5e-4, "words": 1e-3, "later": 5e-4}
_EPOCHS: Final = {"vector": 20, "words": 8, "later": 10}
_BATCH: Final = {"vector": 256, "words": 64, "later": 256}
_UNKNOWN: Final = np.float32(0.5)
"""Weight of questions without an answer."""
_FAR: Final = np.float32(-9)
"""Added to the cosine of texts in two languages, which are not compared: a question would learn to look for its own."""
_OTHERS: Final = 160
"""Messages beside those of a batch that its words are compared with."""


@dataclass(frozen=True, slots=True)
class EmbeddedFacts:
    """Facts embedded: vectors by field, shape (facts, dimension); word states by field, one array per fact."""

    languages: npt.NDArray[np.str_]
    vectors: dict[str, Floats]
    words: dict[str, list[Floats]]

    def pick(self, places: Ints) -> EmbeddedFacts:
        """Return some of them."""
        return EmbeddedFacts(
            self.languages[places],
            {name: values[places] for name, values in self.vectors.items()},
            {name: [states[place] for place in places.tolist()] for name, states in self.words.items()},
        )


@dataclass(frozen=True, slots=True)
class EmbeddedChanges:
    """What was said later, shape (pairs, dimension), and which of the earlier texts, each once, that changed."""

    languages: npt.NDArray[np.str_]
    later: Floats
    earlier: Floats
    places: Ints


async def learn_maps() -> Report:
    """Make the maps and return how they do on facts left out, beside no map."""
    told = [json.loads(line) for line in FACTS.read_text(encoding="utf-8").splitlines()]
    facts, model = await _embed(told)
    folds = np.arange(len(facts.languages)) % FOLDS
    figures: dict[str, list[dict[str, dict[str, float]]]] = {"before": [], "after": []}
    nothing = np.zeros((facts.vectors["say"].shape[1],) * 2, dtype=np.float32)
    for fold in range(FOLDS):
        sys.stderr.write(f"fold {fold + 1} of {FOLDS}\n")
        learnt = facts.pick(np.flatnonzero(folds != fold))
        left_out = facts.pick(np.flatnonzero(folds == fold))
        figures["before"].append(_judge(left_out, nothing, nothing))
        figures["after"].append(_judge(left_out, _learn_vector(learnt), _learn_words(learnt)))
    sys.stderr.write("all\n")
    maps = {"vector": _learn_vector(facts), "words": _learn_words(facts)}
    _pack(maps, model)
    return {
        when: {
            language: {name: round(float(np.mean([fold[language][name] for fold in found])), 1) for name in shares}
            for language, shares in found[0].items()
        }
        for when, found in figures.items()
    }


async def learn_later() -> Report:
    """Make the map of what was said later and return how often what it changed is the nearest on what is left out."""
    learnt, left_out = (
        [*lines, *streams]
        for lines, streams in zip(split_off(read_changes()), split_off(read_streams(), STREAMS_HELD_OUT), strict=True)
    )
    pairs, model = await _embed_changes(learnt)
    others, _ = await _embed_changes(left_out)
    _pack({"later": (found := _learn_later(pairs))}, model)
    return {
        when: _place("vector", _normalise(others.later + others.later @ each)[0] @ others.earlier[others.places].T)
        for when, each in (("before", np.zeros_like(found)), ("after", found))
    }


def _pack(maps: Mapping[str, Floats], model: str) -> None:
    """Put maps into the file, beside the others."""
    with np.load(MAPS) as kept:
        packed: dict[str, Any] = {**kept, "embedding": model}
    for name, values in maps.items():
        packed[f"{name}_scale"] = np.float32(np.abs(values).max() / 127)
        packed[name] = np.rint(values / packed[f"{name}_scale"]).astype(np.int8)
    np.savez_compressed(MAPS, **packed)


async def _embed_changes(asked: Sequence[Asked]) -> tuple[EmbeddedChanges, str]:
    embedder = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)
    rows = [(each, each.texts[place]) for each in asked for place in sorted(each.right | each.perhaps)]
    numbers = {text: place for place, text in enumerate(dict.fromkeys(each.first for each, _ in rows))}
    spoken = {each.first: each.language for each, _ in rows}
    later, earlier = await embedder.embed([text for _, text in rows]), await embedder.embed(list(numbers))
    embedder.close()
    places = np.array([numbers[each.first] for each, _ in rows])
    return EmbeddedChanges(np.array([spoken[text] for text in numbers]), later, earlier, places), embedder.model


async def _embed(facts: Sequence[dict[str, str]]) -> tuple[EmbeddedFacts, str]:
    """Embed as the product does, questions without the maps."""
    embedder = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)
    passages = PassageEmbedder(embedder, Analyser())
    vectors: dict[str, list[Floats]] = {name: [] for name in (*_TOLD, *_ASKED)}
    words: dict[str, list[Floats]] = {name: [] for name in vectors}
    for place, fact in enumerate(facts):
        for name in (*_TOLD, *_ASKED):
            found = await passages.embed_bare(fact[name], question=name in _ASKED, patient=True)
            vectors[name].append(found.vector)
            words[name].append(found.words)
        if place % 100 == 0:
            sys.stderr.write(f"embedded {place} of {len(facts)}\n")
    embedder.close()
    languages = np.array([fact["lang"] for fact in facts])
    return EmbeddedFacts(languages, {name: np.stack(rows) for name, rows in vectors.items()}, words), embedder.model


def _normalise(rows: Floats) -> tuple[Floats, Floats]:
    """Return the rows of length 1, and their lengths."""
    lengths: Floats = np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), np.float32(1e-9))
    return rows / lengths, lengths


def _back(gradient: Floats, rows: Floats, lengths: Floats) -> Floats:
    """Return the gradient of what was normalised to ``rows``."""
    found: Floats = (gradient - rows * (gradient * rows).sum(axis=1, keepdims=True)) / lengths
    return found


def _learn_vector(facts: EmbeddedFacts) -> Floats:
    passages = _normalise(np.concatenate([facts.vectors[name] for name in _TOLD]))[0]
    asked = np.concatenate([facts.vectors["ask"], facts.vectors["ask2"]])
    answers = np.tile(np.arange(len(facts.languages)), 2)
    spoken = np.tile(facts.languages, 2)
    unknown, chance = facts.vectors["unknown"], np.random.default_rng(0)
    learnt = Descent(np.zeros((asked.shape[1],) * 2, dtype=np.float32), 0.99)
    for _ in range(_EPOCHS["vector"]):
        for batch in _deal(chance, len(asked), _BATCH["vector"]):
            questions = asked[batch]
            mapped, lengths = _normalise(questions + questions @ learnt.values)
            right = passages[answers[batch]]
            foreign = np.where(spoken[batch][:, None] == spoken, np.float32(0), _FAR)
            change = _softmax(_SHARPNESS * (mapped @ passages.T + foreign))
            change[np.arange(len(batch)), answers[batch]] -= 1
            gradient: Floats = _SHARPNESS * (change @ passages) / np.float32(len(batch))
            drawn = chance.integers(0, len(unknown), _BATCH["vector"])
            others = unknown[drawn]
            tempted, far = _normalise(others + others @ learnt.values)
            likeness = tempted @ passages.T + np.where(spoken[drawn][:, None] == spoken, np.float32(0), _FAR)
            best = likeness.argmax(axis=1)
            gap = likeness.max(axis=1)[None] - (mapped * right).sum(axis=1)[:, None]
            wrong: Floats = _SHARPNESS * _UNKNOWN / (1 + np.exp(-_SHARPNESS * gap))
            gradient -= wrong.mean(axis=1)[:, None] * right / np.float32(len(batch))
            away: Floats = wrong.mean(axis=0)[:, None] * passages[best] / np.float32(len(others))
            slope = questions.T @ _back(gradient, mapped, lengths) + others.T @ _back(away, tempted, far)
            learnt.step(slope + _L2["vector"] * learnt.values, _RATE["vector"])
    return learnt.values


def _learn_later(pairs: EmbeddedChanges) -> Floats:
    chance, learnt = np.random.default_rng(0), Descent(np.zeros((pairs.later.shape[1],) * 2, dtype=np.float32), 0.99)
    for _ in range(_EPOCHS["later"]):
        for batch in _deal(chance, len(pairs.later), _BATCH["later"]):
            said, right = pairs.later[batch], pairs.places[batch]
            mapped, lengths = _normalise(said + said @ learnt.values)
            foreign = np.where(pairs.languages[right][:, None] == pairs.languages, np.float32(0), _FAR)
            change = _softmax(_SHARPNESS * (mapped @ pairs.earlier.T + foreign))
            change[np.arange(len(batch)), right] -= 1
            gradient: Floats = _SHARPNESS * (change @ pairs.earlier) / np.float32(len(batch))
            slope = said.T @ _back(gradient, mapped, lengths)
            learnt.step(slope + _L2["later"] * learnt.values, _RATE["later"])
    return learnt.values


def _learn_words(facts: EmbeddedFacts) -> Floats:
    told = [_normalise(states)[0] for name in _TOLD for states in facts.words[name]]
    pairs = [(place, states) for name in ("ask", "ask2") for place, states in enumerate(facts.words[name])]
    pairs = [(place, states) for place, states in pairs if len(states) and len(told[place])]
    count, chance = len(facts.languages), np.random.default_rng(0)
    spoken = np.array([facts.languages[place] for place, _ in pairs])
    learnt = Descent(np.zeros((facts.vectors["say"].shape[1],) * 2, dtype=np.float32), 0.99)
    for _ in range(_EPOCHS["words"]):
        parts = [np.flatnonzero(spoken == language) for language in np.unique(facts.languages)]
        batches = [part[batch] for part in parts for batch in _deal(chance, len(part), _BATCH["words"])]
        for batch in (batches[place] for place in chance.permutation(len(batches)).tolist()):
            language = spoken[batch[0]]
            answers = [pairs[each][0] for each in batch.tolist()]
            compared = list(dict.fromkeys([*answers, *(place + count for place in answers)]))
            own = np.flatnonzero(np.tile(facts.languages == language, 2))
            compared += chance.choice(own, min(_OTHERS, len(own)), replace=False).tolist()
            compared = [place for place in dict.fromkeys(compared) if len(told[place])]
            questions = [pairs[each][1] for each in batch.tolist()]
            right = [compared.index(place) for place in answers]
            slope = _slope_words(learnt.values, questions, [told[place] for place in compared], right)
            learnt.step(slope + _L2["words"] * learnt.values, _RATE["words"])
    return learnt.values


def _slope_words(learnt: Floats, questions: list[Floats], told: list[Floats], right: list[int]) -> Floats:
    """Return the gradient of the map of words for some questions, and the messages they are compared with."""
    asked, sizes = np.concatenate(questions), np.array([len(states) for states in questions])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    states, borders = np.concatenate(told), np.cumsum([0, *(len(each) for each in told)])
    mapped, lengths = _normalise(asked + asked @ learnt)
    likeness = mapped @ states.T
    nearest = np.stack(
        [first + likeness[:, first:last].argmax(axis=1) for first, last in pairwise(borders.tolist())], axis=1
    )
    each = np.repeat(1 / sizes, sizes).astype(np.float32)[:, None]
    met = np.take_along_axis(likeness, nearest, axis=1) * each
    change = _softmax(_SHARPNESS * np.asarray(np.add.reduceat(met, starts, axis=0), dtype=np.float32))
    change[np.arange(len(questions)), right] -= 1
    pull = np.repeat(change * np.float32(_SHARPNESS / len(questions)), sizes, axis=0) * each
    gradient = np.zeros_like(mapped)
    for place in range(len(told)):
        gradient += pull[:, place : place + 1] * states[nearest[:, place]]
    found: Floats = asked.T @ _back(gradient, mapped, lengths)
    return found


def _softmax(odds: Floats) -> Floats:
    chances = np.exp(odds - odds.max(axis=1, keepdims=True))
    shares: Floats = chances / chances.sum(axis=1, keepdims=True)
    return shares


def _deal(chance: np.random.Generator, count: int, size: int) -> list[Ints]:
    order = chance.permutation(count)
    return [order[start : start + size] for start in range(0, count, size)]


def _judge(facts: EmbeddedFacts, vector: Floats, words: Floats) -> dict[str, dict[str, float]]:
    """Return per language how often the answer is first, and among six, by the vector and by the words alone."""
    found = {}
    for language in np.unique(facts.languages).tolist():
        own = facts.pick(np.flatnonzero(facts.languages == language))
        asked = own.vectors["ask"]
        near = _normalise(asked + asked @ vector)[0] @ _normalise(own.vectors["say"])[0].T
        met = np.stack([_meet(states, own.words["say"], words) for states in own.words["ask"]])
        found[language] = {**_place("vector", near), **_place("words", met)}
    return found


def _meet(asked: Floats, told: Sequence[Floats], learnt: Floats) -> Floats:
    """Return for each message the mean over a question's words of the nearest of its own."""
    if not len(asked):
        return np.zeros(len(told), dtype=np.float32)
    mapped = _normalise(asked + asked @ learnt)[0]
    return np.array([(mapped @ _normalise(each)[0].T).max(axis=1).mean() if len(each) else -1.0 for each in told])


def _place(name: str, likeness: Floats) -> dict[str, float]:
    better = (likeness > np.diag(likeness)[:, None]).sum(axis=1)
    return {f"{name}, first": 100 * float((better < 1).mean()), f"{name}, six": 100 * float((better < 6).mean())}  # noqa: PLR2004
