"""``python -m benchmarks.orders train``: train what reads orders, and say how much of those it reads is right.

A line more in ``orders.jsonl`` is a sentence more.  Figures are of the sentences of three authors, each read by what
was trained on the others, or, with ``measure``, of files of other sentences: per act the share whose things are all
right, but for an article, and what is to become of each; and the lists, times, new values and reasons among those that
have any.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from adapters.embedding.e5 import E5Embedder
from benchmarks.orders.train import DATA, Example, fit, read_orders, tag
from bot.config.folders import PROJECT, find_model_folder
from bot.memory.learning.orders import OUTCOMES, WEIGHTS, OrderModel, Part, Role, load_order_model
from bot.memory.names import find_words, make_rows
from harness.options import Report, run
from language import languages

_LEFT_OUT: Final = 3
_ARTICLES: Final = frozenset[str]().union(*(each.lists.articles for each in languages()))
_JUDGED: Final = {
    "things": OUTCOMES,
    "list": (Role.LIST,),
    "time": (Role.TIME,),
    "new": (Role.NEW,),
    "why": (Role.REASON,),
}


async def train(*, seed: int = 1, folds: int = _LEFT_OUT) -> Report:
    """Judge ``folds`` authors, then train on everything and write the weights."""
    examples = await _read(DATA)
    report = Counter[tuple[str, str]]()
    for author in sorted({each.order.author for each in examples})[:folds]:
        model = fit([each for each in examples if each.order.author != author], seed)
        report += _judge([each for each in examples if each.order.author == author], model)
    _write(fit(examples, seed), WEIGHTS)
    return {"sentences": len(examples), **_share(report), "bytes": WEIGHTS.stat().st_size}


async def measure(*, data: tuple[Path, ...]) -> Report:
    """Judge on other sentences, file by file."""
    return {path.stem: _share(_judge(await _read(path), load_order_model())) for path in data}


async def _read(path: Path) -> list[Example]:
    embedder = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)
    orders = read_orders(path)
    _, read = await embedder.read_sentences([each.text for each in orders])
    embedder.close()
    words = [find_words(each.text) for each in orders]
    return [
        Example(order, own, make_rows(order.text, own, states.pieces, states.spans), tag(order, own))
        for order, own, states in zip(orders, words, read, strict=True)
        if own
    ]


def _judge(examples: Sequence[Example], model: OrderModel) -> Counter[tuple[str, str]]:
    """Count what was to be told, and, under "right", what was."""
    found = Counter[tuple[str, str]]()
    for each in examples:
        act = each.order.act if each.order.parts else "none"
        told = model.read_rows(each.order.text, each.words, each.rows)
        for name, roles in _JUDGED.items():
            wanted = _pick(each.order.parts, roles)
            if wanted or name == "things":
                found[act, name] += 1
                found[act, f"{name} right"] += _pick(told.parts, roles) == wanted
    return found


def _pick(parts: Iterable[Part], roles: tuple[Role, ...]) -> list[tuple[Role, str]]:
    return [(part.role, _bare(part.text)) for part in parts if part.role in roles]


def _bare(text: str) -> str:
    words = text.casefold().strip(" .,;:!?").split()
    while len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    return " ".join(words)


def _share(judged: Counter[tuple[str, str]]) -> Report:
    """Return per cent, with how many there were."""
    return {
        f"{act} {name}": f"{100 * judged[act, f'{name} right'] / count:.0f} % of {count}"
        for (act, name), count in sorted(judged.items())
        if not name.endswith("right")
    }


def _write(model: OrderModel, path: Path) -> None:
    """Write the weights, those of the first layers as int8 with a scale per input."""
    packed: dict[str, Any] = {"opens": model.opens, "follows": model.follows}
    for name, network in (("words", model.words), ("things", model.things)):
        scale = np.maximum(np.abs(network.first).max(axis=1, keepdims=True), 1e-12) / 127
        packed |= {
            f"{name}_first": np.rint(network.first / scale).astype(np.int8),
            f"{name}_scale": scale.astype(np.float32),
            f"{name}_first_bias": network.first_bias.astype(np.float32),
            f"{name}_second": network.second.astype(np.float16),
            f"{name}_second_bias": network.second_bias.astype(np.float32),
        }
    np.savez_compressed(path, **packed)


if __name__ == "__main__":
    run({"train": train, "measure": measure}, __doc__)
