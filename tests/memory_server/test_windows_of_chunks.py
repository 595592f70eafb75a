"""The chunker's window, the least cosine and the language are the operator's."""

from __future__ import annotations

from pathlib import Path

from memory_server.chunking import Limits
from memory_server.indexing.instances import detached_instance
from memory_server.language_model import NoModel
from memory_server.maintenance import Maintenance
from memory_server.options import LightRagVariables
from tests.memory_server.serving import Served, exchange, served
from tests.memory_server.word_embedder import WordEmbedder

LONG = " ".join(f"Sentence number {number} tells of the harbour." for number in range(60))


async def test_another_window_makes_documents_outdated(tmp_path: Path) -> None:
    """What was cut otherwise is counted, and cut again on command alone; the usual window is no other version."""
    async with served(tmp_path) as ours:
        await ours.post("w", "long.txt", LONG)
        await ours.wait_until_idle()
        whole, usual = await _chunks(ours), await _outdated(ours)
    async with served(tmp_path, lightrag=LightRagVariables(chunk_tokens=64, chunk_overlap=8)) as ours:
        found, outdated = await _chunks(ours), await _outdated(ours)
        await ours.http.post("/workspaces/w/reindex")
        await ours.wait_until_idle()
        cut, none_left = await _chunks(ours), await _outdated(ours)
    kept = await Maintenance(tmp_path, WordEmbedder(), limits=Limits(64, 8)).reindex(lambda _: None)
    back = await Maintenance(tmp_path, WordEmbedder()).reindex(lambda _: None)

    assert (whole, found, usual, outdated) == (1, 1, 0, 1)
    assert cut > 5
    assert (none_left, kept, back) == (0, 0, 1)


async def test_what_is_too_far_is_not_found(tmp_path: Path) -> None:
    """``COSINE_THRESHOLD``: a chunk that shares one word of the question is found at 0.05 and not at 0.95."""
    found: list[int] = []
    for least in (0.05, 0.95):
        async with served(tmp_path / str(least), lightrag=LightRagVariables(least_cosine=least)) as ours:
            await ours.post("w", "a.txt", exchange(1, "Maria keeps a boat in Lisbon."))
            await ours.wait_until_idle()
            answer = await ours.ask("w", "Maria", "naive")
            found.append(len(answer["data"].get("chunks", ())))

    assert found == [1, 0]


def test_the_language_reaches_lightrags_prompts(tmp_path: Path) -> None:
    """``SUMMARY_LANGUAGE``, also where it is not in the environment of the process."""
    instance = detached_instance(tmp_path, WordEmbedder(), NoModel(), tuning=LightRagVariables(language="German"))

    assert instance.settings()["addon_params"]["language"] == "German"


async def _chunks(ours: Served) -> int:
    answer = await ours.http.post("/documents/paginated", json={}, headers={"LIGHTRAG-WORKSPACE": "w"})
    return sum(each["chunks_count"] for each in answer.json()["documents"])


async def _outdated(ours: Served) -> int:
    state = (await ours.http.get("/workspaces/w")).json()
    return int(state["outdated"]["documents"])
