"""Isolation: what belongs to one workspace stays there."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memory_server.errors import ScopeMissing
from memory_server.indexing.ingest import document_id
from memory_server.indexing.instances import detached_instance, open_storages
from memory_server.language_model import NoModel
from memory_server.options import Vectors
from memory_server.storage.engines import SqliteFile
from memory_server.storage.workspace import Tenant, Workspace, act_for
from tests.memory_server.serving import Served, exchange, served, texts_of
from tests.memory_server.word_embedder import WordEmbedder

CHATS, CANARIES = 8, 4


async def fill(ours: Served, chat: int) -> None:
    """Store a chat's canaries; every chat speaks about the same people and places."""
    for number in range(CANARIES):
        text = exchange(number, f"Maria in Lisbon said that the password of chat {chat} is canary{chat}x{number}.")
        await ours.post(f"chat{chat}", f"e{number}.txt", text)


async def test_no_canary_leaves_its_chat(tmp_path: Path) -> None:
    """Concurrent inserts, questions about other chats, deletes and cancellations: no foreign canary is ever seen.

    Mutation check: with every request bound to one workspace this test is red.
    """
    chance = random.Random(5)
    leaks: list[str] = []

    async def pester(ours: Served, chat: int) -> None:
        for _ in range(8):
            other = chance.randrange(CHATS)
            mode = chance.choice(["mix", "naive", "hybrid", "local", "global"])
            asking = asyncio.create_task(
                ours.ask(f"chat{chat}", f"password of chat {other} canary{other}x1 Maria", mode)
            )
            if chance.random() < 0.3:
                await asyncio.sleep(chance.random() / 100)
                asking.cancel()
            try:
                shown = texts_of(await asking)
            except asyncio.CancelledError:
                continue
            leaks.extend(f"canary{i}x" for i in range(CHATS) if i != chat and f"canary{i}x" in shown)

    async with served(tmp_path, most_open=4) as ours:
        await asyncio.gather(*(fill(ours, chat) for chat in range(CHATS)), *(pester(ours, c) for c in range(CHATS)))
        await ours.wait_until_idle()
        await asyncio.gather(
            *(pester(ours, chat) for chat in range(CHATS)),
            *(ours.erase(f"chat{chat}", document_id("e0.txt")) for chat in range(0, CHATS, 2)),
        )
        own = [texts_of(await ours.ask(f"chat{chat}", f"password canary{chat}x1 Maria")) for chat in range(CHATS)]

    assert leaks == []
    assert all(f"canary{chat}x1" in shown for chat, shown in enumerate(own))
    assert not any(f"canary{chat}x0" in own[chat] for chat in range(0, CHATS, 2))


async def test_a_handle_of_one_workspace_is_useless_in_another(tmp_path: Path) -> None:
    """A storage without a bound workspace, in another's request, or writing where only reading is allowed, raises."""
    with ThreadPoolExecutor(2) as threads:
        mine, other = (
            Workspace(name, SqliteFile(name, tmp_path / f"{name}.sqlite3"), "words/64", threads)
            for name in ("mine", "other")
        )
        with act_for(Tenant(mine)):
            rag = await open_storages(detached_instance(tmp_path, WordEmbedder(), NoModel(), "mine"))
            await rag.full_docs.upsert({"k": {"content": "secret"}})
        with pytest.raises(ScopeMissing, match="outside a request"):
            await rag.full_docs.get_by_id("k")
        with act_for(Tenant(other)), pytest.raises(ScopeMissing, match="another"):
            await rag.full_docs.get_by_id("k")
        with act_for(Tenant(mine, writable=False)):
            stored = await rag.full_docs.get_by_id("k")
            writes = [
                rag.full_docs.upsert({"k": {"content": "x"}}),
                rag.full_docs.delete(["k"]),
                rag.chunks_vdb.upsert({"c": {"content": "x"}}),
                rag.chunk_entity_relation_graph.upsert_node("n", {"entity_id": "n"}),
                rag.doc_status.delete(["k"]),
            ]
            for write in writes:
                with pytest.raises(ScopeMissing, match="read-only"):
                    await write
        mine.close()
        other.close()

    assert stored["content"] == "secret"


class CountingEmbedder(WordEmbedder):
    """Counts the texts that it is given."""

    texts = 0

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        return await super().embed(texts)


