"""Finds the items of one scope that a question may mean, and those that every prompt may hold.

In two steps, so that the first is done while the question is embedded.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from adapters.sqlite.rows.codec import dump_list
from adapters.sqlite.rows.items import load_items, select_items
from adapters.sqlite.rows.scopes import get_id_range
from adapters.sqlite.search import Hits, Pool, Vector, Vectors, choose_texts, find_words, read_vectors
from bot.memory.items import ItemType, Match, MemoryItem, scale_cosine

_CANDIDATES: Final = 60
"""By words, and as many by vectors: more than a turn asks for.  Making an item of a row is the dearest step."""
_STANDING: Final = 20
_LIVE: Final = select_items("WHERE id IN (SELECT value FROM json_each(?)) AND superseded_by IS NULL")
ITEMS: Final = Pool(
    words="items_fts",
    vectors="item_vectors",
    queue="item_backlog",
    texts="SELECT id, title, content FROM items",
    unchanged="SELECT 1 FROM items WHERE id = ? AND content = ?",
    join=lambda title, content: content if title in content else f"{title}: {content}",
    weighed=500,
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


def read_live_items(connection: sqlite3.Connection, matches: dict[int, Match]) -> list[tuple[MemoryItem, Match]]:
    """Return those of the items that are still there, each with how it matched."""
    rows = connection.execute(_LIVE, (dump_list(matches),)).fetchall()
    return [(item, matches[item.id]) for item in load_items(rows)]


def _list_standing(connection: sqlite3.Connection, scope_no: int) -> list[int]:
    """Return pinned items and the newest standing instructions."""
    rows = connection.execute(
        "SELECT id FROM items WHERE id BETWEEN ?1 AND ?2 AND superseded_by IS NULL AND pinned = 1 UNION "
        "SELECT * FROM (SELECT id FROM items WHERE id BETWEEN ?1 AND ?2 AND superseded_by IS NULL "
        "AND type IN (?3, ?4) ORDER BY updated_at DESC LIMIT ?5)",
        (*get_id_range(scope_no), ItemType.PREFERENCE, ItemType.CONSTRAINT, _STANDING),
    ).fetchall()
    return [row[0] for row in rows]
