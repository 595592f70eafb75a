"""Structured memory: system 20 reads it; /memory, /remember and the memory tools page through it and change it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final

from adapters.sqlite.browsing import SqliteMemoryBrowser
from adapters.sqlite.database import Database
from adapters.sqlite.items.evidence import SaidWords, find_said_time
from adapters.sqlite.items.search import Candidates, collect_candidates, match_candidates, read_live_items
from adapters.sqlite.rows.codec import dump_list, split_time
from adapters.sqlite.rows.derived import list_indexes
from adapters.sqlite.rows.items import (
    add_source,
    index_item,
    insert_item,
    load_item,
    load_items,
    normalise_item,
    select_items,
    store_item,
)
from adapters.sqlite.rows.scopes import ensure_scope, find_scope, get_id_range, take_item_id
from adapters.sqlite.search import build_match, embed_question
from bot.memory.items import (
    ItemType,
    Layer,
    MemoryItem,
    Provenance,
    is_expired,
    promote_item,
    raise_salience,
    rate_relevance,
    select_best,
)
from bot.memory.learning.correction import Correction
from bot.memory.learning.wishes import WISH
from bot.memory.sanitise import flatten
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.clock import Clock
from bot.ports.embedder import Embedder
from bot.ports.memory_browser import ItemFilter
from bot.ports.memory_store import Corrected, ItemPage, MemoryQuery, Selector
from language.analyser import Analyser

_BY_ID: Final = select_items("WHERE id = ? AND scope_no = ?")
_OF_LAYER: Final = select_items("WHERE id BETWEEN ? AND ? AND layer = ? AND superseded_by IS NULL", "restated", "uses")
_WISHES: Final = select_items(
    "WHERE id IN (SELECT rowid FROM items_fts WHERE items_fts MATCH ? AND rowid BETWEEN ? AND ?) "
    "AND superseded_by IS NULL AND instr(tags, ?) > 0 ORDER BY pinned DESC, id DESC LIMIT ?"
)
"""Tags are words of an item's head: they are found without a walk through all items."""
_OF_EXCHANGE: Final = select_items(
    "WHERE scope_no = ? AND author_id = ? AND superseded_by IS NULL "
    "AND id IN (SELECT item_id FROM item_sources WHERE exchange = ?) ORDER BY id DESC"
)
_CORRECTED_BY: Final = select_items(
    "WHERE scope_no = ? AND source = ? AND superseded_by IS NULL "
    "AND id IN (SELECT item_id FROM item_sources WHERE exchange = ?) ORDER BY id"
)
_NEWEST_EDIT: Final = select_items(
    "WHERE scope_no = ? AND author_id = ? AND source = ? AND superseded_by IS NULL AND updated_at >= ? "
    "ORDER BY updated_at DESC, id DESC LIMIT 1"
)
_SOURCES: Final = "SELECT exchange FROM item_sources WHERE item_id = ?"
_EDITED: Final = "edit"
"""The source of what somebody wrote in a memory's place."""
_MOST_WISHES: Final = 100


