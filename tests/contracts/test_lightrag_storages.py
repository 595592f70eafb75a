"""LightRAG's four storage kinds: the same answers from SQLite, from its own files and from PostgreSQL."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from lightrag.base import CURSOR_END, CURSOR_START, DocStatus, SourceAbsent, SourceConflict, SourceUnique
from lightrag.exceptions import StorageRecordNotFoundError
from lightrag.utils import compute_mdhash_id

from tests.contracts.lightrag_kinds import KINDS, Stores, stores


@pytest.fixture(params=KINDS)
async def held(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    """Open stores of every kind."""
    url = request.getfixturevalue("postgres_server").url if request.param == "postgres" else ""
    async with stores(request.param, tmp_path, url) as open_stores:
        yield open_stores


def doc(number: int, **fields: Any) -> dict[str, Any]:  # Any: LightRAG's record
    """Return a document record."""
    return {
        "status": DocStatus.PENDING,
        "content_summary": f"summary {number}",
        "content_length": number,
        "file_path": f"f{number}.txt",
        "created_at": f"2026-01-{number + 1:02d}T00:00:00+00:00",
        "updated_at": f"2026-02-{number + 1:02d}T00:00:00+00:00",
        "track_id": f"track{number % 2}",
        "metadata": {},
    } | fields


def names(rows: list[dict[str, Any] | None]) -> list[str | None]:  # Any: LightRAG's record
    """Return the contents of key-value records in order."""
    return [row["content"] if row else None for row in rows]


async def test_records_come_back_in_the_order_asked(held: Stores) -> None:
    """Known keys give their record, unknown ones None in place; filter_keys names the unknown."""
    await held.kv.upsert({f"k{i}": {"content": f"c{i}", "file_path": "f"} for i in range(3)})
    await held.commit()

    assert names(await held.kv.get_by_ids(["k2", "nope", "k0"])) == ["c2", None, "c0"]
    assert (await held.kv.get_by_id("k1"))["content"] == "c1"
    assert await held.kv.get_by_id("nope") is None
    assert await held.kv.filter_keys({"k0", "x", "y"}) == {"x", "y"}
    assert not await held.kv.is_empty()


async def test_a_record_is_replaced_deleted_and_dropped(held: Stores) -> None:
    """The last write wins, deleting twice is harmless, drop leaves nothing."""
    await held.kv.upsert({"k": {"content": "old", "file_path": "f"}, "l": {"content": "l", "file_path": "f"}})
    await held.kv.upsert({"k": {"content": "new", "file_path": "f"}})
    await held.commit()
    replaced = await held.kv.get_by_id("k")
    await held.kv.delete(["k", "k", "unknown"])
    await held.commit()

    assert replaced["content"] == "new"
    assert names(await held.kv.get_by_ids(["k", "l"])) == [None, "l"]
    assert (await held.kv.drop())["status"] == "success"
    assert await held.kv.is_empty()


async def test_what_a_caller_changes_is_not_what_is_stored(held: Stores) -> None:
    """A record that was read belongs to its reader."""
    await held.kv.upsert({"k": {"content": "c", "file_path": "f", "chunk_options": {"a": [1]}}})
    row = await held.kv.get_by_id("k")
    row["content"] = "changed"
    row["chunk_options"]["a"].append(2)

    again = await held.kv.get_by_id("k")

    assert again["content"] == "c"
    assert again["chunk_options"] == {"a": [1]}


async def fill_chunks(held: Stores) -> None:
    """Store five chunk vectors of two documents."""
    texts = ["red apple tree", "green apple pie", "blue ocean wave", "ocean fish swim", "mountain snow"]
    rows = {
        f"c{i}": {"content": text, "full_doc_id": f"d{i % 2}", "file_path": f"f{i % 2}.txt", "tokens": 3,
                  "chunk_order_index": i}
        for i, text in enumerate(texts)
    }  # fmt: skip
    await held.chunks.upsert(copy.deepcopy(rows))
    await held.commit()


async def test_the_nearest_vectors_come_first(held: Stores) -> None:
    """A query gives ids and contents above the threshold, best first, at most top_k."""
    await fill_chunks(held)

    found = await held.chunks.query("blue ocean", top_k=2)
    exact = await held.chunks.query("mountain snow", top_k=5)

    assert [row["id"] for row in found] == ["c2", "c3"]
    assert found[0]["content"] == "blue ocean wave"
    assert found[0]["file_path"] == "f0.txt"
    assert exact[0]["id"] == "c4"
    assert all(row["id"] in {f"c{i}" for i in range(5)} for row in exact)


async def test_vectors_are_found_by_id_and_removed(held: Stores) -> None:
    """Records and vectors come by id; a deleted one is gone from queries."""
    await fill_chunks(held)
    record = await held.chunks.get_by_id("c1")
    several = await held.chunks.get_by_ids(["c0", "nope", "c3"])
    vectors = await held.chunks.get_vectors_by_ids(["c0", "nope"])
    await held.chunks.delete(["c2", "nope"])
    await held.commit()

    assert record["content"] == "green apple pie"
    assert [row["id"] if row else None for row in several] == ["c0", None, "c3"]
    assert list(vectors) == ["c0"]
    assert len(vectors["c0"]) == 64
    assert next(row["id"] for row in await held.chunks.query("blue ocean", top_k=2)) == "c3"
    assert await held.chunks.get_by_id("c2") is None


async def test_a_vector_is_replaced(held: Stores) -> None:
    """Another content under the same id moves the row."""
    await fill_chunks(held)
    await held.chunks.upsert({"c4": {"content": "blue ocean", "full_doc_id": "d9", "file_path": "f9.txt", "tokens": 2,
                                     "chunk_order_index": 0}})  # fmt: skip
    await held.commit()

    (best,) = await held.chunks.query("blue ocean", top_k=1)

    assert best["id"] == "c4"
    assert best["file_path"] == "f9.txt"
    assert (await held.chunks.get_by_id("c4"))["full_doc_id"] == "d9"


async def test_entities_and_their_relations_are_removed_by_name(held: Stores) -> None:
    """delete_entity and delete_entity_relation find rows by the entity's name."""
    named = {"Ann": "painter", "Bob": "sailor", "Cid": "baker"}
    await held.entities.upsert(
        {
            compute_mdhash_id(name, prefix="ent-"): {"entity_name": name, "content": f"{name} {job}", "source_id": "c0",
                                                     "file_path": "f"}
            for name, job in named.items()
        }
    )  # fmt: skip
    pairs = [("Ann", "Bob"), ("Bob", "Cid"), ("Ann", "Cid")]
    await held.relationships.upsert(
        {
            compute_mdhash_id(a + b, prefix="rel-"): {"src_id": a, "tgt_id": b, "content": f"{a} knows {b}",
                                                      "source_id": "c0", "file_path": "f"}
            for a, b in pairs
        }
    )  # fmt: skip
    await held.commit()
    before = {(row["src_id"], row["tgt_id"]) for row in await held.relationships.query("knows", top_k=9)}
    await held.entities.delete_entity("Ann")
    await held.relationships.delete_entity_relation("Ann")
    await held.commit()

    assert before == set(pairs)
    assert {row["entity_name"] for row in await held.entities.query("painter sailor baker", top_k=9)} == {"Bob", "Cid"}
    left = [(row["src_id"], row["tgt_id"]) for row in await held.relationships.query("knows", top_k=9)]
    assert left == [("Bob", "Cid")]


