"""The table of imports, and what the transactions see of it that store what they bring."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final

import orjson

from adapters.sqlite.database import TimedStore, reading, writing
from adapters.sqlite.rows.codec import Row, dump_list, ensure_scope, find_scope, insert_row, list_column, split_time
from adapters.sqlite.rows.derived import Room, Table
from bot.errors import ImportRefused
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.eraser import KeptText
from bot.ports.transfer import ImportedBatch, ImportJob, ImportRequest, JobState
from language import languages

_NOTE: Final = (
    "UPDATE import_jobs SET done = done + ?, added = added + ?, forgotten = forgotten + ? "
    "WHERE token = ? AND scope_no = ? AND state = 1"
)
_REF: Final = "imports:"
_CALLED: Final = " / ".join(dict.fromkeys(each.forgetting.imports for each in languages()))
_BROUGHT: Final = (
    "SELECT uid FROM exchanges JOIN places ON places.no = place_no WHERE exchanges.id BETWEEN ? AND ? "
    "AND places.key LIKE 'import:%'"
)
"""Between the first and the last, without what was said here meanwhile."""
_CANCEL: Final = "UPDATE import_jobs SET state = ? WHERE scope_no = ? AND state < 2"


def _cancel(connection: sqlite3.Connection, scope_no: int, _: object) -> None:
    connection.execute(_CANCEL, (int(JobState.CANCELLED), scope_no))


def note_batch(
    connection: sqlite3.Connection, token: str, scope_no: int, done: ImportedBatch, made: Sequence[int]
) -> None:
    """Note what a batch brought, the exchanges by id; a job that was cancelled, or erased, takes the batch back.

    Raises :class:`~bot.errors.ImportRefused` then.  A ``token`` of "" is an import without a job.
    """
    if not token:
        return
    noted = connection.execute(_NOTE, (done.size, done.added, done.forgotten, token, scope_no)).rowcount
    if not noted:
        raise ImportRefused("it was cancelled")
    if made:
        (request,) = connection.execute("SELECT request FROM import_jobs WHERE token = ?", (token,)).fetchone()
        fields = orjson.loads(request)
        brought = (*fields.get("brought", ()), *made)
        fields["brought"] = (min(brought), max(brought))
        connection.execute("UPDATE import_jobs SET request = ? WHERE token = ?", (orjson.dumps(fields).decode(), token))


def list_brought(connection: sqlite3.Connection, scope_no: int, refs: Sequence[str]) -> tuple[str, ...]:
    """Return the uids of the exchanges that imports, named as :func:`_look` does, have brought and that are there."""
    keys = [ref.removeprefix(_REF) for ref in refs if ref.startswith(_REF)]
    return tuple(uid for key in keys for _, uids in _read_brought(connection, scope_no, key) for uid in uids)


def _read_brought(
    connection: sqlite3.Connection, scope_no: int, token: str = ""
) -> Iterator[tuple[KeptText, list[str]]]:
    query = (
        "SELECT token, name, request FROM import_jobs WHERE scope_no = ?1 AND (?2 = '' OR token = ?2) ORDER BY made_at"
    )
    for key, name, request in connection.execute(query, (scope_no, token)).fetchall():
        uids = list_column(connection, _BROUGHT, *orjson.loads(request).get("brought", (0, -1)))
        yield (
            KeptText(f"{_REF}{key}", f"{_CALLED}: {name} ({len(uids)})", 0.0, certain=False, role="assistant"),
            uids,
        )


def _look(connection: sqlite3.Connection, scope_no: int) -> Iterator[KeptText]:
    """Yield the imports of which something is there: each is forgotten as a whole."""
    yield from (kept for kept, uids in _read_brought(connection, scope_no) if uids)


_COLUMNS: Final = (
    "SELECT token, scopes.tag, asker_id, name, state, request, place, message_id, total, done, added, forgotten, "
    "reason FROM import_jobs JOIN scopes ON scopes.no = scope_no "
)
_BY_TOKEN: Final = f"{_COLUMNS} WHERE token = ?"
_OPEN: Final = f"{_COLUMNS} WHERE scope_no = ? AND state < 2 ORDER BY made_at DESC LIMIT 1"
_LAST: Final = f"{_COLUMNS} WHERE scope_no = ? ORDER BY made_at DESC LIMIT 1"
_NEXT: Final = (
    f"{_COLUMNS} WHERE state = 1 AND (? = 1 OR token IN (SELECT value FROM json_each(?))) ORDER BY made_at LIMIT 1"  # noqa: S608 - our own
)
_KEPT: Final = 50
"""Imports that have ended, of all memories, before the oldest are forgotten."""
_FORGET_OLD: Final = (
    "DELETE FROM import_jobs WHERE state > 1 AND token NOT IN "
    "(SELECT token FROM import_jobs WHERE state > 1 ORDER BY made_at DESC LIMIT ?)"
)


class SqliteImportJobs(TimedStore):
    """Keeps imports; every change is durable when the call returns."""

    @writing
    def add(self, connection: sqlite3.Connection, job: ImportJob) -> None:
        made_at, _ = split_time(self._now())
        columns = {
            "token": job.token,
            "scope_no": ensure_scope(connection, job.scope),
            "asker_id": job.asker_id,
            "name": job.name,
            "state": int(job.state),
            "request": _dump_request(job.request),
            "place": _dump_place(job),
            "total": job.total,
            "made_at": made_at,
        }
        insert_row(connection, "import_jobs", columns)
        connection.execute(_FORGET_OLD, (_KEPT,))

    @reading
    def find(self, connection: sqlite3.Connection, token: str) -> ImportJob | None:
        """Return an import, ``None`` if there is none, or its memory was erased."""
        return _load(connection.execute(_BY_TOKEN, (token,)).fetchone())

    @reading
    def find_open(self, connection: sqlite3.Connection, scope: Scope) -> ImportJob | None:
        """Return the newest import of a memory that was shown or waits."""
        return _load(connection.execute(_OPEN, (find_scope(connection, scope),)).fetchone())

    @reading
    def find_last(self, connection: sqlite3.Connection, scope: Scope) -> ImportJob | None:
        """Return the import of a memory that was asked for last, however it stands."""
        return _load(connection.execute(_LAST, (find_scope(connection, scope),)).fetchone())

    async def next(self, among: frozenset[str] | None = None) -> ImportJob | None:
        """Return the oldest import that waits, ``among`` some tokens, begun anew: what is done is counted from 0."""
        wanted = (among is None, dump_list(sorted(among or ())))
        found = await self.database.read(lambda connection: _load(connection.execute(_NEXT, wanted).fetchone()))
        if found is None or not found.done:
            return found
        await self.database.change("UPDATE import_jobs SET done = 0 WHERE token = ? AND state = 1", (found.token,))
        return await self.find(found.token)

    async def begin(self, token: str, request: ImportRequest, total: int) -> bool:
        """Let an import that was shown be done; ``False`` if it is not there, or was begun or ended before."""
        return await self._change(
            "UPDATE import_jobs SET state = 1, request = ?, total = ? WHERE token = ? AND state = 0",
            (_dump_request(request), total, token),
        )

    async def end(self, token: str, state: JobState, reason: str = "") -> bool:
        """Note how an open import ended; ``False`` if it had ended before."""
        return await self._change(
            "UPDATE import_jobs SET state = ?, reason = ? WHERE token = ? AND state < 2", (int(state), reason, token)
        )

    async def show(self, token: str, message_id: int) -> None:
        """Note the message that shows the progress."""
        await self._change("UPDATE import_jobs SET message_id = ? WHERE token = ?", (message_id, token))

    async def _change(self, statement: str, values: Row) -> bool:
        return await self.database.change(statement, values) > 0


def _dump_request(request: ImportRequest) -> str:
    user = request.user
    return orjson.dumps(
        {
            "user": [user.id, user.name, int(user.trust)],
            "own": request.own,
            "dates": request.dates,
            "believed": request.believed,
        }
    ).decode()


def _dump_place(job: ImportJob) -> str:
    if job.address is None:
        return ""
    to = job.address
    return orjson.dumps([to.platform, to.bot_id, to.chat_id, to.topic_id, job.language]).decode()


def _load(row: Row | None) -> ImportJob | None:
    if row is None:
        return None
    token, tag, asker_id, name, state, request, place, message_id, total, done, added, forgotten, reason = row
    fields = orjson.loads(request)
    number, called, trust = fields["user"]
    *where, language = orjson.loads(place) if place else (None, "")
    return ImportJob(
        token=token,
        scope=Scope(tag),
        asker_id=asker_id,
        name=name,
        request=ImportRequest(
            Author(number, called, Trust(trust)), tuple(fields["own"]), fields["dates"], fields["believed"]
        ),
        total=total,
        address=Address(*where) if place else None,
        state=JobState(state),
        message_id=message_id,
        done=done,
        added=added,
        forgotten=forgotten,
        reason=reason,
        language=language,
    )


ROOM: Final = Room(
    "imports",
    (Table("import_jobs", numbered="scope_no"),),
    file="import_jobs",
    # What a file holds of it would be stored behind the erase, and the file itself holds it already.
    forget=_cancel,
    look=_look,
)
