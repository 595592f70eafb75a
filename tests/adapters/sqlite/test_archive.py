"""A scope read as records and written as a zip: whole, readable, private, bounded, and gone with what is erased."""

from __future__ import annotations

import hashlib
import tracemalloc
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import orjson
import pytest

from adapters.archive.records import dump_line, is_sealed, load_manifest, load_record
from adapters.sqlite.archive import read_snapshot
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.items import SqliteItems
from bot.errors import ImportRefused, StorageUnavailable
from bot.memory.items import ItemType, Origin, Part, Trust
from bot.memory.learning.wishes import WISH
from bot.memory.scope import Scope
from bot.ports.transfer import ArchivedItem, ArchivedSession, ArchivedTurn
from harness.archives import KEY, export_to, read_texts
from harness.samples import HERE, NOON, SCOPE, HeldClock, WordEmbedder, exchange, item, turn
from tests.postgres import ONE_FILE

ELSEWHERE = Scope("tu77")


async def fill(database: Database) -> None:
    """Two conversations with a forward and an edit, memories with history, a pin and a wish; and somebody else."""
    turns, items = SqliteTurns(database, now=lambda: NOON), SqliteItems(database, WordEmbedder(), HeldClock())
    said = (
        exchange("e1", "I am moving to Porto.", "Noted."),
        replace(exchange("e2", "", "I see."), parts=(Part(Origin.FORWARDED, "The gate is B17.", "Vera", 9),)),
        exchange("e3", "It is on Monday.", said_at=NOON + timedelta(days=30), message_id=5),
        exchange("e4", "It is on Tuesday.", said_at=NOON + timedelta(days=30), message_id=5, revises=5),
    )
    for each in said:
        await turns.commit(turn(each, address=HERE))
    await items.add(SCOPE, item("Vera lives in Porto", subject="vera|live", exchange="e1"))
    await items.add(SCOPE, item("Vera lives in Lisbon", subject="vera|live", exchange="e2", pinned=True))
    await items.add(SCOPE, item("Answer briefly", type_=ItemType.PREFERENCE, tags=(WISH,)))
    await turns.commit(turn(exchange("x1", "I keep bees.", scope=ELSEWHERE), scope=ELSEWHERE))


async def test_an_export_holds_everything_of_its_scope_and_nothing_of_another(
    database: Database, tmp_path: Path
) -> None:
    """Records read back are those that were stored; sums, seal and rights are right; another key is no seal of ours."""
    await fill(database)
    path = tmp_path / "exports" / "tu42.zip"
    export_to(database, SCOPE, path, NOON)
    stored = read_snapshot(
        database,
        SCOPE,
        lambda snapshot: (
            list(snapshot.list_sessions()),
            list(snapshot.list_turns()),
            [record.item.content for record in snapshot.list_items()],
        ),
    )
    with zipfile.ZipFile(path) as archive:
        written = archive.read("manifest.json")
        seal = archive.read("manifest.seal")
        manifest = load_manifest(written, path.name)
        contents = {name: archive.read(name) for name in manifest.files}
    turns = [load_record(ArchivedTurn, line) for line in contents["data/turns.jsonl"].splitlines()]
    sessions = [load_record(ArchivedSession, line) for line in contents["data/sessions.jsonl"].splitlines()]
    items = [load_record(ArchivedItem, line) for line in contents["data/items.jsonl"].splitlines()]

    assert path.stat().st_mode & 0o777 == 0o600
    assert [*path.parent.iterdir()] == [path]
    assert {name: entry.sha256 for name, entry in manifest.files.items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in contents.items()
    }
    assert (manifest.files["data/turns.jsonl"].lines, manifest.header.scope) == (5, SCOPE)
    assert is_sealed(written, seal, KEY)
    assert not is_sealed(written, seal, b"x" * 32)
    assert (sessions, turns) == stored[:2]
    assert [record.item.content for record in items] == stored[2]
    assert turns[2].replaced_by == "e4"
    assert turns[1].parts == (Part(Origin.FORWARDED, "The gate is B17.", "Vera", 9),)
    assert (items[0].item.superseded_by, items[1].item.references) == (items[1].item.id, (items[0].item.id,))
    assert items[0].sources == ("e1",)
    assert "bees" not in read_texts(path)


