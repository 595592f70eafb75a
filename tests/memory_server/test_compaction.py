"""Mentions in two tables, recent and settled, read as one."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from harness.memory_server.exchanges import exchanges
from memory_server.indexing.ingest import document_id
from memory_server.storage import composition
from memory_server.storage import workspace as compaction
from memory_server.storage.engines import SqliteFile
from memory_server.storage.workspace import Workspace
from tests.memory_server.serving import Served, served

SAID = tuple(exchanges(10))
Answers = dict[str, Any]  # Any: JSON answers by what was asked


async def answers(ours: Served) -> Answers:
    """Return what a filled workspace says, without times."""
    headers = {"LIGHTRAG-WORKSPACE": "w"}
    shown: Answers = {}
    few = [document_id(said.source) for said in SAID[2:6]]
    for said in SAID[::4]:
        keywords = {"ll_keywords": said.keywords, "hl_keywords": said.keywords[:2]}
        for mode in ("local", "global", "mix"):
            for ids in (None, few):
                more = keywords if ids is None else keywords | {"ids": ids}
                data = (await ours.ask("w", said.question, mode, **more))["data"]
                shown[f"{said.source} {mode} {ids}"] = _timeless(data)
    for path in ("/graphs?label=*&max_nodes=200", "/workspaces/w/check", "/workspaces/w/entities/Anna"):
        shown[path] = _timeless((await ours.http.get(path, headers=headers)).json())
    return shown


def _timeless(value: Any) -> Any:  # Any: JSON
    if isinstance(value, dict):
        return {key: _timeless(part) for key, part in value.items() if key != "created_at"}
    return [_timeless(part) for part in value] if isinstance(value, list) else value


async def test_answers_do_not_depend_on_what_has_settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything recent, everything settled, some of each: one answer, before and after an erase.

    Mutation check: red when a lookup asks the settled table alone, and when removing leaves settled rows.
    """
    before: list[Answers] = []
    after: list[Answers] = []
    for most in (10**6, 0, 40):
        monkeypatch.setattr(compaction, "MOST_RECENT", most)
        async with served(tmp_path / str(most)) as ours:
            for said in SAID:
                await ours.post("w", said.source, said.text)
                await ours.wait_until_idle()
            before.append(await answers(ours))
            receipt = await ours.erase("w", *(document_id(said.source) for said in SAID[3:8]))
            after.append(await answers(ours))

            assert receipt["residue"] == []
            assert after[-1]["/workspaces/w/check"]["clean"]

    assert before[0] == before[1] == before[2]
    assert after[0] == after[1] == after[2]
    assert before[0] != after[0]


async def test_a_file_of_the_first_schema_keeps_its_mentions(tmp_path: Path) -> None:
    """Opening a file from before there were two tables brings it along, and it grows as any other."""
    path = tmp_path / "w.sqlite3"
    first = resources.files("memory_server.storage").joinpath("schema.sql").read_text("utf-8")
    with sqlite3.connect(path) as db:
        db.executescript(f"PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; {first} PRAGMA user_version = 1;")
        db.execute("INSERT INTO mentions (node, chunk, i, kind) VALUES (7, 1, 0, 'person')")
        db.execute("INSERT INTO edge_mentions (edge, chunk, i, keywords, weight) VALUES (9, 1, 0, 'met', 1.0)")
    db.close()

    with ThreadPoolExecutor(2) as threads:
        workspace = Workspace("w", SqliteFile("w", path), "words/64", threads)
        await workspace.write(lambda tx: tx.db.execute("INSERT INTO mentions VALUES (7, 2, 1, 'name')"))
        people = await workspace.read(partial(composition.read_newest, table="mentions", owners=[7], most=5))
        links = await workspace.read(partial(composition.read_newest, table="edge_mentions", owners=[9], most=5))
        workspace.close()

    assert people == {7: [(2, 1, "name"), (1, 0, "person")]}
    assert links == {9: [(1, 0, "met")]}
