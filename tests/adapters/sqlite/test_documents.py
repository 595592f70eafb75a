"""Documents in SQLite: kept once, found, listed, opened, and gone without a trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.document_search import CHUNKS, SqliteDocumentSearch
from adapters.sqlite.documents import SqliteDocuments
from adapters.sqlite.erasure.tombstones import Tombstone, append
from adapters.sqlite.outbox import SqliteOutbox, index_deferred, reindex_exchanges
from adapters.sqlite.recovery.salvage import rebuild
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.search import PoolEmbedder
from adapters.sqlite.turn_search.search import SqliteRecall
from bot.memory.chunking import DocumentChunk, cut_document
from bot.memory.document import parse_source
from bot.memory.items import Channel, DocumentPlace, Trust
from bot.memory.scope import Scope
from bot.ports.documents import NewDocument, make_document_uid
from bot.ports.eraser import ErasureTarget
from harness.samples import ANNA, HERE, NOON, SCOPE, HeldClock, WordEmbedder, exchange, question, turn
from tests.adapters.sqlite.test_erased_bytes import eraser_of, grep
from tests.adapters.sqlite.test_undo import eraser_of as undoing_eraser
from tests.postgres import ONE_FILE

OTHER = Scope("tu43")
BREAD = (DocumentChunk((), "Bread and cheese."),)
SECTIONS = (
    DocumentChunk(("Harbour report",), "The harbour was surveyed in spring.", 1),
    DocumentChunk(("Harbour report", "Tides"), "The highest tide was zanzibarfloodgate metres.", 2),
    DocumentChunk(("Harbour report", "Lights"), "The northern beacon is green.", 3),
)


def document(
    entry: int = 1, name: str = "report.pdf", scope: Scope = SCOPE, **changes: Any
) -> NewDocument:  # Any: fields
    """Return a document of three sections."""
    plain = NewDocument(
        uid=make_document_uid(scope, entry, 1),
        name=name,
        title="Harbour report",
        kind="pdf",
        author=ANNA,
        added_at=NOON,
        place=HERE.key,
        message_id=100 + entry,
        entry=entry,
        exchange=f"e{entry}",
        content_hash=f"hash of {name}",
        chunks=cut_document(SECTIONS),
        pages=3,
    )
    return replace(plain, **changes)


def search_of(database: Database) -> SqliteDocumentSearch:
    """A search as production has it."""
    return SqliteDocumentSearch(database, WordEmbedder(), SqliteRecall(database, WordEmbedder()))


async def test_a_document_is_found_with_its_place(database: Database) -> None:
    """By its words at once, by its meaning soon; with name, section, page, day and the trust of a file."""
    await SqliteDocuments(database).add(SCOPE, document(), index=True)
    by_words = await search_of(database).search(SCOPE, question("How high was the tide?"))
    while await PoolEmbedder(database, WordEmbedder(), (CHUNKS,)).embed_missing(2):
        pass
    by_both = await search_of(database).search(SCOPE, question("How high was the tide?"))

    for found in (by_words, by_both):
        assert found[0].text == "The highest tide was zanzibarfloodgate metres."
        assert found[0].place == DocumentPlace(document().uid, "report.pdf", ("Harbour report", "Tides"), 2)
        assert (found[0].channel, found[0].trust, found[0].said_at) == (Channel.DOCUMENT, Trust.FILE, NOON)


async def test_a_scope_has_its_own_documents(database: Database) -> None:
    """Nothing of another scope is listed, opened or found.

    Mutation checked: with the range of ids left out of the search the other scope's chunks come up.
    """
    store, search = SqliteDocuments(database), search_of(database)
    theirs = await store.add(OTHER, document(scope=OTHER), index=True)
    await store.add(SCOPE, document(2, "other.pdf", title="", chunks=BREAD), index=True)
    while await PoolEmbedder(database, WordEmbedder(), (CHUNKS,)).embed_missing(8):
        pass

    assert [one.name for one in (await store.list_documents(SCOPE)).documents] == ["other.pdf"]
    assert await store.get(SCOPE, theirs.uid) is None
    assert await store.find(SCOPE, "report") == ()
    assert await store.read_chunks(SCOPE, theirs.uid) == ()
    assert all("tide" not in one.text for one in await search.search(SCOPE, question("the highest tide")))
    assert await search.search(SCOPE, replace(question("tide"), documents=(theirs.uid,))) == ()


async def test_the_same_file_is_kept_once(database: Database) -> None:
    """The same content is one document, whatever it is called; a new content of a name takes the old one's place."""
    store = SqliteDocuments(database)
    first = await store.add(SCOPE, document(1), index=True)
    again = await store.add(SCOPE, document(1), index=True)
    renamed = await store.add(SCOPE, document(2, "copy.pdf", content_hash="hash of report.pdf"), index=True)
    newer = await store.add(
        SCOPE, document(3, "Report.PDF", content_hash="other", chunks=(DocumentChunk((), "New words."),)), index=True
    )
    page = await store.list_documents(SCOPE)

    assert (first, again.uid, renamed.uid) == (again, first.uid, first.uid)
    assert (newer.version, newer.uid == first.uid) == (2, True)
    assert [one.uid for one in page.documents] == [newer.uid]
    assert await search_of(database).search(SCOPE, question("the highest tide")) == ()


