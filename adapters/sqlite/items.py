"""Structured memory: system 20 reads it; /memory, /remember and the memory tools page through it and change it.

Finds the items of one scope that a question may mean, and those that every prompt may hold.

In two steps, so that the first is done while the question is embedded.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from adapters.sqlite.browsing import SqliteMemoryBrowser
from adapters.sqlite.database import Database, Store, reading, writing
from adapters.sqlite.rows.codec import (
    dump_list,
    ensure_scope,
    find_range,
    find_scope,
    get_id_range,
    list_column,
    split_time,
    take_item_id,
)
from adapters.sqlite.rows.derived import list_indexes
from adapters.sqlite.rows.items import (
    add_source,
    change_item,
    dump_item,
    index_item,
    insert_item,
    load_item,
    load_items,
    normalise_item,
    select_items,
    store_item,
)
from adapters.sqlite.said_words import SaidWords, find_said
from adapters.sqlite.search import (
    Hits,
    Pool,
    Vector,
    Vectors,
    build_match,
    choose_texts,
    embed_question,
    find_words,
    read_vectors,
)
from bot.memory.items import (
    ItemType,
    Layer,
    Match,
    MemoryItem,
    Provenance,
    promote_item,
    raise_salience,
    scale_cosine,
    select_best,
)
from bot.memory.learning.correction import Correction
from bot.memory.learning.retraction import remove_statement
from bot.memory.learning.rewording import keeps_told
from bot.memory.learning.wishes import WISH
from bot.memory.sanitise import flatten
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.embedder import Embedder
from bot.ports.memory_store import Corrected, ItemFilter, ItemPage, MemoryQuery, Selector
from bot.ports.when import Clock
from language.analyser import Analyser
from language.sentences import split_sentences

_CANDIDATES: Final = 60
"""By words, and as many by vectors: more than a turn asks for.  Making an item of a row is the dearest step."""
_STANDING: Final = 20
_LIVE: Final = select_items("WHERE id IN (SELECT value FROM json_each(?)) AND superseded_by IS NULL")


def _join_text(title: str, content: str) -> str:
    """Return what is embedded of an item: a title that is the beginning of its content, cut or not, says no more."""
    known = title.removesuffix("…") in flatten(content, len(content))
    return content if known else f"{title}: {content}"


ITEMS: Final = Pool(
    words="items_fts",
    vectors="item_vectors",
    queue="item_backlog",
    texts="SELECT id, title, content FROM items",
    unchanged="SELECT 1 FROM items WHERE id = ? AND content = ?",
    join=_join_text,
    weighed=500,
    told="SELECT exchanges.id FROM items JOIN exchanges ON exchanges.scope_no = items.scope_no "
    "AND uid = items.exchange WHERE items.id = ?",
)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The items of a scope that a question may mean, before its meaning is known.

    ``said`` have one of its words, ``always`` are the items that every prompt may hold, ``embedded`` is all of them.
    """

    said: Hits
    always: list[int]
    embedded: Vectors


def collect_candidates(connection: sqlite3.Connection, scope_no: int, asked: Sequence[str], model: str) -> Candidates:
    """Return what the question's stemmed words ``asked`` find, and what its embedding by ``model`` may be near to."""
    (total,) = connection.execute(
        "SELECT count(*) FROM items WHERE scope_no = ? AND superseded_by IS NULL", (scope_no,)
    ).fetchone()
    return Candidates(
        find_words(connection, ITEMS, asked, [get_id_range(scope_no)], total),
        _list_standing(connection, scope_no),
        read_vectors(connection, ITEMS, scope_no, model),
    )


def match_candidates(looked: Candidates, vector: Vector | None) -> dict[int, Match]:
    """Return how each item matches that does, is pinned or is a standing instruction.

    ``vector`` is the question's embedding, ``None`` for words alone.
    """
    near = {} if vector is None else looked.embedded.find_nearest(vector, _CANDIDATES)
    chosen = choose_texts(looked.said, near, _CANDIDATES)
    matches = {item_id: Match(share, scale_cosine(cosine)) for item_id, (share, cosine) in chosen.items()}
    return dict.fromkeys(looked.always, Match()) | matches