async def test_people_can_read_it(database: Database, tmp_path: Path) -> None:
    """The conversation by month, only as it holds; memories by kind, the old struck out; wishes apart."""
    await fill(database)
    path = tmp_path / "tu42.zip"
    export_to(database, SCOPE, path, NOON)
    with zipfile.ZipFile(path) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".md")}

    assert {"conversation/2026-02.md", "conversation/2026-03.md", "memories/project_fact.md", "README.md"} <= set(pages)
    assert "> I am moving to Porto." in pages["conversation/2026-02.md"]
    assert "passed on, written by Vera:\n\n> The gate is B17." in pages["conversation/2026-02.md"]
    assert "Tuesday" in pages["conversation/2026-03.md"]
    assert "Monday" not in pages["conversation/2026-03.md"]
    assert "~~Vera lives in Porto~~" in pages["memories/project_fact.md"]
    assert "Vera lives in Lisbon (**Anna**, 2026-02-07, chat, pinned)" in pages["memories/project_fact.md"]
    assert "Answer briefly" in pages["memories/wishes.md"]


@ONE_FILE
async def test_memory_does_not_grow_with_the_conversation(database: Database, tmp_path: Path) -> None:
    """Ten times the turns cost no more than a fraction of their own size."""
    turns = SqliteTurns(database)
    peaks = []
    for begin, end in ((0, 5), (5, 55)):
        for number in range(begin, end):
            await turns.commit(turn(exchange(f"e{number}", f"{number} " + f"{'word' * 250} " * 40)))
        tracemalloc.start()
        export_to(database, SCOPE, tmp_path / "tu42.zip", NOON)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] < peaks[0] + 500_000  # the texts alone grew by four times that


async def test_a_file_that_cannot_be_written_leaves_nothing(database: Database, tmp_path: Path) -> None:
    """The error names it."""
    (tmp_path / "blocked").write_text("a file where a folder should be")

    with pytest.raises(StorageUnavailable, match="blocked"):
        export_to(database, SCOPE, tmp_path / "blocked" / "x.zip", NOON)


@pytest.mark.parametrize(
    ("change", "said"),
    [({"version": 2}, "update Mneme"), ({"format": "x"}, "not one of"), ({"scope": "../x"}, "not one of")],
)
async def test_a_manifest_of_another_format_is_refused(
    database: Database, tmp_path: Path, change: dict[str, object], said: str
) -> None:
    """A newer version is told apart from what is none of ours."""
    export_to(database, SCOPE, tmp_path / "tu42.zip", NOON)
    with zipfile.ZipFile(tmp_path / "tu42.zip") as archive:
        fields = orjson.loads(archive.read("manifest.json"))

    with pytest.raises(ImportRefused, match=said):
        load_manifest(orjson.dumps(fields | change), "tu42.zip")


def test_a_record_is_read_back_field_by_field() -> None:
    """What an older export did not have takes its default; what is missing or of another kind makes no record."""
    told = ArchivedTurn("e1", 1, NOON, 42, "Anna", Trust.USER, "Hello.", "Hi.", Trust.BOT, chronicle=("A line",))
    fields = orjson.loads(dump_line(told))
    older = {name: value for name, value in fields.items() if name != "chronicle"}
    wrong = (
        {name: value for name, value in fields.items() if name != "trust"},
        {**fields, "trust": "king"},
        {**fields, "session": "1"},
        {**fields, "echo": 1},
        {**fields, "said_at": "2026-02-07T10:00:00"},
        {**fields, "chronicle": "A line"},
    )

    assert load_record(ArchivedTurn, dump_line(told)) == told
    assert load_record(ArchivedTurn, orjson.dumps({**older, "later": 1})) == replace(told, chronicle=())
    for each in wrong:
        with pytest.raises((KeyError, TypeError, ValueError)):
            load_record(ArchivedTurn, orjson.dumps(each))