def node(name: str, **fields: Any) -> dict[str, Any]:  # Any: graph attributes
    """Return an entity's attributes."""
    return {"entity_id": name, "entity_type": "person", "description": f"about {name}", "source_id": "c0",
            "file_path": "f"} | fields  # fmt: skip


def edge(**fields: Any) -> dict[str, Any]:  # Any: graph attributes
    """Return a relation's attributes."""
    return {"weight": 1.0, "description": "knows", "keywords": "k", "source_id": "c0", "file_path": "f"} | fields


async def fill_graph(held: Stores) -> None:
    """Store a star of Ann with Bob, Cid and Dan, and Eve alone."""
    await held.graph.upsert_nodes_batch([(name, node(name)) for name in ("Ann", "Bob", "Cid", "Dan", "Eve")])
    await held.graph.upsert_edges_batch(
        [("Ann", "Bob", edge()), ("Cid", "Ann", edge(weight=2.0)), ("Ann", "Dan", edge())]
    )
    await held.commit()


async def test_nodes_and_edges_are_read_singly_and_in_batches(held: Stores) -> None:
    """Attributes come back as written; edges have no direction; unknown names are missing, not errors."""
    await fill_graph(held)
    graph = held.graph

    ann = await graph.get_node("Ann")

    assert {key: ann[key] for key in node("Ann")} == node("Ann")
    assert await graph.get_node("Nobody") is None
    assert set(await graph.get_nodes_batch(["Ann", "Nobody", "Eve"])) == {"Ann", "Eve"}
    assert await graph.has_nodes_batch(["Ann", "Nobody"]) == {"Ann"}
    assert await graph.has_edge("Ann", "Cid")
    assert await graph.has_edge("Cid", "Ann")
    assert not await graph.has_edge("Bob", "Cid")
    assert (await graph.get_edge("Ann", "Cid"))["weight"] == 2.0
    batch = await graph.get_edges_batch([{"src": "Ann", "tgt": "Cid"}, {"src": "Bob", "tgt": "Dan"}])
    assert batch["Ann", "Cid"]["weight"] == 2.0
    assert ("Bob", "Dan") not in batch