class SqliteItems:
    """The ports :class:`~bot.ports.memory_store.MemoryStore` and :class:`~bot.ports.memory_store.MemoryEditor`.

    ``fingerprint`` gives equal strings for texts that say the same; edited items are compared by it.
    """

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        clock: Clock,
        *,
        fingerprint: Callable[[str], str] = str.casefold,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._clock = clock
        self._fingerprint = fingerprint
        self._words = Analyser()
        self._browser = SqliteMemoryBrowser(database, clock)
        self._said = SaidWords(list_indexes(database.rooms), self._words.stems)

    async def items(self, scope: Scope, query: MemoryQuery) -> tuple[tuple[MemoryItem, float], ...]:
        """Return live items with their relevance, best first; without an embedder, by words alone."""
        asked, model = self._words.stem_question(query.text), self._embedder.model
        looking = self._database.read(lambda connection: _collect(connection, scope, asked, model))
        looked, vector = await asyncio.gather(looking, embed_question(self._embedder, query.text))
        matches = match_candidates(looked, vector) if looked is not None else {}
        if not matches:
            return ()
        found = await self._database.read(lambda connection: read_live_items(connection, matches))
        scored = (
            (item, rate_relevance(item, match, query.now)) for item, match in found if not is_expired(item, query.now)
        )
        return select_best((pair for pair in scored if pair[1] > 0), floor=0.0, limit=query.limit)

    async def wishes(self, scope: Scope) -> tuple[MemoryItem, ...]:
        """Return the live standing wishes of a scope, pinned ones first, then the newest."""
        tagged = f"head : ({build_match(self._words.stems(WISH))})"
        return await self._database.read(lambda connection: _read_wishes(connection, scope, tagged))

    async def touch(self, scope: Scope, item_ids: tuple[int, ...], at: datetime) -> None:
        """Refresh items that stood in a prompt; ids of other scopes are left alone."""
        if item_ids:
            await self._database.write_along(lambda connection: _touch(connection, scope, item_ids, split_time(at)[0]))

    async def page(
        self, scope: Scope, selector: Selector, *, search: str = "", offset: int = 0, size: int = 10
    ) -> ItemPage:
        """Return one page of items, newest first; ``search`` keeps those that hold all of its words."""
        return await self._browser.browse(scope, ItemFilter(selector, search=search), offset=offset, size=size)

    async def add(self, scope: Scope, item: MemoryItem, at: Address | None = None, message_id: int = 0) -> int:
        """Store one item, its words as said unless they stand in an exchange, and return its id."""
        wanted = normalise_item(item, self._clock.now())
        return await self._database.write(lambda connection: self._add(connection, scope, wanted, at, message_id))

    async def edit(
        self,
        scope: Scope,
        item_id: int,
        content: str,
        now: datetime,
        editor: Author,
        at: Address | None = None,
        message_id: int = 0,
    ) -> bool:
        """Replace an item's content; author, fingerprint, words, vector and a title that no longer fits follow."""
        return await self._database.write(
            lambda connection: self._edit(connection, scope, item_id, content, now, editor, at, message_id)
        )

    async def correct(
        self, scope: Scope, correction: Correction, by: str, now: datetime, editor: Author, at: Address
    ) -> Corrected | None:
        """Edit the memory of a sentence, or make one of it first."""
        return await self._database.write(
            lambda connection: self._correct(connection, scope, correction, by, now, editor, at)
        )

    async def find_corrected(self, scope: Scope, by: str) -> tuple[Corrected, ...]:
        """Return the edited memories that have an exchange among their sources."""
        return await self._database.read(lambda connection: _find_corrected(connection, scope, by))

    async def take_back(
        self, scope: Scope, since: datetime, now: datetime, editor: Author, at: Address
    ) -> Corrected | None:
        """Edit the newest edited memory to what it said before."""
        return await self._database.write(lambda connection: self._take_back(connection, scope, since, now, editor, at))

    async def pin(self, scope: Scope, item_id: int, *, pinned: bool) -> bool:
        return await self._database.write(lambda connection: _pin(connection, scope, item_id, pinned=pinned))

    async def promote(self, scope: Scope) -> int:
        """Move episodic items that have proved themselves to a lasting layer and return how many."""
        return await self._database.write(lambda connection: _promote(connection, scope))

    def _add(
        self, connection: sqlite3.Connection, scope: Scope, item: MemoryItem, at: Address | None, message_id: int
    ) -> int:
        scope_no = ensure_scope(connection, scope)
        if not item.provenance.exchange:
            uid = self._said.store(connection, scope, scope_no, item, at, message_id)
            item = replace(item, provenance=replace(item.provenance, exchange=uid))
        return store_item(connection, self._words, scope_no, item)

    def _correct(
        self,
        connection: sqlite3.Connection,
        scope: Scope,
        correction: Correction,
        by: str,
        now: datetime,
        editor: Author,
        at: Address,
    ) -> Corrected | None:
        scope_no = find_scope(connection, scope)
        if scope_no is None:
            return None
        uid, sentence = correction.uid, correction.sentence
        rows = connection.execute(_OF_EXCHANGE, (scope_no, editor.id, uid)).fetchall()
        item = next((one for one in load_items(rows) if sentence in one.content), None)
        if item is None:
            said_at = find_said_time(connection, scope, scope_no, uid, editor.id, sentence)
            if said_at is None:
                return None
            told = Provenance(editor.id, editor.name, "chat", editor.trust, said_at, uid)
            title, print_ = flatten(sentence, 80), self._fingerprint(sentence)
            made = MemoryItem(Layer.SEMANTIC, ItemType.FACT, title, sentence, told, print_)
            item_id = store_item(connection, self._words, scope_no, normalise_item(made, now))
            item = _find_item(connection, scope, item_id)
        if item is None:
            return None
        after = item.content.replace(sentence, correction.statement)
        self._edit(connection, scope, item.id, after, now, editor, at)
        add_source(connection, item.id, by)
        return Corrected(item.id, item.content, after)

    def _take_back(
        self,
        connection: sqlite3.Connection,
        scope: Scope,
        since: datetime,
        now: datetime,
        editor: Author,
        at: Address,
    ) -> Corrected | None:
        scope_no = find_scope(connection, scope)
        row = connection.execute(_NEWEST_EDIT, (scope_no, editor.id, _EDITED, split_time(since)[0])).fetchone()
        item = None if row is None else load_item(row)
        former = _find_item(connection, scope, item.references[-1]) if item is not None and item.references else None
        if item is None or former is None:
            return None
        self._edit(connection, scope, item.id, former.content, now, editor, at)
        return Corrected(item.id, item.content, former.content)

    def _edit(
        self,
        connection: sqlite3.Connection,
        scope: Scope,
        item_id: int,
        content: str,
        now: datetime,
        editor: Author,
        at: Address | None,
        message_id: int = 0,
    ) -> bool:
        item = _find_item(connection, scope, item_id)
        if item is None:
            return False
        if (item.content, item.provenance.author_id, item.provenance.source) == (content, editor.id, _EDITED):
            return True  # a command that is run again after a crash
        title = item.title if item.title.casefold() in content.casefold() else flatten(content, 80)
        said = replace(
            item.provenance,
            author_id=editor.id,
            author_name=editor.name,
            source=_EDITED,
            trust=editor.trust,
            said_at=now,
        )
        scope_no, former = item_id >> 32, take_item_id(connection, item_id >> 32)
        new = normalise_item(
            replace(
                item,
                title=title,
                content=content,
                provenance=said,
                fingerprint=self._fingerprint(content),
                references=(*item.references, former),
                updated_at=now,
            ),
            now,
        )
        uid = self._said.store(connection, scope, scope_no, new, at, message_id)
        sources = tuple(row[0] for row in connection.execute(_SOURCES, (item_id,)))
        self._said.retract(connection, scope, scope_no, sources, item.content, uid)
        connection.execute(
            "UPDATE items SET superseded_by = ? WHERE id BETWEEN ? AND ? AND author_id = ? AND fingerprint = ? "
            "AND superseded_by IS NULL AND id <> ?",
            (item_id, *_get_range(item_id), new.provenance.author_id, new.fingerprint, item_id),
        )
        connection.execute(
            "UPDATE items SET title = ?, content = ?, fingerprint = ?, updated_at = ?, author_id = ?, author_name = ?, "
            "source = ?, trust = ?, said_at = ?, said_offset = ?, exchange = ?, refs = ? WHERE id = ?",
            (
                *(new.title, new.content, new.fingerprint, split_time(now)[0]),
                *(editor.id, new.provenance.author_name, _EDITED, editor.trust, *split_time(now)),
                *(uid, dump_list(new.references), item_id),
            ),
        )
        index_item(connection, self._words, new)
        insert_item(connection, self._words, scope_no, replace(item, id=former, superseded_by=item_id, pinned=False))
        add_source(connection, item_id, uid)
        return True


