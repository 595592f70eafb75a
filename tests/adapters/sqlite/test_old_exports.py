"""Items as earlier versions exported them: imported without doubling."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from adapters.sqlite.database import Database
from adapters.sqlite.items.old_exports import import_items
from adapters.sqlite.items.store import SqliteItems
from bot.errors import Corrupt, StorageUnavailable
from bot.memory.items import MemoryItem
from bot.memory.scope import Scope
from bot.ports.memory_store import Selector
from harness.samples import NOON, SCOPE, HeldClock, WordEmbedder, item

ELSEWHERE = Scope("tu77")


async def fill(database: Database) -> None:
    """Three live items and a superseded one."""
    items = SqliteItems(database, WordEmbedder(), HeldClock())
    await items.add(SCOPE, item("Vera lives in Porto", subject="vera|live", exchange="e1"))
    await items.add(SCOPE, item("Vera lives in Lisbon", subject="vera|live", exchange="e2"))
    await items.add(SCOPE, item("Чай без сахара", ttl_s=3600))
    await items.add(SCOPE, item("Line one\nline two", pinned=True))


async def contents(database: Database, scope: Scope) -> dict[str, MemoryItem]:
    """Live and old items by content."""
    items = SqliteItems(database, WordEmbedder(), HeldClock())
    pages = [await items.page(scope, selector, size=99) for selector in (Selector.ALL, Selector.HISTORY)]
    return {one.content: one for page in pages for one in page.items}


async def export_items(database: Database, scope: Scope, folder: Path) -> Path:
    """Write a file as earlier versions did: every item of the scope as one JSON object a line."""
    items = (await contents(database, scope)).values()
    folder.mkdir()  # noqa: ASYNC240 - a test has time
    path = folder / f"{scope.tag}.jsonl"
    lines = [orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in sorted(items, key=lambda one: one.id)]
    path.write_bytes(b"".join(lines))
    return path


async def test_an_import_restores_everything_once(database: Database) -> None:
    """Into another scope all fields arrive under new ids; a second import adds nothing."""
    await fill(database)
    path = await export_items(database, SCOPE, database.path.parent / "items")
    first = await import_items(database, ELSEWHERE, path, NOON)
    second = await import_items(database, ELSEWHERE, path, NOON)
    here, there = await contents(database, SCOPE), await contents(database, ELSEWHERE)

    assert (first, second) == (4, 0)
    assert there.keys() == here.keys()
    for content, one in there.items():
        assert (one.provenance, one.pinned, one.ttl_s, one.created_at) == (
            here[content].provenance,
            here[content].pinned,
            here[content].ttl_s,
            here[content].created_at,
        )
    assert there["Vera lives in Porto"].superseded_by == there["Vera lives in Lisbon"].id
    assert there["Vera lives in Lisbon"].references == (there["Vera lives in Porto"].id,)


async def test_importing_into_the_same_scope_changes_nothing(database: Database) -> None:
    """What is there is recognised."""
    await fill(database)
    path = await export_items(database, SCOPE, database.path.parent / "items")
    before = await contents(database, SCOPE)

    assert await import_items(database, SCOPE, path, NOON) == 0
    assert await contents(database, SCOPE) == before


@pytest.mark.parametrize("line", [b"{", b"[]", b"{}", b'{"content": 5}', b"\xff"])
async def test_a_broken_line_imports_nothing(database: Database, line: bytes) -> None:
    """The error names file and line."""
    await fill(database)
    path = await export_items(database, SCOPE, database.path.parent / "items")
    path.write_bytes(path.read_bytes() + line + b"\n")

    with pytest.raises(Corrupt, match=r"tu42\.jsonl:5"):
        await import_items(database, ELSEWHERE, path, NOON)
    assert await contents(database, ELSEWHERE) == {}


async def test_a_file_that_is_missing_is_named(database: Database, tmp_path: Path) -> None:
    """A missing import is no surprise."""
    with pytest.raises(StorageUnavailable, match="nosuch"):
        await import_items(database, SCOPE, tmp_path / "nosuch.jsonl", NOON)