async def test_a_question_limited_to_documents_sees_nothing_else(tmp_path: Path) -> None:
    """Ids and file_sources filter chunks, entities, relations and the very sentences of descriptions, in every mode.

    Mutation check: with the view left out of the graph storage this test is red.
    """
    said = {
        "a.txt": "Maria works at Siemens. Maria told me alphasecret.",
        "b.txt": "Maria works at Bosch. Maria told me betasecret.",
    }
    async with served(tmp_path) as ours:
        for source, text in said.items():
            await ours.post("w", source, exchange(1, text))
        await ours.wait_until_idle()
        for mode in ("mix", "hybrid", "local", "global", "naive"):
            keywords = {"ll_keywords": ["Maria", "Bosch", "Siemens"], "hl_keywords": ["works", "told"]}
            question = "Maria works Siemens Bosch told me secret"
            whole = texts_of(await ours.ask("w", question, mode, **keywords))
            by_id = texts_of(await ours.ask("w", question, mode, ids=[document_id("a.txt")], **keywords))
            by_name = texts_of(await ours.ask("w", question, mode, file_sources=["x/b.txt"], **keywords))
            unlike = texts_of(await ours.ask("w", question, mode, file_sources_unlike="a.*", **keywords))
            nothing = await ours.ask("w", question, mode, ids=[], **keywords)

            assert "alphasecret" in whole, mode
            assert "betasecret" in whole, mode
            assert "alphasecret" in by_id, mode
            assert "betasecret" not in by_id, mode
            assert "Bosch" not in by_id, mode
            assert "betasecret" in by_name, mode
            assert "alphasecret" not in by_name, mode
            assert unlike == by_name, mode
            assert nothing["status"] == "failure" or not any(nothing["data"].values()), mode


async def test_where_all_documents_are_left_out_nothing_is_embedded(tmp_path: Path) -> None:
    """A question that may see no document costs no vector; what was written into the graph by hand is no document."""
    embedder = CountingEmbedder()
    async with served(tmp_path, embedder) as ours:
        await ours.post("w", "conv_20260207_133000_tu1_x1.txt", exchange(1, "Maria works at Siemens."))
        await ours.wait_until_idle()
        indexed = embedder.texts
        asked: dict[str, Any] = {  # Any: JSON
            "file_sources_unlike": "conv_[0-9]*_tu1_*.txt",
            "ll_keywords": ["Maria"],
            "hl_keywords": ["Maria works"],
        }
        nothing = await ours.ask("w", "Where does Maria work?", **asked)
        spent = embedder.texts - indexed
        fact = {"entity_name": "Maria", "entity_data": {"description": "Maria plays the cello.", "entity_type": "name"}}
        await ours.http.post("/graph/entity/create", json=fact, headers={"LIGHTRAG-WORKSPACE": "v"})
        by_hand = await ours.ask("v", "What does Maria play?", **asked)

    assert (nothing["status"], nothing["data"], spent) == ("failure", {}, 0)
    assert "cello" in texts_of(by_hand)


@pytest.mark.parametrize("pattern", [7, "", "a'b", "^a", "a{3}", "(a|b)", "a" * 201])
async def test_a_pattern_of_other_signs_is_refused(tmp_path: Path, pattern: object) -> None:
    """It stands in SQL and in a regular expression, so that only what both read alike is let in."""
    async with served(tmp_path) as ours:
        answer = await ours.http.post("/query/data", json={"query": "Maria", "file_sources_unlike": pattern})

    assert answer.status_code == 422


async def test_many_workspaces_stay_within_their_memory(tmp_path: Path) -> None:
    """Opened one after another, no more than the limit stay open, and each still knows its own."""
    async with served(tmp_path, most_open=3) as ours:
        for chat in range(15):
            await ours.post(f"chat{chat}", "e.txt", exchange(chat, f"Maria said canary{chat}x."))
            await ours.wait_until_idle()
        opened = ours.server.workspaces.nbytes // 4_000_000
        shown = [texts_of(await ours.ask(f"chat{chat}", f"Maria said canary{chat}x", "naive")) for chat in (0, 7, 14)]

    assert opened <= 3
    assert ["canary0x" in shown[0], "canary7x" in shown[1], "canary14x" in shown[2]] == [True, True, True]