def _find_corrected(connection: sqlite3.Connection, scope: Scope, by: str) -> tuple[Corrected, ...]:
    rows = connection.execute(_CORRECTED_BY, (find_scope(connection, scope), _EDITED, by)).fetchall()
    edits = [(item, _find_item(connection, scope, item.references[-1])) for item in load_items(rows) if item.references]
    return tuple(Corrected(item.id, was.content, item.content) for item, was in edits if was is not None)


def _collect(connection: sqlite3.Connection, scope: Scope, asked: tuple[str, ...], model: str) -> Candidates | None:
    scope_no = find_scope(connection, scope)
    return None if scope_no is None else collect_candidates(connection, scope_no, asked, model)


def _read_wishes(connection: sqlite3.Connection, scope: Scope, tagged: str) -> tuple[MemoryItem, ...]:
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return ()
    rows = connection.execute(_WISHES, (tagged, *get_id_range(scope_no), f'"{WISH}"', _MOST_WISHES)).fetchall()
    return tuple(load_items(rows))


def _get_range(item_id: int) -> tuple[int, int]:
    return get_id_range(item_id >> 32)


def _find_item(connection: sqlite3.Connection, scope: Scope, item_id: int) -> MemoryItem | None:
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return None
    row = connection.execute(_BY_ID, (item_id, scope_no)).fetchone()
    return None if row is None else load_item(row)


def _touch(connection: sqlite3.Connection, scope: Scope, item_ids: tuple[int, ...], seconds: float) -> None:
    for item_id in item_ids:
        item = _find_item(connection, scope, item_id)
        if item is not None:
            connection.execute(
                "UPDATE items SET accessed_at = ?, uses = uses + 1, salience = ? WHERE id = ?",
                (seconds, raise_salience(item.salience), item_id),
            )


def _pin(connection: sqlite3.Connection, scope: Scope, item_id: int, *, pinned: bool) -> bool:
    if _find_item(connection, scope, item_id) is None:
        return False
    return connection.execute("UPDATE items SET pinned = ? WHERE id = ?", (pinned, item_id)).rowcount == 1


def _promote(connection: sqlite3.Connection, scope: Scope) -> int:
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return 0
    rows = connection.execute(_OF_LAYER, (*get_id_range(scope_no), Layer.EPISODIC)).fetchall()
    moved = 0
    for row in rows:
        item = promote_item(load_item(row[:-2]), restated=row[-2], uses=row[-1])
        if item is not None:
            connection.execute("UPDATE items SET layer = ?, ttl_s = NULL WHERE id = ?", (item.layer, item.id))
            moved += 1
    return moved
