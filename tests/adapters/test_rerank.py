"""The contracts of Cohere's and Jina's rerank endpoints, and what becomes of every fault."""

from __future__ import annotations

import json
from dataclasses import replace

import httpx
import pytest
import respx

from adapters.rerank import COHERE, JINA, HttpReranker, Provider
from bot.errors import ModelRefused, ModelUnavailable
from bot.memory.items import Channel, Recalled

FOUND = tuple(Recalled(f"chunk:{number}", f"text {number}", Channel.CHUNK, 1.0 / (number + 1)) for number in range(3))
BEST_LAST = {"results": [{"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]}


@pytest.mark.parametrize("provider", [COHERE, JINA], ids=lambda provider: provider.name)
async def test_results_come_in_the_providers_order(provider: Provider, respx_mock: respx.Router) -> None:
    """The request names model, question, texts and count; the answer's scores become the results' scores."""
    route = respx_mock.post(provider.url).mock(return_value=httpx.Response(200, json=BEST_LAST))

    found = await HttpReranker(provider, "key-1").rerank("which?", FOUND, 2)

    sent = route.calls.last.request
    body = json.loads(sent.content)
    assert [memory.key for memory in found] == ["chunk:2", "chunk:0"]
    assert found[0].signals["rerank"] == 0.9
    assert sent.headers["Authorization"] == "Bearer key-1"
    assert body["model"] == provider.model
    assert body["documents"] == ["text 0", "text 1", "text 2"]
    assert (body["query"], body["top_n"]) == ("which?", 2)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (httpx.Response(401), ModelRefused),
        (httpx.Response(422), ModelRefused),
        (httpx.Response(429), ModelUnavailable),
        (httpx.Response(500), ModelUnavailable),
        (httpx.Response(200, text="<html>"), ModelUnavailable),
        (httpx.Response(200, json={"results": [{"index": 7, "relevance_score": 1}]}), ModelUnavailable),
        (httpx.Response(200, json={"results": [{"index": 0}]}), ModelUnavailable),
        (httpx.Response(200, json=[]), ModelUnavailable),
        (httpx.ConnectError("no"), ModelUnavailable),
    ],
)
async def test_every_fault_has_a_name(
    answer: httpx.Response | Exception, error: type[Exception], respx_mock: respx.Router
) -> None:
    """Refusals, outages and nonsense raise errors of our own, without the key in their text."""
    route = respx_mock.post(COHERE.url)
    if isinstance(answer, Exception):
        route.mock(side_effect=answer)
    else:
        route.mock(return_value=answer)

    with pytest.raises(error) as raised:
        await HttpReranker(COHERE, "key-1").rerank("which?", FOUND, 2)

    assert "key-1" not in str(raised.value)


async def test_a_long_text_is_read_to_its_end(respx_mock: respx.Router) -> None:
    """It goes out in parts, and the most relevant part speaks for it; as many results come back as are wanted."""
    long = replace(FOUND[1], text="a" * 4000 + "b" * 4000 + "the answer")
    best = {"results": [{"index": place, "relevance_score": score} for place, score in ((3, 0.9), (1, 0.5), (0, 0.4))]}
    route = respx_mock.post(COHERE.url).mock(return_value=httpx.Response(200, json=best))

    found = await HttpReranker(COHERE, "key-1").rerank("which?", (FOUND[0], long, FOUND[2]), 2)

    body = json.loads(route.calls.last.request.content)
    assert [memory.key for memory in found] == ["chunk:1", "chunk:0"]
    assert body["documents"][3] == "the answer"
    assert body["top_n"] == 4


async def test_nothing_to_sort_asks_nobody(respx_mock: respx.Router) -> None:
    """No results, no request."""
    assert await HttpReranker(COHERE, "key-1").rerank("which?", (), 2) == ()
    assert not respx_mock.calls


async def test_a_local_reranker_that_is_not_installed_says_so() -> None:
    """Without the extra the error names it."""
    from pathlib import Path  # noqa: PLC0415 - used here alone

    from adapters.rerank import FlashReranker  # noqa: PLC0415 - used here alone

    with pytest.raises(ModelRefused, match="extra 'rerank'"):
        await FlashReranker(Path("nowhere")).rerank("which?", FOUND, 2)
