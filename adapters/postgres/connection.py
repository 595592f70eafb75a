"""A connection to PostgreSQL that is shaped like one of :mod:`sqlite3`, for the stores and their threads.

Its errors are sqlite3's, too, so that whoever expects a refusal meets it; :func:`translate_error` tells what they mean.
A connection that was lost is made anew at the next ``BEGIN``; what was under way on it has failed.  Whether a commit
counts whose answer was lost, PostgreSQL is asked (``pg_xact_status``): it must not be done twice, nor be called undone.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import orjson
import psycopg
from psycopg import pq
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int8Dumper

from adapters.postgres.dialect import Statement, translate
from adapters.sqlite.rows.derived import Rooms
from bot.errors import ConfigInvalid, MnemeError, StorageInUse, StorageUnavailable

WALLED: Final = "mneme_walled"
"""The role that sees one scope at a time; where the owner could not make it, there is no second wall."""
Values = Sequence[Any] | Mapping[str, Any]  # Any: column values
_CONNECT_S: Final = 5
_LOCK_MS: Final = 3000
_ALIVE: Final = {"tcp_keepalives_idle": 10, "tcp_keepalives_interval": 5, "tcp_keepalives_count": 3}
_AGAIN_S: Final = (0.0, 0.2, 1.0)
"""Before each try to ask what became of a commit."""
_LOST: Final = ("08", "57", "25P", "53", "58")
"""Beginnings of the codes for what passes: connection, shutdown, read-only, resources, system."""
ALONE: Final = 0x6D6E0001
WRITING: Final = 0x6D6E0002
"""Advisory locks, each with the hash of the schema's name: of the Mneme that runs, and of who writes."""