async def test_a_document_is_found_by_name_number_and_message(database: Database) -> None:
    """By its whole name alone, by a part among others; by the message that brought it, in that place only."""
    store = SqliteDocuments(database)
    report = await store.add(SCOPE, document(1), index=True)
    plan = await store.add(SCOPE, document(2, "report plan.docx", title="Plan", content_hash="b"), index=True)

    assert [one.uid for one in await store.find(SCOPE, "REPORT.pdf")] == [report.uid]
    assert {one.uid for one in await store.find(SCOPE, "report")} == {report.uid, plan.uid}
    assert [one.uid for one in await store.find(SCOPE, f"#{plan.number}")] == [plan.uid]
    assert [one.uid for one in await store.find(SCOPE, "harbour")] == [report.uid]
    assert await store.find(SCOPE, "%") == ()
    assert [one.uid for one in await store.find_carried(SCOPE, HERE.key, 102)] == [plan.uid]
    assert await store.find_carried(SCOPE, "elsewhere", 102) == ()
    assert [one.headings[-1] for one in await store.outline(SCOPE, report.uid)] == ["Harbour report", "Tides", "Lights"]


async def test_long_term_memory_gets_a_document_and_loses_it_again(database: Database) -> None:
    """Through the outbox, under a name that says whose it is; later if it is off now; again if it was lost."""
    store, outbox = SqliteDocuments(database), SqliteOutbox(database)
    await store.add(SCOPE, document(), index=False)
    waiting = await outbox.due(NOON, 9)
    deferred, twice = await index_deferred(database), await index_deferred(database)
    (row,) = await outbox.due(NOON, 9)
    source = parse_source(row.document.source)
    await outbox.close(row.id)
    again = await reindex_exchanges(database, min_length=1)
    receipt = await eraser_of(database).erase(SCOPE, ErasureTarget(files=(document().uid,)))
    (removal,) = await outbox.due(NOON, 9)

    assert (waiting, deferred, twice, again) == ((), 1, 0, 1)
    assert "# Harbour report" in row.document.text
    assert "highest tide" in row.document.text
    assert source is not None
    assert (source.tag, source.uid, source.file) == (SCOPE.tag, document().uid, True)
    assert (receipt.files, receipt.documents, receipt.residue) == (1, 1, ())
    assert (removal.erase, removal.document.source) == (True, row.document.source)


@pytest.mark.parametrize("how", ["file", "exchange", "scope"])
async def test_an_erased_document_is_in_no_file(database: Database, how: str) -> None:
    """Forgotten by itself, with the message that brought it, or with everything: no byte of it is left.

    Mutation checked: without the cascade into documents the word is found.
    """
    store, eraser = SqliteDocuments(database), eraser_of(database)
    stored = await store.add(SCOPE, document(), index=True)
    while await PoolEmbedder(database, WordEmbedder(), (CHUNKS,)).embed_missing(8):
        pass
    match how:
        case "file":
            receipt = await eraser.erase(SCOPE, ErasureTarget(files=(stored.uid,)))
        case "exchange":
            turns = SqliteTurns(database)
            session = await turns.session(HERE)
            await turns.commit(turn(exchange("e1", "Here is the report.", session=session)))
            receipt = await eraser.erase_exchanges(SCOPE, ("e1",))
        case _:
            receipt = await eraser.erase_scope(SCOPE)
    await eraser.clean()

    assert receipt.files == 1
    assert receipt.residue == ()
    assert (await store.list_documents(SCOPE)).total == 0
    assert grep(database.path.parent) == []


async def test_a_forgotten_document_can_be_brought_back(database: Database) -> None:
    """Row by row, found by its words again, and what long-term memory was told is taken back."""
    store, eraser = SqliteDocuments(database), undoing_eraser(database, HeldClock())
    stored = await store.add(SCOPE, document(), index=True)
    chunks = await store.read_chunks(SCOPE, stored.uid)
    await eraser.erase(SCOPE, ErasureTarget(files=(stored.uid,)), author_id=ANNA.id)
    between = await search_of(database).search(SCOPE, question("the highest tide"))
    back = await eraser.undo(SCOPE, ANNA.id)
    found = await search_of(database).search(SCOPE, question("the highest tide"))
    rows = await SqliteOutbox(database).due(NOON, 9)

    assert between == ()
    assert back is not None
    assert back.files == 1
    assert await store.get(SCOPE, stored.uid) == stored
    assert await store.read_chunks(SCOPE, stored.uid) == chunks
    assert "highest tide" in found[0].text
    assert [row.erase for row in rows] == [False]


@ONE_FILE
async def test_an_old_back_up_does_not_bring_a_document_back(database: Database) -> None:
    """Its tombstone takes it away at the next start."""
    store, eraser = SqliteDocuments(database), eraser_of(database)
    stored = await store.add(SCOPE, document(), index=True)
    append(database.path.with_name("tombstones.jsonl"), Tombstone(SCOPE, (stored.uid,)))
    await eraser.resume()

    assert (await store.list_documents(SCOPE)).total == 0


@ONE_FILE
async def test_documents_outlive_a_damaged_file(database: Database, tmp_path: Path) -> None:
    """They can be made of nothing else: their rows are copied, their words made anew, their numbers go on."""
    stored = await SqliteDocuments(database).add(SCOPE, document(), index=True)
    await database.checkpoint()
    rebuild(database.path, tmp_path / "new.db", ROOMS)
    recovered = Database(tmp_path / "new.db", ROOMS)
    await recovered.open()
    try:
        store = SqliteDocuments(recovered)
        found = await search_of(recovered).search(SCOPE, question("the highest tide"))
        second = await store.add(SCOPE, document(2, "b.pdf", content_hash="b"), index=True)

        assert await store.get(SCOPE, stored.uid) == stored
        assert "highest tide" in found[0].text
        assert second.number == stored.number + 1
    finally:
        await recovered.close()
