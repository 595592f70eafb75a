"""LightRAG's key-value storage: one row per key.

Semantics are those of its JSON files: values come back with ``_id``, ``create_time`` and ``update_time``, a missing key
is ``None`` in place.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import orjson
from lightrag.base import BaseKVStorage

from memory_server.storage.workspace import Transaction, tenant_of

Row = dict[str, Any]  # Any: LightRAG's records are JSON objects of its own making


@dataclass
class SqliteKVStorage(BaseKVStorage):  # type: ignore[misc]  # LightRAG has no type information
    """Key-value records of the bound workspace.  Every write is committed when the call returns."""

    supports_strict_point_reads: ClassVar[bool] = True

    async def get_by_id(self, id: str) -> Row | None:  # noqa: A002 - LightRAG's name
        """Return one record, ``None`` if there is none."""
        (row,) = await self.get_by_ids([id])
        return row

    async def get_by_id_strict(self, id: str) -> Row | None:  # noqa: A002 - LightRAG's name
        """Return one record; ``None`` is a confirmed absence, as every failure raises."""
        return await self.get_by_id(id)

    async def get_by_ids(self, ids: list[str]) -> list[Row | None]:
        """Return records in the order of ``ids``, ``None`` where there is none."""
        tenant = tenant_of(self.workspace)
        found = await tenant.workspace.read(lambda db: fetch(db, self.namespace, ids))
        return [found.get(key) for key in ids]

    async def filter_keys(self, keys: set[str]) -> set[str]:
        """Return those of ``keys`` that are not stored."""
        tenant = tenant_of(self.workspace)
        return set(keys) - set(await tenant.workspace.read(lambda db: _known(db, self.namespace, keys)))

    async def upsert(self, data: dict[str, Row]) -> None:
        """Insert or replace records."""
        if data:
            await tenant_of(self.workspace, write=True).workspace.write(lambda tx: store(tx, self.namespace, data))

    async def delete(self, ids: list[str]) -> None:
        """Remove records; unknown ids are ignored."""
        await tenant_of(self.workspace, write=True).workspace.write(lambda tx: remove(tx, self.namespace, ids))

    async def is_empty(self) -> bool:
        """Return whether the namespace holds nothing."""
        ask = "SELECT NOT EXISTS (SELECT 1 FROM kv WHERE ns = ?)"
        tenant = tenant_of(self.workspace)
        return bool(await tenant.workspace.read(lambda db: db.execute(ask, (self.namespace,)).fetchone()[0]))

    async def index_done_callback(self) -> None:
        """Do nothing: writes are committed when they return."""

    async def drop(self) -> dict[str, str]:
        """Remove the whole namespace."""
        workspace = tenant_of(self.workspace, write=True).workspace
        await workspace.write(lambda tx: tx.db.execute("DELETE FROM kv WHERE ns = ?", (self.namespace,)))
        return {"status": "success", "message": "data dropped"}


def fetch(db: sqlite3.Connection, namespace: str, keys: Iterable[str]) -> dict[str, Row]:
    """Return the records of these keys that exist."""
    rows = db.execute(
        "SELECT key, value FROM kv WHERE ns = ? AND key IN (SELECT value FROM json_each(?))",
        (namespace, orjson.dumps(list(keys)).decode()),
    )
    return {key: orjson.loads(value) | {"_id": key} for key, value in rows}


def store(tx: Transaction, namespace: str, data: dict[str, Row]) -> None:
    """Insert or replace records, keeping the creation time of those that exist."""
    now = int(time.time())
    known = fetch(tx.db, namespace, data)
    for key, value in data.items():
        if namespace.endswith("text_chunks"):
            value.setdefault("llm_cache_list", [])
        value["create_time"] = known[key].get("create_time", now) if key in known else now
        value["update_time"] = now
        value["_id"] = key
    rows = [(namespace, key, orjson.dumps(value, default=str).decode()) for key, value in data.items()]
    tx.db.executemany("INSERT OR REPLACE INTO kv (ns, key, value) VALUES (?, ?, ?)", rows)


def remove(tx: Transaction, namespace: str, keys: Iterable[str]) -> None:
    """Remove records; unknown keys are ignored."""
    tx.db.executemany("DELETE FROM kv WHERE ns = ? AND key = ?", [(namespace, key) for key in keys])


def _known(db: sqlite3.Connection, namespace: str, keys: Iterable[str]) -> list[str]:
    rows = db.execute(
        "SELECT key FROM kv WHERE ns = ? AND key IN (SELECT value FROM json_each(?))",
        (namespace, orjson.dumps(list(keys)).decode()),
    )
    return [key for (key,) in rows]
