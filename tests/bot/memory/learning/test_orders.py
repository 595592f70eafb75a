"""What the words of an order say, read by what the embedding model knows of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.embedding.e5 import E5Embedder
from bot.memory.learning.kinds import KindReader, tell_order
from bot.memory.learning.orders import Order, Role


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "chuck plasters and bin bags on the flat list, ours smells like a swamp",
            "a chuck, + plasters, + bin bags, l flat, r ours smells like a swamp",
        ),
        ("add nails and take off the eggs", "a add, + nails, a take off, - the eggs"),
        ("got the oat milk", "x oat milk"),
        ("notier Trikots und Bälle auf der Vereinsliste", "a notier, + Trikots, + Bälle, l Vereinsliste"),
        ("запиши лопату и грабли в дачный список", "a запиши, + лопату, + грабли, l дачный"),
        ("My sister lives in Porto.", ""),
    ],
)
async def test_parts_are_told_in_any_wording(model_dir: Path, sentence: str, parts: str) -> None:
    """With what is to become of each thing; a statement has none."""
    model = E5Embedder(model_dir, niceness=0)
    await KindReader(model.read_sentences, model.model).read((sentence,))
    model.close()

    assert ", ".join(f"{part.role} {part.text}" for part in tell_order(sentence).parts) == parts


def test_a_sentence_that_was_not_read_has_no_parts() -> None:
    """As without the embedding model."""
    assert tell_order("put a kite on the list that nobody reads") == Order()
    assert Order().pick(Role.ADDED) == ()