class _Postgres:
    """The :class:`~adapters.sqlite.dialect.Dialect` of PostgreSQL, for a store with its files beside ``path``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def note_changes(self, connection: sqlite3.Connection, rooms: Rooms, uid: str) -> Iterator[None]:
        """Let the triggers of :mod:`~adapters.postgres.schema` note under ``uid``."""
        name = "SELECT set_config('mneme.erase', ?, true)"
        connection.execute(name, (uid,))
        yield
        connection.execute(name, ("",))

    def find_path(self, connection: sqlite3.Connection) -> Path:
        """Return where the SQLite file would be."""
        return self._path


class LostConnection(sqlite3.OperationalError):
    """What was asked could not be done now; ``reason`` is PostgreSQL's code, without a value."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PostgresConnection:
    """One connection to ``url``; ``begin`` is how its transactions begin, ``prepare`` is run on every new session."""

    def __init__(
        self, url: str, path: Path, schema: str, begin: str, prepare: Callable[[psycopg.Connection[Any]], None]
    ) -> None:
        self.dialect = _Postgres(path)
        self.schema = schema
        self._url = url
        self._begin = begin
        self._prepare = prepare
        self._number = 0
        self._within: int | None = None
        self.has_wall = False
        """Whether :meth:`keep_within` keeps anything out."""
        self._session = self._connect()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, also a failed one; a lost connection has none."""
        return self._session.info.transaction_status in (pq.TransactionStatus.INTRANS, pq.TransactionStatus.INERROR)

    def execute(self, statement: str, values: Values = ()) -> psycopg.Cursor[Any]:
        """Run a statement of the stores and return a cursor over its rows."""
        if statement.startswith("BEGIN"):
            return self._start()
        try:
            if statement == "COMMIT":
                return self._commit()
            wanted = translate(statement)
            return self._session.execute(wanted.text, _fit(wanted, values))
        except psycopg.Error as error:
            raise _retype(error) from None

    def executemany(self, statement: str, rows: Iterable[Values]) -> psycopg.Cursor[Any]:
        """Run a statement once per row of values."""
        wanted = translate(statement)
        cursor = self._session.cursor()
        try:
            cursor.executemany(wanted.text, [_fit(wanted, values) for values in rows])
        except psycopg.Error as error:
            raise _retype(error) from None
        return cursor

    def keep_within(self, scope_no: int) -> None:
        """Show nothing but this scope's rows of memory until :meth:`open_up`, whatever statements forget to say."""
        if self.has_wall and scope_no != self._within:
            self.execute(
                "SELECT set_config('role', ?, true), set_config('mneme.scope', ?, true)", (WALLED, str(scope_no))
            )
            self._within = scope_no

    def open_up(self) -> None:
        """Show the rows of every scope again."""
        if self._within is not None:
            self._within = None
            self.execute("SELECT set_config('role', 'none', true)")

    def run(self, script: str) -> None:
        """Run statements that are PostgreSQL's own, without values."""
        try:
            self._session.execute(script.encode(), prepare=False)
        except psycopg.Error as error:
            raise _retype(error) from None

    def as_sqlite(self) -> sqlite3.Connection:
        """Return itself as what stores and threads call it: of sqlite3's methods it has those that they use."""
        return cast("sqlite3.Connection", self)

    def try_wall(self) -> bool:
        """Return whether the role behind the wall can be taken."""
        try:
            self._session.execute(f"SET ROLE {WALLED}")
            self._session.execute("RESET ROLE")
        except psycopg.Error:
            return False
        return True

    def create_function(self, *_: object, **__: object) -> None:
        """Do nothing: what SQLite is given at every connection stands in the schema."""

    def close(self) -> None:
        """End the session."""
        self._session.close()

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            session = psycopg.connect(self._url, autocommit=True, connect_timeout=_CONNECT_S, prepare_threshold=1)
            try:
                _adapt(session)
                self._prepare(session)
            except BaseException:
                session.close()
                raise
        except psycopg.Error as error:
            raise _retype(error) from None
        return session

    def _start(self) -> psycopg.Cursor[Any]:
        self._within = None  # it ended with the transaction
        try:
            if not self._session.closed:
                return self._begin_now()
        except psycopg.Error as error:
            if not self._session.closed:
                raise _retype(error) from None
        self._session = self._connect()
        try:
            return self._begin_now()
        except psycopg.Error as error:
            raise _retype(error) from None

    def _begin_now(self) -> psycopg.Cursor[Any]:
        cursor = self._session.execute(self._begin.encode(), prepare=False)
        while cursor.nextset():
            if cursor.description and cursor.description[0].name == "pg_current_xact_id":
                self._number = cursor.fetchall()[0][0]
        return cursor

    def _commit(self) -> psycopg.Cursor[Any]:
        try:
            return self._session.execute("COMMIT")
        except psycopg.Error:
            if not self._session.closed or not self._has_committed():
                raise
            return self._session.cursor()

    def _has_committed(self) -> bool:
        """Ask on a new connection; where nobody answers, it counts as failed and the caller is told so."""
        for pause in _AGAIN_S:
            time.sleep(pause)
            try:
                self._session = self._connect()
                query = "SELECT pg_xact_status(CAST(CAST(%s AS TEXT) AS xid8))"
                row = self._session.execute(query, (str(self._number),)).fetchone()
            except (psycopg.Error, sqlite3.Error, MnemeError):
                continue
            return row is not None and row[0] == "committed"
        return False


@dataclass(frozen=True, slots=True)
class Use:
    """How a process uses the database: ``alone``, beside nobody who has it so, or shared by workers.

    ``within_s``: a transaction in which its process has said nothing for so long is ended, because others wait for it:
    a worker that is frozen in the middle of one must not hold up all.
    """

    alone: bool = False
    within_s: float | None = None


def open_writer(url: str, path: Path, schema: str, use: Use = Use()) -> PostgresConnection:
    """Return a connection that writes; of several that do, in any process, one transaction waits for the other.

    While one is open that was to be ``alone``, no other such can be, and no worker's.
    """

    def prepare(session: psycopg.Connection[Any]) -> None:
        _use_schema(session, schema)
        _bound(session, use)
        # Acknowledged means on disk here, whatever the role was given.
        session.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
        if use != Use():
            for name, seconds in _ALIVE.items():  # of a machine that is gone, the lock is free within half a minute
                session.execute(f"SET {name} = {seconds}")
            session.execute(f"SET lock_timeout = {_LOCK_MS}")  # a session that has just ended may still hold it
            try:
                function = "pg_advisory_lock" if use.alone else "pg_advisory_lock_shared"
                session.execute(f"SELECT {function}({ALONE}, hashtext(%s))".encode(), (schema,))
            except psycopg.errors.LockNotAvailable:
                raise StorageInUse(
                    f"another Mneme uses {describe(url)}: stop it first, or give this one a database of its own"
                ) from None
            session.execute("RESET lock_timeout")

    begin = (
        f"BEGIN; SELECT pg_advisory_xact_lock({WRITING}, hashtext('{schema}')); "
        "SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) AS pg_current_xact_id"
    )
    return PostgresConnection(url, path, schema, begin, prepare)


