"""The server with vectors from an endpoint, as the environment says."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
import respx

from bot.compose.memory_server import LocalEmbedder, local_model
from memory_server.embedding import endpoint_embedder
from memory_server.errors import ConfigInvalid
from memory_server.options import ServerCall
from memory_server.serve import choose_embedder
from tests.cases import each_row
from tests.memory_server.serving import exchange, served
from tests.memory_server.word_embedder import WordEmbedder

URL = "https://models.example/v1"
ENVIRONMENT = {
    "EMBEDDING_URL": URL,
    "EMBEDDING_API_KEY": "e-1",
    "EMBEDDING_MODEL": "some-model",
    "EMBEDDING_DIMENSION": "32",
}


async def test_vectors_come_from_the_endpoint(tmp_path: Path, respx_mock: respx.Router) -> None:
    """Documents and questions are embedded there with the key; what another model made is not searched with it."""

    async def answer(request: httpx.Request) -> httpx.Response:
        rows = (await WordEmbedder(32).embed(json.loads(request.content)["input"])).tolist()
        return httpx.Response(200, json={"data": [{"index": i, "embedding": row} for i, row in enumerate(rows)]})

    route = respx_mock.post(f"{URL}/embeddings").mock(side_effect=answer)
    embedder = endpoint_embedder(ENVIRONMENT)
    async with served(tmp_path, embedder) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria lives in Lisbon."))
        await ours.wait_until_idle()
        found = await ours.ask("w", "Maria lives in Lisbon", "naive")
    async with served(tmp_path, WordEmbedder(64)) as other:
        refused = await other.http.post(
            "/query/data", json={"query": "Maria lives", "mode": "naive"}, headers={"LIGHTRAG-WORKSPACE": "w"}
        )

    assert found["data"]["chunks"]
    assert {call.request.headers["Authorization"] for call in route.calls} == {"Bearer e-1"}
    assert refused.status_code == 503


def test_without_an_address_the_model_is_our_own(tmp_path: Path) -> None:
    """No EMBEDDING_URL: the local model, whatever else is set."""
    call = ServerCall(tmp_path, tmp_path, "127.0.0.1", 0, child=False, local_model=local_model)

    assert isinstance(choose_embedder(call, {"EMBEDDING_MODEL": "x"}), LocalEmbedder)


def test_alone_without_an_address_nothing_starts(tmp_path: Path) -> None:
    """The program installed without the bot has no model, and says which variable names one."""
    with pytest.raises(ConfigInvalid, match="EMBEDDING_URL"):
        choose_embedder(ServerCall(tmp_path, None, "127.0.0.1", 0, child=False), {})


@each_row("missing", ["EMBEDDING_MODEL", "EMBEDDING_DIMENSION"])
def test_an_incomplete_endpoint_is_refused(missing: str) -> None:
    """What is missing is named at the start, not at the first document."""
    with pytest.raises(ConfigInvalid, match=missing):
        endpoint_embedder(ENVIRONMENT | {missing: ""})