async def test_degrees_and_neighbours(held: Stores) -> None:
    """Degrees count edges, an edge's degree adds both ends, neighbours come as pairs; an unknown node has none."""
    await fill_graph(held)
    graph = held.graph

    assert await graph.node_degree("Ann") == 3
    assert await graph.node_degree("Nobody") == 0
    degrees = await graph.node_degrees_batch(["Ann", "Bob", "Eve"])
    assert (degrees["Ann"], degrees["Bob"], degrees.get("Eve", 0)) == (3, 1, 0)
    assert await graph.edge_degree("Ann", "Bob") == 4
    assert (await graph.edge_degrees_batch([("Ann", "Bob")]))["Ann", "Bob"] == 4
    assert {frozenset(pair) for pair in await graph.get_node_edges("Ann")} == {
        frozenset(("Ann", other)) for other in ("Bob", "Cid", "Dan")
    }
    assert await graph.get_node_edges("Eve") == []
    assert await graph.get_node_edges("Nobody") is None
    batch = await graph.get_nodes_edges_batch(["Bob", "Eve", "Nobody"])
    assert [len(batch.get(name) or []) for name in ("Bob", "Eve", "Nobody")] == [1, 0, 0]


async def test_upserts_change_and_removals_cascade(held: Stores) -> None:
    """A second upsert replaces attributes; a removed node takes its edges along."""
    await fill_graph(held)
    graph = held.graph
    await graph.upsert_node("Bob", node("Bob", description="new"))
    await graph.upsert_edge("Bob", "Ann", edge(weight=5.0))
    await graph.remove_edges([("Dan", "Ann"), ("Bob", "Eve")])
    await graph.delete_node("Cid")
    await held.commit()

    assert (await graph.get_node("Bob"))["description"] == "new"
    assert (await graph.get_edge("Ann", "Bob"))["weight"] == 5.0
    assert await graph.node_degree("Ann") == 1
    assert not await graph.has_node("Cid")
    assert sorted(await graph.get_all_labels()) == ["Ann", "Bob", "Dan", "Eve"]
    await graph.remove_nodes(["Ann", "Eve", "Nobody"])
    await held.commit()
    assert sorted(await graph.get_all_labels()) == ["Bob", "Dan"]


