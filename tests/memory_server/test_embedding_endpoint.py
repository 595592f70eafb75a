"""Embeddings from an OpenAI-compatible endpoint."""

import json

import httpx
import numpy as np
import pytest
import respx

from memory_server.embedding import EndpointEmbedder, embed_windows
from memory_server.errors import ConfigInvalid, EmbeddingUnavailable

URL = "https://models.example/v1/embeddings"


def answer(request: httpx.Request) -> httpx.Response:
    """Answer like a provider, in reverse order."""
    texts = json.loads(request.content)["input"]
    rows = [{"index": i, "embedding": [float(len(text)), 1.0, 0.0]} for i, text in enumerate(texts)]
    return httpx.Response(200, json={"data": rows[::-1]})


def embedder(dimension: int = 3, attempts: int = 1) -> EndpointEmbedder:
    """Return an embedder of three-dimensional vectors."""
    return EndpointEmbedder(
        "https://models.example/v1", "secret-key", "m", dimension, httpx.AsyncClient(), attempts=attempts
    )


async def test_rows_come_back_in_order_and_normalised(respx_mock: respx.Router) -> None:
    """The answer's order does not matter, its index does; more texts than fit a request are split."""
    route = respx_mock.post(URL).mock(side_effect=answer)
    texts = ["x" * n for n in range(1, 101)]

    vectors = await embedder().embed(texts)

    assert route.call_count == 2
    assert vectors.shape == (100, 3)
    assert np.allclose(vectors[:, 0] / vectors[:, 1], range(1, 101))
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


async def test_a_text_seen_before_is_not_asked_again(respx_mock: respx.Router) -> None:
    """The second call for the same text needs no request."""
    route = respx_mock.post(URL).mock(side_effect=answer)
    model = embedder()

    await model.embed(["hello"])
    await model.embed(["hello"])

    assert route.call_count == 1


@pytest.mark.parametrize("status", [401, 500])
async def test_an_error_is_named_without_the_key(respx_mock: respx.Router, status: int) -> None:
    """An HTTP error becomes EmbeddingUnavailable with the status and without the key."""
    respx_mock.post(URL).mock(return_value=httpx.Response(status, text="secret-key"))

    with pytest.raises(EmbeddingUnavailable, match=str(status)) as caught:
        await embedder().embed(["hello"])

    assert "secret-key" not in str(caught.value)


async def test_a_busy_endpoint_is_asked_again(respx_mock: respx.Router) -> None:
    """One 429 does not fail the call."""
    respx_mock.post(URL).mock(
        side_effect=[httpx.Response(429), answer(httpx.Request("POST", URL, json={"input": ["a"]}))]
    )

    vectors = await embedder(attempts=2).embed(["a"])

    assert vectors.shape == (1, 3)


@pytest.mark.parametrize("body", ["<html>", "{}", '{"data": []}', '{"data": [{"index": 0, "embedding": "x"}]}'])
async def test_garbage_is_not_taken_for_vectors(respx_mock: respx.Router, body: str) -> None:
    """An answer of another shape becomes EmbeddingUnavailable."""
    respx_mock.post(URL).mock(return_value=httpx.Response(200, text=body))

    with pytest.raises(EmbeddingUnavailable):
        await embedder().embed(["hello"])


async def test_another_dimension_is_refused(respx_mock: respx.Router) -> None:
    """A model that returns other lengths than configured is a configuration error, never mixed in."""
    respx_mock.post(URL).mock(side_effect=answer)

    with pytest.raises(ConfigInvalid, match="3 numbers"):
        await embedder(dimension=4).embed(["hello"])


async def test_unreachable_is_temporary(respx_mock: respx.Router) -> None:
    """A refused connection becomes EmbeddingUnavailable."""
    respx_mock.post(URL).mock(side_effect=httpx.ConnectError("no"))

    with pytest.raises(EmbeddingUnavailable, match="cannot be reached"):
        await embedder().embed(["hello"])


class Reader:
    """An endpoint whose model reads so many words: it ignores the rest, or refuses it with these words."""

    def __init__(self, words: int, refusal: str = "", status: int = 400) -> None:
        self._words, self._refusal, self._status = words, refusal, status

    def __call__(self, request: httpx.Request) -> httpx.Response:
        texts = [text.split() for text in json.loads(request.content)["input"]]
        if self._refusal and any(len(text) > self._words for text in texts):
            return httpx.Response(self._status, text=self._refusal)
        rows = []
        for place, text in enumerate(texts):
            vector = np.zeros(64)
            for word in text[: self._words]:
                vector[sum(word.encode()) % 64] += 1
            rows.append({"index": place, "embedding": vector.tolist()})
        return httpx.Response(200, json={"data": rows})


LONG = " ".join(f"w{number}" for number in range(900)) + " zebra"


@pytest.mark.parametrize("words", [100, 200, 5000])
async def test_a_limit_that_nobody_set_is_measured(respx_mock: respx.Router, words: int) -> None:
    """An endpoint that silently ignores the end of a text gives itself away; every word is in a part that is read."""
    respx_mock.post(URL).mock(side_effect=Reader(words))
    model = embedder(64)

    parts, rows = await embed_windows(model, [LONG])

    assert max(len(part.split()) for part in parts[0]) <= words
    assert {word for part in parts[0] for word in part.split()} == set(LONG.split())
    assert len(rows) == len(parts[0])
    assert model.window_tokens <= 512 * 0.75


REFUSALS = (
    "This model's maximum context length is 300 tokens, however you requested 1200 tokens.",
    '{"error":"Input validation error: `inputs` must have less than 300 tokens. Given: 1200"}',
    "input is too large to process. increase the physical batch size",
    "The input exceeds the maximum length",
)


@pytest.mark.parametrize("refusal", REFUSALS)
@pytest.mark.parametrize("tokens", [None, 4096])
async def test_a_limit_is_learned_from_a_refusal(respx_mock: respx.Router, refusal: str, tokens: int | None) -> None:
    """Whether its number is told or not, whatever was set: the text is cut anew and all of it embedded.

    Mutation check: without learning, the document would wait for ever.
    """
    status = 500 if "physical" in refusal else 400
    respx_mock.post(URL).mock(side_effect=Reader(150, refusal, status))
    http = httpx.AsyncClient()
    model = EndpointEmbedder("https://models.example/v1", "", "m", 64, http, attempts=1, window_tokens=tokens)

    parts, rows = await embed_windows(model, [LONG])

    assert max(len(part.split()) for part in parts[0]) <= 150
    assert {word for part in parts[0] for word in part.split()} == set(LONG.split())
    assert len(rows) == len(parts[0])


async def test_an_endpoint_that_refuses_every_length_is_an_outage(respx_mock: respx.Router) -> None:
    """It is not asked for ever."""
    route = respx_mock.post(URL).mock(side_effect=Reader(0, "the input is too long"))

    with pytest.raises(EmbeddingUnavailable):
        await embed_windows(embedder(64), [LONG])

    assert route.call_count < 20
