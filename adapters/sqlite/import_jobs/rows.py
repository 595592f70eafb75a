"""Rows of imports, as the transactions that store what they bring see them."""

from __future__ import annotations

import sqlite3
from typing import Final

from bot.errors import ImportRefused
from bot.ports.conversation_import import ImportedBatch
from bot.ports.import_jobs import JobState

_NOTE: Final = (
    "UPDATE import_jobs SET done = done + ?, added = added + ?, forgotten = forgotten + ? "
    "WHERE token = ? AND scope_no = ? AND state = 1"
)
_CANCEL: Final = "UPDATE import_jobs SET state = ? WHERE scope_no = ? AND state < 2"


def cancel_imports(connection: sqlite3.Connection, scope_no: int) -> None:
    """End what is being imported into a memory, or waits to be: nothing more of it is stored."""
    connection.execute(_CANCEL, (int(JobState.CANCELLED), scope_no))


def note_batch(connection: sqlite3.Connection, token: str, scope_no: int, done: ImportedBatch) -> None:
    """Note what a batch brought; a job that was cancelled, or erased with its memory, takes the batch back.

    Raises :class:`~bot.errors.ImportRefused` then.  A ``token`` of "" is an import without a job.
    """
    if not token:
        return
    noted = connection.execute(_NOTE, (done.size, done.added, done.forgotten, token, scope_no)).rowcount
    if not noted:
        raise ImportRefused("it was cancelled")