async def test_a_relation_to_itself_has_two_ends(held: Stores) -> None:
    """A self-loop counts twice in a degree and in the order of labels, as NetworkX counts it."""
    graph = held.graph
    for name in ("Anna", "Boris", "Clara"):
        await graph.upsert_node(name, node(name))
    await graph.upsert_edge("Anna", "Anna", edge())
    await graph.upsert_edge("Boris", "Clara", edge())
    await held.commit()

    assert await graph.node_degree("Anna") == 2
    assert await graph.node_degrees_batch(["Anna", "Boris"]) == {"Anna": 2, "Boris": 1}
    assert (await graph.get_popular_labels())[0] == "Anna"
    assert await graph.get_node_edges("Anna") == [("Anna", "Anna")]


async def test_labels_by_degree_and_by_search(held: Stores) -> None:
    """Popular names come by degree and then name; search scores exact, prefix, inside."""
    await fill_graph(held)

    assert await held.graph.get_popular_labels(3) == ["Ann", "Bob", "Cid"]
    assert (await held.graph.get_popular_labels(9))[-1] == "Eve"
    assert (await held.graph.search_labels("an"))[:2] == ["Ann", "Dan"]
    assert await held.graph.search_labels("zzz") == []
    assert await held.graph.search_labels("  ") == []


async def test_everything_and_a_neighbourhood(held: Stores) -> None:
    """All nodes and edges are listed; a subgraph holds what is near and says when it was cut."""
    await fill_graph(held)
    graph = held.graph

    near = await graph.get_knowledge_graph("Bob", max_depth=1)
    whole = await graph.get_knowledge_graph("*", max_nodes=2)

    assert {row["id"] for row in await graph.get_all_nodes()} == {"Ann", "Bob", "Cid", "Dan", "Eve"}
    assert {frozenset((row["source"], row["target"])) for row in await graph.get_all_edges()} == {
        frozenset(("Ann", other)) for other in ("Bob", "Cid", "Dan")
    }
    assert {found.id for found in near.nodes} == {"Ann", "Bob"}
    assert len(near.edges) == 1
    assert {found.id for found in whole.nodes} == {"Ann", "Bob"}
    assert whole.is_truncated
    assert (await graph.get_knowledge_graph("Nobody")).nodes == []


async def test_documents_by_status_track_and_name(held: Stores) -> None:
    """Records are found by status, track, id and file name; counts have a zero for every status."""
    status = held.status
    await status.upsert({f"d{i}": doc(i, status=DocStatus.PROCESSED if i > 2 else DocStatus.PENDING) for i in range(5)})

    counts = await status.get_all_status_counts()

    assert (counts["pending"], counts["processed"], counts["all"]) == (3, 2, 5)
    assert set(await status.get_docs_by_statuses([DocStatus.PENDING])) == {"d0", "d1", "d2"}
    assert set(await status.get_docs_by_track_id("track1")) == {"d1", "d3"}
    assert (await status.get_by_id("d3"))["status"] in {DocStatus.PROCESSED, "processed"}
    assert await status.filter_keys({"d0", "x"}) == {"x"}
    assert await status.count_docs_by_statuses([DocStatus.PENDING, DocStatus.FAILED]) == 3
    assert (await status.get_doc_by_file_basename("f2.txt"))[0] == "d2"
    assert await status.get_doc_by_file_basename("nope") is None
    assert set(await status.get_docs_by_ids(["d1", "x"], strict=True)) == {"d1"}
    assert (await status.get_full_docs_by_ids(["d1"], strict=True))["d1"].content_summary == "summary 1"


