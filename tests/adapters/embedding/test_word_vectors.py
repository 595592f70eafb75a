"""The local model word by word: real weights, small texts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from adapters.embedding.e5 import E5Embedder, Loaded, Read
from bot.ports.embedder import WordEmbedder

TEXTS = ("I adopted a puppy yesterday.", "Наш пёс спит", "", "567-G0 \ud800 🎹")


@pytest.fixture
async def words(model_dir: Path) -> AsyncIterator[E5Embedder]:
    """The embedder, loaded."""
    embedder = E5Embedder(model_dir, niceness=0)
    embedder.load()
    yield embedder
    embedder.close()


async def test_spans_point_at_the_words(words: E5Embedder) -> None:
    """Each piece has a state and stands where its span says, also behind odd characters."""
    (found,) = await words.embed_words([TEXTS[0]])
    said = [TEXTS[0][start:end] for start, end in found.spans]

    assert "puppy" in said
    assert found.pieces.shape == (len(said), words.dimension)


async def test_near_words_have_near_states(words: E5Embedder) -> None:
    """A puppy is nearer to a dog than to taxes."""
    puppy, dog, taxes = [
        each.pieces.mean(axis=0) for each in await words.embed_words(["my puppy", "my dog", "my taxes"])
    ]

    def cosine(one: np.ndarray, other: np.ndarray) -> float:
        return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))

    assert cosine(puppy, dog) > cosine(puppy, taxes)


@pytest.fixture
def runs(words: E5Embedder, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the model was run over."""
    seen: list[str] = []
    read = Loaded.read

    def counted(self: Loaded, text: str, prefix: str) -> Read:
        seen.append(text)
        return read(self, text, prefix)

    monkeypatch.setattr(Loaded, "read", counted)
    return seen


async def test_a_question_asked_twice_at_once_is_embedded_once(words: E5Embedder, runs: list[str]) -> None:
    """Both parts of memory ask with the same question; the second waits for the first, also if that one gives up."""
    first = asyncio.ensure_future(words.embed_words(["Where does Vera live?"], question=True))
    second = asyncio.ensure_future(words.embed(["Where does Vera live?"], question=True))
    await asyncio.sleep(0)
    first.cancel()

    assert (await second).shape == (1, 384)
    assert first.cancelled()
    assert runs == ["Where does Vera live?"]


async def test_a_message_its_memory_and_its_names_are_one_run(words: E5Embedder, runs: list[str]) -> None:
    """At once, as a turn leaves them, and soon after."""
    said, remembered = await asyncio.gather(words.embed_words(TEXTS[:1], patient=True), words.embed(TEXTS[:1]))
    states = await words.read_states(TEXTS[0])

    assert runs == [TEXTS[0]]
    assert np.array_equal(said[0].vector, remembered[0])
    assert np.array_equal(states.spans, said[0].spans)
    assert not np.allclose(states.pieces, said[0].pieces)


async def test_no_more_is_kept_than_fits(model_dir: Path, runs: list[str]) -> None:
    """The text before the last goes, and is run again."""
    words = E5Embedder(model_dir, kept_bytes=50_000)
    for text in ("one", "two " * 12, "one"):
        await words.embed([text])
    words.close()

    assert runs == ["one", "two " * 12, "one"]
    assert words._known.currsize <= 50_000


async def test_what_is_forgotten_while_it_runs_is_not_kept(words: E5Embedder) -> None:
    """An erased text stays nowhere, embedded or read beside a question."""
    asked = asyncio.ensure_future(words.embed(["An erased secret."]))
    rated = asyncio.ensure_future(words.rate_answers("What is it?", ["An erased secret."], [0.1]))
    await asyncio.sleep(0)
    words.forget()
    await asyncio.gather(asked, rated)

    assert not words._known


async def test_odd_texts_give_some_valid_vector(words: E5Embedder) -> None:
    """Empty, Cyrillic, surrogates and emoji: normalised and finite, patient or not."""
    found = await words.embed_words(TEXTS, patient=True)

    assert all(abs(float(np.linalg.norm(each.vector)) - 1) < 1e-3 for each in found)
    assert (await words.embed([])).shape == (0, words.dimension)
    assert isinstance(words, WordEmbedder)