def _list_standing(connection: sqlite3.Connection, scope_no: int) -> list[int]:
    """Return pinned items and the newest standing instructions."""
    query = (
        "SELECT id FROM items WHERE id BETWEEN ?1 AND ?2 AND superseded_by IS NULL AND pinned = 1 UNION "
        "SELECT * FROM (SELECT id FROM items WHERE id BETWEEN ?1 AND ?2 AND superseded_by IS NULL "
        "AND type IN (?3, ?4) ORDER BY updated_at DESC LIMIT ?5)"
    )
    kinds = (ItemType.PREFERENCE, ItemType.CONSTRAINT)
    return list_column(connection, query, *get_id_range(scope_no), *kinds, _STANDING)


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
_SUPERSEDE: Final = "UPDATE items SET superseded_by = ? WHERE id IN (SELECT value FROM json_each(?))"
_EDITED: Final = "edit"
"""The source of what somebody wrote in a memory's place."""
_MOST_WISHES: Final = 100


class SqliteItems(Store):
    """The ports :class:`~bot.ports.memory_store.MemoryStore` and :class:`~bot.ports.memory_store.MemoryEditor`.

    ``fingerprint`` gives equal strings for texts that say the same; edited items are compared by it.
    """

    def __init__(
        self, database: Database, embedder: Embedder, clock: Clock, *, fingerprint: Callable[[str], str] = str.casefold
    ) -> None:
        super().__init__(database)
        self._embedder = embedder
        self._clock = clock
        self._fingerprint = fingerprint
        self._words = Analyser()
        self._browser = SqliteMemoryBrowser(database, clock)
        self._indexes = list_indexes(database.rooms)

    async def items(self, scope: Scope, query: MemoryQuery) -> tuple[tuple[MemoryItem, float], ...]:
        asked, model = self._words.stem_question(query.text), self._embedder.model
        looking = self.database.read(
            lambda connection: collect_candidates(connection, find_scope(connection, scope), asked, model)
        )
        looked, vector = await asyncio.gather(looking, embed_question(self._embedder, query.text))
        if not (matches := match_candidates(looked, vector)):
            return ()
        found = load_items(await self.database.fetch(_LIVE, (dump_list(matches),)))
        return select_best(found, matches, query.now, query.limit)

    @reading
    def wishes(self, connection: sqlite3.Connection, scope: Scope) -> tuple[MemoryItem, ...]:
        tagged = f"head : ({build_match(self._words.stems(WISH))})"
        rows = connection.execute(
            _WISHES, (tagged, *find_range(connection, scope), f'"{WISH}"', _MOST_WISHES)
        ).fetchall()
        return tuple(load_items(rows))

    async def touch(self, scope: Scope, item_ids: tuple[int, ...], at: datetime) -> None:
        if item_ids:
            await self.database.write_along(lambda connection: _touch(connection, scope, item_ids, split_time(at)[0]))

    async def page(
        self, scope: Scope, selector: Selector, *, search: str = "", offset: int = 0, size: int = 10
    ) -> ItemPage:
        return await self._browser.browse(scope, ItemFilter(selector, search=search), offset=offset, size=size)

    @writing
    def add(
        self,
        connection: sqlite3.Connection,
        scope: Scope,
        item: MemoryItem,
        at: Address | None = None,
        message_id: int = 0,
    ) -> int:
        item = normalise_item(item, self._clock.now())
        scope_no = ensure_scope(connection, scope)
        if not item.provenance.exchange:
            uid = self._words_of(connection, scope, scope_no).store(item, at, message_id)
            item = replace(item, provenance=replace(item.provenance, exchange=uid))
        return store_item(connection, self._words, scope_no, item)

    @writing
    def correct(
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
        uid, sentence = correction.uid, correction.sentence
        rows = connection.execute(_OF_EXCHANGE, (scope_no, editor.id, uid)).fetchall()
        item = next((one for one in load_items(rows) if sentence in one.content), None)
        if item is None:
            was = find_said(connection, scope, scope_no, uid, editor.id)
            if was is None or sentence not in was.user_text:
                return None
            told = Provenance(editor.id, editor.name, "chat", editor.trust, was.said_at, uid)
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

    @reading
    def find_corrected(self, connection: sqlite3.Connection, scope: Scope, by: str) -> tuple[Corrected, ...]:
        rows = connection.execute(_CORRECTED_BY, (find_scope(connection, scope), _EDITED, by)).fetchall()
        edits = [
            (item, _find_item(connection, scope, item.references[-1])) for item in load_items(rows) if item.references
        ]
        return tuple(Corrected(item.id, was.content, item.content) for item, was in edits if was is not None)

    @writing
    def take_back(
        self, connection: sqlite3.Connection, scope: Scope, since: datetime, now: datetime, editor: Author, at: Address
    ) -> Corrected | None:
        scope_no = find_scope(connection, scope)
        row = connection.execute(_NEWEST_EDIT, (scope_no, editor.id, _EDITED, split_time(since)[0])).fetchone()
        item = None if row is None else load_item(row)
        former = _find_item(connection, scope, item.references[-1]) if item is not None and item.references else None
        if item is None or former is None:
            return None
        self._edit(
            connection, scope, item.id, former.content, now, editor, at, said_at=former.provenance.said_at
        )  # what was said since changes it still
        return Corrected(item.id, item.content, former.content)

    @writing
    def pin(self, connection: sqlite3.Connection, scope: Scope, item_id: int, *, pinned: bool) -> bool:
        if _find_item(connection, scope, item_id) is None:
            return False
        return connection.execute("UPDATE items SET pinned = ? WHERE id = ?", (pinned, item_id)).rowcount == 1

    @writing
    def promote(self, connection: sqlite3.Connection, scope: Scope) -> int:
        """Move episodic items that have proved themselves to a lasting layer and return how many."""
        rows = connection.execute(_OF_LAYER, (*find_range(connection, scope), Layer.EPISODIC)).fetchall()
        moved = 0
        for row in rows:
            item = promote_item(load_item(row[:-2]), restated=row[-2], uses=row[-1])
            if item is not None:
                connection.execute("UPDATE items SET layer = ?, ttl_s = NULL WHERE id = ?", (item.layer, item.id))
                moved += 1
        return moved

    def _list_reworded(
        self, connection: sqlite3.Connection, scope: Scope, item: MemoryItem, sources: Sequence[str], content: str
    ) -> list[int]:
        """Return the other memories of an item's exchanges that say what it says no more as ``content``.

        A model keeps a message in words of its own; what stands elsewhere in the message is something else.
        """
        scope_no, author_id = item.id >> 32, item.provenance.author_id
        gone = [each for each in split_sentences(item.content) if each not in content]
        found = []
        for uid in sources:
            was = find_said(connection, scope, scope_no, uid, author_id)
            said = "" if was is None else was.user_text.casefold()
            for one in load_items(connection.execute(_OF_EXCHANGE, (scope_no, author_id, uid)).fetchall()):
                told = one.content.strip(" .!").casefold()
                own = told not in said and not all(
                    remove_statement(one.content, each, self._words.stems) for each in gone
                )
                if one.id != item.id and (own or any(told in each.casefold() for each in gone)):
                    found.append(one.id)
        return found

    def _words_of(self, connection: sqlite3.Connection, scope: Scope, scope_no: int) -> SaidWords:
        return SaidWords(connection, self._indexes, self._words.stems, scope, scope_no)

    def _edit(
        self,
        connection: sqlite3.Connection,
        scope: Scope,
        item_id: int,
        content: str,
        now: datetime,
        editor: Author,
        at: Address | None = None,
        message_id: int = 0,
        said_at: datetime | None = None,
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
            said_at=said_at or (item.provenance.said_at if keeps_told(content, item.content) else now),
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
        said_words = self._words_of(connection, scope, scope_no)
        uid = said_words.store(new, at, message_id)
        sources = list_column(connection, _SOURCES, item_id)
        reworded = self._list_reworded(connection, scope, item, sources, content)
        said_words.retract(sources, item.content, uid)
        connection.execute(
            "UPDATE items SET superseded_by = ? WHERE id BETWEEN ? AND ? AND author_id = ? AND fingerprint = ? "
            "AND superseded_by IS NULL AND id <> ?",
            (item_id, *get_id_range(scope_no), new.provenance.author_id, new.fingerprint, item_id),
        )
        connection.execute(_SUPERSEDE, (item_id, dump_list(reworded)))
        new = replace(new, provenance=replace(new.provenance, exchange=uid))
        change_item(connection, item_id, dump_item(new))
        index_item(connection, self._words, new)
        insert_item(connection, self._words, scope_no, replace(item, id=former, superseded_by=item_id, pinned=False))
        add_source(connection, item_id, uid)
        return True

    edit = writing(_edit)


def _find_item(connection: sqlite3.Connection, scope: Scope, item_id: int) -> MemoryItem | None:
    scope_no = find_scope(connection, scope)
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