async def test_a_sweep_pages_by_creation(held: Stores) -> None:
    """Pages cover every record once, oldest first, and end with the end mark."""
    status = held.status
    await status.upsert({f"d{i}": doc(i, status=[DocStatus.PENDING, DocStatus.FAILED][i % 2]) for i in range(5)})
    seen: list[str] = []
    position = CURSOR_START

    while position is not CURSOR_END:
        page = await status.get_docs_by_statuses_page(
            [DocStatus.PENDING, DocStatus.FAILED], limit=2, position=position, strict=True
        )
        seen.extend(page.docs)
        position = page.next_position

    assert seen == [f"d{i}" for i in range(5)]


async def test_pages_for_people(held: Stores) -> None:
    """A page is sorted and filtered as asked and knows the total."""
    status = held.status
    await status.upsert({f"d{i:02d}": doc(i) for i in range(15)})

    rows, total = await status.get_docs_paginated(page=2, page_size=10, sort_field="created_at", sort_direction="asc")
    none, zero = await status.get_docs_paginated(status_filter=DocStatus.FAILED)

    assert [key for key, _ in rows] == [f"d{i:02d}" for i in range(10, 15)]
    assert total == 15
    assert (none, zero) == ([], 0)


async def test_fields_change_alone(held: Stores) -> None:
    """A field update leaves the others, refuses the creation time and reports a missing record."""
    status = held.status
    await status.upsert({"d": doc(1, chunks_list=["c1"])})
    await status.update_doc_status_fields("d", {"status": DocStatus.FAILED, "error_msg": "why"})
    row = await status.get_by_id("d")

    assert row["error_msg"] == "why"
    assert row["chunks_list"] == ["c1"]
    assert await status.count_docs_by_statuses([DocStatus.FAILED]) == 1
    with pytest.raises(ValueError, match="created_at"):
        await status.update_doc_status_fields("d", {"created_at": "x"})
    with pytest.raises(StorageRecordNotFoundError):
        await status.update_doc_status_fields("missing", {"status": DocStatus.FAILED})
    await status.update_doc_status_fields("missing", {"status": DocStatus.FAILED}, missing_ok=True)


async def test_one_name_several_documents(held: Stores) -> None:
    """A file name resolves to none, one or a conflict; duplicate markers do not count; a repair settles it."""
    status = held.status
    await status.upsert({"a": doc(1, file_path="same"), "m": doc(2, file_path="same", metadata={"is_duplicate": True})})
    one = await status.resolve_doc_source_strict("same")
    await status.upsert({"b": doc(3, file_path="same")})
    two = await status.resolve_doc_source_strict("same")
    page = await status.list_source_conflicts_page(limit=5)
    options = {"primary_doc_id": "b", "expected_candidate_count": 0, "expected_candidate_fingerprint": ""}
    dry = await status.repair_source_conflict("same", **options)
    options |= {"expected_candidate_count": 2, "expected_candidate_fingerprint": dry.fingerprint, "dry_run": False}
    done = await status.repair_source_conflict("same", **options)

    assert isinstance(await status.resolve_doc_source_strict("other"), SourceAbsent)
    assert isinstance(one, SourceUnique)
    assert one.doc_id == "a"
    assert isinstance(two, SourceConflict)
    assert [conflict.canonical_source_key for conflict in page.conflicts] == ["same"]
    assert not dry.committed
    assert done.committed
    assert (await status.resolve_doc_source_strict("same")).doc_id == "b"


async def test_the_oldest_holder_of_a_content(held: Stores) -> None:
    """A content hash finds its oldest holder, passing over the asker and what points at it."""
    status = held.status
    await status.upsert(
        {
            "late": doc(5, content_hash="h"),
            "early": doc(1, content_hash="h"),
            "pointer": doc(0, content_hash="h", metadata={"is_duplicate": True, "original_doc_id": "early"}),
        }
    )

    assert (await status.get_doc_by_content_hash("h", exclude_doc_id="early"))[0] == "late"
    assert (await status.get_doc_by_content_hash("h", exclude_doc_id="late"))[0] == "pointer"
    assert await status.get_doc_by_content_hash("none") is None
