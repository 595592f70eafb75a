"""Trains the model that tells kinds of sentences, and measures it.

python -m benchmarks.kinds train|measure

It learns from ``language/*/kinds.txt`` and from the facts of ``benchmarks.recall`` with the questions for them, each
as it is written and as people type it on a phone: in small letters and without a sign at its end; and from the orders
whose parts are marked (``benchmarks/orders``).
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from adapters.embedding.e5 import E5Embedder
from benchmarks.descent import Descent
from benchmarks.orders.train import DATA as ORDERS
from benchmarks.orders.train import read_orders
from benchmarks.recall.questions import FACTS
from bot.config.folders import PROJECT, find_model_folder
from bot.memory.learning.kinds import (
    HASHED,
    LIKELY,
    SURE,
    KindModel,
    SentenceKind,
    hash_letters,
    join_states,
    load_model,
)
from harness.options import Report, run

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
KINDS: Final = tuple(SentenceKind)
L2: Final = 3e-5
STEPS: Final = 300
RATE: Final = 0.3
FOLDS: Final = 3
WEIGHTS: Final = PROJECT / "bot" / "memory" / "learning" / "kinds.npz"
_IN_FACTS: Final = dict.fromkeys(("ask", "ask2", "unknown"), SentenceKind.QUESTION) | {"say": SentenceKind.FACT}
_TYPED: Final = frozenset(
    {SentenceKind.FACT, SentenceKind.QUESTION, SentenceKind.OVERVIEW, SentenceKind.CORRECTION, SentenceKind.REQUEST}
)
"""Kinds that people type without a sign, where it tells them apart."""
_OF_ORDERS: Final = {
    "list_remove": SentenceKind.LIST_DONE,
    "list_tick": SentenceKind.LIST_DONE,
    "list_empty": SentenceKind.LIST_DONE,
    "remind": SentenceKind.REMINDER,
    "remind_cancel": SentenceKind.REMINDER_CANCEL,
    "remind_show": SentenceKind.REMINDER_SHOW,
}
"""Kinds of what the sentences with their parts marked order, where they are not called the same."""
_CHANGING: Final = frozenset({"list_change", "remind_change"})
"""Orders that look like corrections: what was put right was told less surely with them."""
_ALSO: Final = {"fact_me": "fact", "fact_other": "fact", "question_memory": "question"}


def train() -> Report:
    """Make the weights from our own sentences, and judge on thirds of them that are left out."""
    texts, kinds, languages, lines = _read_sentences()
    read = _embed(texts)
    centre = read[:, 1:].mean(axis=0)
    states = join_states(read, centre)
    letters = Letters.of(texts)
    told = np.zeros((len(texts), len(KINDS)), dtype=np.float32)
    folds = lines % FOLDS
    for fold in range(FOLDS):
        sys.stderr.write(f"fold {fold + 1} of {FOLDS}\n")
        learnt = np.flatnonzero(folds != fold)
        model = KindModel(_fit(states[learnt], letters.pick(learnt), kinds[learnt]), centre, "")
        left_out = np.flatnonzero(folds == fold)
        told[left_out] = model.tell(read[left_out], tuple(texts[place] for place in left_out))
    report = {
        language: _judge(told[languages == language], kinds[languages == language])
        for language in np.unique(languages).tolist()
    }
    weights = _fit(states, letters, kinds)
    scale = np.abs(weights).max(axis=0) / 127
    np.savez_compressed(
        WEIGHTS,
        weights=np.rint(weights / scale).astype(np.int8),
        scale=scale,
        centre=centre.astype(np.float16),
        embedding=_open_embedder().model,
        kinds=np.array([kind.value for kind in KINDS]),
    )
    return report


def measure(*, data: tuple[Path, ...]) -> Report:
    """Judge on other sentences, JSON lines of ``text`` and ``kind``, file by file."""
    return {path.stem: _measure(path) for path in data}


def _measure(path: Path) -> Report:
    entries = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    texts = [entry["text"] for entry in entries]
    kinds = np.array([KINDS.index(SentenceKind(_ALSO.get(entry["kind"], entry["kind"]))) for entry in entries])
    return _judge(load_model().tell(_embed(texts), tuple(texts)), kinds)


def _read_sentences() -> tuple[list[str], Ints, npt.NDArray[np.str_], Ints]:
    """Return sentences, their kinds and languages, and the number of the line that each is from."""
    written = [
        (SentenceKind(kind), sentence, path.parent.name)
        for path in sorted((PROJECT / "language").glob("*/kinds.txt"))
        for kind, _, sentence in (line.partition(": ") for line in path.read_text().splitlines())
    ]
    facts = [json.loads(line) for line in FACTS.read_text(encoding="utf-8").splitlines()]
    written += [(kind, fact[name], fact["lang"]) for fact in facts for name, kind in _IN_FACTS.items()]
    rows = {
        text: (KINDS.index(kind), language, line)
        for line, (kind, sentence, language) in enumerate(written)
        for text in _type(sentence, kind)
    }
    orders = [each for each in read_orders(ORDERS) if each.text not in rows and each.act not in _CHANGING]
    for line, each in enumerate(orders, start=len(written)):
        kind = _OF_ORDERS.get(each.act) or SentenceKind(each.act)
        rows[each.text] = (KINDS.index(kind), "orders", line)
    kinds, languages, lines = zip(*rows.values(), strict=True)
    return list(rows), np.array(kinds), np.array(languages), np.array(lines)


def _type(sentence: str, kind: SentenceKind) -> tuple[str, ...]:
    bare = sentence.rstrip("?!. ")
    return (sentence, f"{bare[:1].lower()}{bare[1:]}") if kind in _TYPED and bare != sentence else (sentence,)


def _embed(texts: Sequence[str]) -> Floats:
    return asyncio.run(_open_embedder().read_sentences(texts))[0]


def _open_embedder() -> E5Embedder:
    return E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)


@dataclass(frozen=True, slots=True)
class Letters:
    """What :func:`hash_letters` returns, without its zeros: the places and values of each sentence's, one by one."""

    places: tuple[Ints, ...]
    values: tuple[Floats, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Letters:
        """Return the letters of sentences."""
        rows = [hash_letters((text,))[0] for text in texts]
        places = tuple(np.flatnonzero(row) for row in rows)
        return cls(places, tuple(row[place] for row, place in zip(rows, places, strict=True)))

    def pick(self, chosen: Ints) -> Letters:
        """Return those of some sentences."""
        return Letters(tuple(self.places[each] for each in chosen), tuple(self.values[each] for each in chosen))


def _fit(states: Floats, letters: Letters, kinds: Ints) -> Floats:
    """Return weights with an L2 penalty; rare kinds weigh somewhat more."""
    wanted = np.eye(len(KINDS), dtype=np.float32)[kinds]
    shares = 1 / np.bincount(kinds, minlength=len(KINDS))[kinds]
    shares = (0.5 * shares / shares.sum() + 0.5 / len(kinds)).astype(np.float32)[:, None]
    sizes = [len(places) for places in letters.places]
    places, values = np.concatenate(letters.places), np.concatenate(letters.values)[:, None]
    starts, owners = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(kinds)), sizes)
    order = np.argsort(places, kind="stable")
    used, firsts = np.unique(places[order], return_index=True)
    width = states.shape[1]
    learnt = Descent(np.zeros((width + HASHED + 1, len(KINDS)), dtype=np.float32), 0.999)
    for step in range(1, STEPS + 1):
        weights = learnt.values
        odds = states @ weights[:width] + weights[-1]
        odds += np.add.reduceat(weights[width + places] * values, starts, axis=0)
        chances = np.exp(odds - odds.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        wrong = (chances - wanted) * shares
        gradient = np.zeros_like(weights)
        gradient[:width] = states.T @ wrong
        gradient[width + used] = np.add.reduceat(wrong[owners[order]] * values[order], firsts, axis=0)
        gradient[-1] = wrong.sum(axis=0)
        gradient[:-1] += L2 * weights[:-1]
        learnt.step(gradient, RATE * (1 - 0.95 * step / STEPS))
    return learnt.values


def _judge(told: Floats, kinds: Ints) -> Report:
    best, sure = told.argmax(axis=1), told.max(axis=1) >= SURE
    report: Report = {
        "sentences": len(kinds),
        "right": _share(best == kinds),
        "sure": _share(sure),
        "right_where_sure": _share((best == kinds)[sure]),
    }
    for place, kind in enumerate(KINDS):
        mine = kinds == place
        report[kind.value] = {
            "right": _share(best[mine] == place),
            "false": _share(told[~mine, place] >= LIKELY),
            "false_sure": _share(told[~mine, place] >= SURE),
        }
    return report


def _share(facts: npt.NDArray[np.bool_]) -> float:
    return round(100 * float(facts.mean()), 2) if len(facts) else 0.0


if __name__ == "__main__":
    run({"train": train, "measure": measure}, __doc__)