def open_reader(url: str, path: Path, schema: str, use: Use = Use()) -> PostgresConnection:
    """Return a connection whose transactions see one snapshot and cannot change anything."""

    def prepare(session: psycopg.Connection[Any]) -> None:
        _use_schema(session, schema)
        _bound(session, use)

    opened = PostgresConnection(url, path, schema, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", prepare)
    opened.has_wall = opened.try_wall()
    return opened


def describe(url: str) -> str:
    """Return how an address is named to people: without user and password."""
    try:
        known = conninfo_to_dict(url)
    except psycopg.Error:
        raise ConfigInvalid(
            "storage.url or DATABASE_URL is no address of a PostgreSQL: postgresql://user:password@host:5432/name"
        ) from None
    return (
        f"PostgreSQL ({known.get('dbname') or known.get('user') or 'default'} at {known.get('host') or 'this machine'})"
    )


def translate_error(error: Exception, url: str) -> MnemeError | None:
    """Return the error of our own tree that ``error`` means, ``None`` for a mistake in our SQL."""
    if isinstance(error, LostConnection):
        return StorageUnavailable(f"{describe(url)} cannot be used now ({error.reason})")
    return None


def _bound(session: psycopg.Connection[Any], use: Use) -> None:
    if use.within_s is not None:
        session.execute(f"SET idle_in_transaction_session_timeout = {round(use.within_s * 1000)}".encode())


def _use_schema(session: psycopg.Connection[Any], schema: str) -> None:
    session.execute("SELECT set_config('search_path', quote_ident(%s), false)", (schema,))


def _retype(error: psycopg.Error) -> sqlite3.Error:
    """Return sqlite3's error of the same kind; PostgreSQL's own words may hold values, but where our SQL is wrong."""
    code = error.sqlstate or ""
    if isinstance(error, psycopg.OperationalError) and not code:
        return LostConnection(_explain_refusal(str(error)))
    if code.startswith(_LOST) or isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return LostConnection(f"{type(error).__name__} {code}".strip())
    kind = sqlite3.IntegrityError if code.startswith("23") else sqlite3.OperationalError
    told = error.diag.message_primary if code.startswith("42") else type(error).__name__
    return kind(f"{told} ({code})" if code else told)


def _explain_refusal(told: str) -> str:
    """Return why a connection could not be made, in our own words: libpq's may hold the user's name and the address."""
    reasons = {
        "password authentication failed": "the password is wrong",
        "no password supplied": "it wants a password",
        "does not exist": "there is no such database or user",
        "refused": "nothing answers there",
        "No such file": "nothing answers there",
        "resolve": "there is no such host",
        "timeout": "no answer in time",
        "pg_hba.conf": "its pg_hba.conf lets nobody in from here",
        "SSL": "it cannot agree on TLS",
    }
    return next((why for words, why in reasons.items() if words in told), "the connection was lost")


def _fit(wanted: Statement, values: Values) -> Values:
    """Return the values as the translated statement takes them."""
    if wanted.numbered and not isinstance(values, Mapping):
        values = {f"p{number}": value for number, value in enumerate(values, 1)}
    if isinstance(values, Mapping):
        named = {key: orjson.loads(one) if key in wanted.lists else one for key, one in values.items()}
        return named | {f"{key}_": values[key] for key in wanted.tested}
    if not wanted.lists:
        return values
    return [orjson.loads(one) if place in wanted.lists else one for place, one in enumerate(values)]


class _BoolDumper(Int8Dumper):
    """A truth as SQLite has it: 1 or 0."""

    def dump(self, obj: Any) -> Buffer | None:  # Any: psycopg's hint
        return b"1" if obj else b"0"


class _BoolLoader(Loader):
    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


class _SumLoader(Loader):
    """Sums of whole numbers are ``numeric``; there are no others."""

    def load(self, data: Buffer) -> int | float:
        told = bytes(data)
        return int(told) if told.lstrip(b"-").isdigit() else float(told)


def _adapt(session: psycopg.Connection[Any]) -> None:
    session.adapters.register_dumper(int, Int8Dumper)  # by their size no statement would stay prepared
    session.adapters.register_dumper(bool, _BoolDumper)
    session.adapters.register_loader("bool", _BoolLoader)
    session.adapters.register_loader("numeric", _SumLoader)
