"""One workspace: writes in turn, whole or not at all, whatever happens to their callers."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory_server.errors import ConfigInvalid, Corrupt, StorageUnavailable
from memory_server.storage.engines import SqliteFile
from memory_server.storage.workspace import Transaction, Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """An open workspace."""
    with ThreadPoolExecutor(4) as threads:
        made = Workspace("w", SqliteFile("w", tmp_path / "w.sqlite3"), "words/64", threads)
        yield made
        made.close()


def put(tx: Transaction, key: str) -> None:
    """Write one row."""
    tx.db.execute("INSERT INTO meta (key, value) VALUES (?, 'x')", (key,))


def keys(db: sqlite3.Connection) -> set[str]:
    """Return the rows written by :func:`put`."""
    return {key for (key,) in db.execute("SELECT key FROM meta WHERE value = 'x'")}


async def test_a_failed_write_leaves_nothing(workspace: Workspace) -> None:
    """An error in a change takes all of it back, and the next write works."""

    def broken(tx: Transaction) -> None:
        put(tx, "a")
        raise KeyError("b")

    with pytest.raises(KeyError):
        await workspace.write(broken)
    await workspace.write(lambda tx: put(tx, "c"))

    assert await workspace.read(keys) == {"c"}


async def test_a_cancelled_write_blocks_nobody(workspace: Workspace) -> None:
    """A caller that goes away in the middle leaves a committed write and a free writer."""
    begun, go = threading.Event(), threading.Event()

    def slow(tx: Transaction) -> None:
        put(tx, "slow")
        begun.set()
        go.wait(10)

    writing = asyncio.create_task(workspace.write(slow))
    await asyncio.to_thread(begun.wait, 10)
    writing.cancel()
    following = asyncio.create_task(workspace.write(lambda tx: put(tx, "next")))
    await asyncio.sleep(0.05)
    waited = not following.done()
    go.set()
    await following

    assert waited
    assert await workspace.read(keys) == {"slow", "next"}


async def test_closing_waits_for_a_write_that_nobody_waits_for(workspace: Workspace) -> None:
    """A write goes on when its caller is cancelled; closing under it would end the process.

    Mutation check: without the lock the close returns while the write is running.
    """
    begun, go = threading.Event(), threading.Event()

    def slow(tx: Transaction) -> None:
        put(tx, "slow")
        begun.set()
        go.wait(10)

    writing = asyncio.create_task(workspace.write(slow))
    await asyncio.to_thread(begun.wait, 10)
    writing.cancel()
    closing = asyncio.create_task(asyncio.to_thread(workspace.close))
    await asyncio.sleep(0.1)
    waited = not closing.done()
    go.set()
    await closing

    assert waited
    with pytest.raises(StorageUnavailable):
        await workspace.write(lambda tx: put(tx, "late"))


async def test_the_log_is_emptied_between_writes(workspace: Workspace, tmp_path: Path) -> None:
    """Emptying the log waits for the write that is running.

    Mutation check: without the writer's lock this test is red.
    """
    begun, go = threading.Event(), threading.Event()

    def slow(tx: Transaction) -> None:
        put(tx, "slow")
        begun.set()
        go.wait(10)

    writing = asyncio.create_task(workspace.write(slow))
    await asyncio.to_thread(begun.wait, 10)
    emptying = asyncio.create_task(workspace.checkpoint())
    await asyncio.sleep(0.1)
    waited = not emptying.done()
    go.set()
    await writing
    await emptying

    assert waited
    assert (tmp_path / "w.sqlite3-wal").stat().st_size == 0


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """It is refused with a reason and not changed."""
    path = tmp_path / "w.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    before = path.read_bytes()

    with ThreadPoolExecutor(1) as threads, pytest.raises(ConfigInvalid, match="newer version"):
        Workspace("w", SqliteFile("w", path), "words/64", threads)

    assert path.read_bytes()[100:] == before[100:]


async def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    """Garbage instead of a database is Corrupt, with the workspace's name."""
    (tmp_path / "w.sqlite3").write_bytes(b"garbage " * 4000)

    with ThreadPoolExecutor(1) as threads, pytest.raises(Corrupt, match="workspace w"):
        Workspace("w", SqliteFile("w", tmp_path / "w.sqlite3"), "words/64", threads)
