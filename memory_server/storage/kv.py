"""What LightRAG's storages of records have in common here, and its key-value storage: one row per key.

Semantics are those of its JSON files: values come back with ``_id``, ``create_time`` and ``update_time``, a missing key
is ``None`` in place.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import orjson
from lightrag.base import BaseKVStorage

from memory_server.storage.workspace import Transaction, tenant_of

T = TypeVar("T")
Row = dict[str, Any]  # Any: LightRAG's records are JSON objects of its own making


class Stored:
    """A storage of the bound workspace.  Every write is committed and fsynced when the call returns."""

    workspace: str
    namespace: str
    supports_strict_point_reads: ClassVar[bool] = True

    async def get_by_id(self, id: str) -> Row | None:  # noqa: A002 - LightRAG's name
        return (await self.get_by_ids([id]))[0]

    async def get_by_id_strict(self, id: str) -> Row | None:  # noqa: A002 - LightRAG's name
        """Return one record; ``None`` is a confirmed absence, as every failure raises."""
        return await self.get_by_id(id)

    async def get_by_ids(self, ids: list[str]) -> list[Row | None]:
        found = await self._read(lambda db: self._find(db, ids))
        return [found.get(key) for key in ids]

    async def filter_keys(self, keys: set[str]) -> set[str]:
        return set(keys) - set(await self._read(lambda db: self._find(db, list(keys))))

    async def index_done_callback(self) -> None:
        """Do nothing: writes are committed when they return."""

    async def drop(self) -> dict[str, str]:
        await self._write(self._clear)
        return {"status": "success", "message": "data dropped"}

    def _find(self, db: sqlite3.Connection, ids: list[str]) -> dict[str, Row]:
        raise NotImplementedError

    def _clear(self, tx: Transaction) -> None:
        raise NotImplementedError

    async def _read(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        return await tenant_of(self.workspace).workspace.read(ask)

    async def _write(self, change: Callable[[Transaction], T]) -> T:
        return await tenant_of(self.workspace, write=True).workspace.write(change)


@dataclass
class SqliteKVStorage(Stored, BaseKVStorage):  # type: ignore[misc]  # LightRAG has no type information
    """Key-value records."""

    async def upsert(self, data: dict[str, Row]) -> None:
        if data:
            await self._write(lambda tx: store(tx, self.namespace, data))

    async def delete(self, ids: list[str]) -> None:
        await self._write(lambda tx: remove(tx, self.namespace, ids))

    async def is_empty(self) -> bool:
        ask = "SELECT NOT EXISTS (SELECT 1 FROM kv WHERE ns = ?)"
        return bool(await self._read(lambda db: db.execute(ask, (self.namespace,)).fetchone()[0]))

    def _find(self, db: sqlite3.Connection, ids: list[str]) -> dict[str, Row]:
        return fetch(db, self.namespace, ids)

    def _clear(self, tx: Transaction) -> None:
        tx.db.execute("DELETE FROM kv WHERE ns = ?", (self.namespace,))


_PUT = "INSERT INTO kv (ns, key, value) VALUES (?, ?, ?) ON CONFLICT (ns, key) DO UPDATE SET value = excluded.value"


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
        value["create_time"] = known.get(key, {}).get("create_time", now)
        value["update_time"] = now
        value["_id"] = key
    rows = [(namespace, key, orjson.dumps(value, default=str).decode()) for key, value in data.items()]
    tx.db.executemany(_PUT, rows)


def remove(tx: Transaction, namespace: str, keys: Iterable[str]) -> None:
    """Remove records; unknown keys are ignored."""
    tx.db.executemany("DELETE FROM kv WHERE ns = ? AND key = ?", [(namespace, key) for key in keys])
