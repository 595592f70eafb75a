"""The local model word by word: real weights, small texts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from adapters.embedding.e5 import E5Embedder, E5WordEmbedder
from bot.ports.embedder import WordEmbedder, WordVectors

TEXTS = ("I adopted a puppy yesterday.", "Наш пёс спит", "", "567-G0 \ud800 🎹")


@pytest.fixture
async def words(model_dir: Path) -> AsyncIterator[E5WordEmbedder]:
    """The embedder, loaded."""
    embedder = E5WordEmbedder(model_dir, niceness=0)
    embedder.load()
    yield embedder
    embedder.close()


async def test_vectors_are_those_of_the_plain_embedder(words: E5WordEmbedder, model_dir: Path) -> None:
    """The extra output changes nothing: same vectors, same model name, either can stand for the other."""
    plain = E5Embedder(model_dir, niceness=0)
    expected = await plain.embed(TEXTS[:2])
    plain.close()

    assert np.allclose(await words.embed(TEXTS[:2]), expected, atol=1e-6)
    assert words.model == plain.model
    assert isinstance(words, WordEmbedder)


async def test_spans_point_at_the_words(words: E5WordEmbedder) -> None:
    """Each piece has a state and stands where its span says, also behind odd characters."""
    (found,) = await words.embed_words([TEXTS[0]])
    said = [TEXTS[0][start:end] for start, end in found.spans]

    assert "puppy" in said
    assert found.pieces.shape == (len(said), words.dimension)


async def test_near_words_have_near_states(words: E5WordEmbedder) -> None:
    """A puppy is nearer to a dog than to taxes."""
    puppy, dog, taxes = [
        each.pieces.mean(axis=0) for each in await words.embed_words(["my puppy", "my dog", "my taxes"])
    ]

    def cosine(one: np.ndarray, other: np.ndarray) -> float:
        return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))

    assert cosine(puppy, dog) > cosine(puppy, taxes)


async def test_a_text_asked_for_twice_at_once_is_embedded_once(words: E5WordEmbedder) -> None:
    """Both parts of memory ask with the same question; the second waits for the first, also if that one gives up."""
    runs: list[str] = []
    encode = words._encode

    def counted(prefix: str, text: str) -> WordVectors:
        runs.append(text)
        return encode(prefix, text)

    words._encode = counted  # type: ignore[method-assign]  # counts the runs
    first = asyncio.ensure_future(words.embed_words(["Where does Vera live?"], question=True))
    second = asyncio.ensure_future(words.embed(["Where does Vera live?"], question=True))
    await asyncio.sleep(0)
    first.cancel()

    assert (await second).shape == (1, 384)
    assert first.cancelled()
    assert runs == ["Where does Vera live?"]


async def test_what_is_forgotten_while_it_runs_is_not_kept(words: E5WordEmbedder) -> None:
    """An erased text stays nowhere."""
    asked = asyncio.ensure_future(words.embed(["An erased secret."]))
    await asyncio.sleep(0)
    words.forget()
    await asked

    assert not words._known


async def test_odd_texts_give_some_valid_vector(words: E5WordEmbedder) -> None:
    """Empty, Cyrillic, surrogates and emoji: normalised and finite, patient or not."""
    found = await words.embed_words(TEXTS, patient=True)

    assert all(abs(float(np.linalg.norm(each.vector)) - 1) < 1e-3 for each in found)
    assert (await words.embed([])).shape == (0, words.dimension)
