"""A connection to PostgreSQL that is shaped like one of :mod:`sqlite3`, for the stores and their threads.

Its errors are sqlite3's, too, so that whoever expects a refusal meets it; :func:`translate_error` tells what they mean.
A connection that was lost is made anew at the next ``BEGIN``; what was under way on it has failed.  Whether a commit
counts whose answer was lost, PostgreSQL is asked (``pg_xact_status``): it must not be done twice, nor be called undone.

Statements of a transaction are sent together, once a result is looked at or with the commit.  So a refusal may show
itself at a later statement; at the latest, nothing is committed.  Between two sendings PostgreSQL knows that it waits,
so that it ends the transaction of a process that is frozen.
"""

from __future__ import annotations

import hashlib
import select
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
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
from bot.errors import ConfigInvalid, MnemeError, StorageAway, StorageInUse, StorageUnavailable

WALLED: Final = "mneme_walled"
"""The role that sees one scope at a time; where the owner could not make it, there is no second wall."""
Values = Sequence[Any] | Mapping[str, Any]  # Any: column values
_CONNECT_S: Final = 5
_LOCK_MS: Final = 3000
_ALIVE: Final = {"tcp_keepalives_idle": 10, "tcp_keepalives_interval": 5, "tcp_keepalives_count": 3}
_AGAIN_S: Final = (0.0, 0.2, 1.0)
"""Before each try to ask what became of a commit."""
_LOST: Final = ("08", "57", "25P", "40", "53", "58")
"""Beginnings of the codes for what passes: connection, shutdown, read-only, deadlock, resources, system."""
ALONE: Final = 0x6D6E0001
WRITING: Final = 0x6D6E0002
"""Advisory locks, each with the hash of the schema's name: of the Mneme that runs, and of who writes."""
_LOCK_ALL: Final = (
    "SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT), pg_advisory_xact_lock({}), CAST(%s AS BIGINT[])"
)
_LOCK_SOME: Final = (
    "SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT), pg_advisory_xact_lock_shared({}), "
    "(SELECT count(pg_advisory_xact_lock(key)) FROM unnest(CAST(%s AS BIGINT[])) AS key)"
)
_HAS_LONGEST: Final = 170000
_LONGEST: Final = 12
"""Terms that a transaction of a worker may take."""
_KEYS_AT_ONCE: Final = 64
"""Beyond so many, the lock of everything: PostgreSQL holds some 6,400 for all its sessions."""


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


class Result:
    """What a statement returns; to ask is to have it sent, with all that was to be sent before, and to wait."""

    __slots__ = ("_send", "cursor")

    def __init__(self, send: Callable[[], None]) -> None:
        self._send = send
        self.cursor: psycopg.Cursor[Any] | None = None

    def fetchone(self) -> Any:  # Any: column values
        """Return the next row, ``None`` after the last."""
        return self._get().fetchone()

    def fetchall(self) -> list[Any]:  # Any: as above
        """Return the rows that are left."""
        return self._get().fetchall()

    def __iter__(self) -> Iterator[Any]:  # Any: as above
        return iter(self.fetchall())

    @property
    def rowcount(self) -> int:
        """How many rows were written."""
        return self._get().rowcount

    def _get(self) -> psycopg.Cursor[Any]:
        if self.cursor is None:
            self._send()
        if self.cursor is None:
            raise sqlite3.OperationalError("what was to be sent before was refused")
        return self.cursor


class PostgresConnection:
    """One connection to ``url``; ``begin`` is how its transactions begin, ``prepare`` is run on every new session.

    ``locked``: its transactions wait for those that write the same (:meth:`narrow`), in any process.
    """

    def __init__(
        self,
        url: str,
        path: Path,
        schema: str,
        begin: str,
        prepare: Callable[[psycopg.Connection[Any]], None],
        *,
        locked: bool = False,
    ) -> None:
        self.dialect = _Postgres(path)
        self.schema = schema
        self._url = url
        self._begin = begin
        self._prepare = prepare
        self._locked = locked
        self._keys: list[int] = []
        self._number: Result | None = None
        self._waiting: list[tuple[Result, Callable[[], psycopg.Cursor[Any]]]] = []
        self._within: int | None = None
        self.has_wall = False
        """Whether :meth:`keep_within` keeps anything out."""
        self._session = self._connect()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, also a failed one; a lost connection has none."""
        return bool(self._waiting) or self._session.info.transaction_status in (
            pq.TransactionStatus.INTRANS,
            pq.TransactionStatus.INERROR,
        )

    def narrow(self, names: Iterable[str]) -> None:
        """Let the next transaction wait only for those that write something of the same names; () is everything.

        The locks are taken at once, in one order for all, so that no two transactions wait for each other's.
        """
        keys = {
            int.from_bytes(hashlib.blake2b(f"{self.schema} {name}".encode(), digest_size=8).digest(), signed=True)
            for name in names
        }
        self._keys = sorted(keys) if len(keys) <= _KEYS_AT_ONCE else []

    def execute(self, statement: str, values: Values = ()) -> Result:
        """Run a statement of the stores and return what it returns."""
        if statement.startswith("BEGIN"):
            return self._start()
        if statement == "COMMIT":
            return self._commit()
        if statement.startswith("RELEASE"):
            self._send()  # or else the next one to ask would be told
        elif statement.startswith("ROLLBACK"):
            with suppress(sqlite3.Error):  # that is why
                self._send()
        if statement == "ROLLBACK" and not self._locked:
            statement = "COMMIT"  # nothing was written; psycopg forgets every prepared statement with a rollback
        wanted = translate(statement)
        fitted = _fit(wanted, values)
        result = self._add(lambda: self._session.execute(wanted.text, fitted))
        if statement.startswith("ROLLBACK") or statement == "COMMIT":
            self._send()
        return result

    def executemany(self, statement: str, rows: Iterable[Values]) -> Result:
        """Run a statement once per row of values."""
        wanted = translate(statement)
        fitted = [_fit(wanted, values) for values in rows]

        def run() -> psycopg.Cursor[Any]:
            cursor = self._session.cursor()
            cursor.executemany(wanted.text, fitted)
            return cursor

        return self._add(run)

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
        self._send()
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

    def _start(self) -> Result:
        self._within = None  # it ended with the transaction
        keys, self._keys = self._keys, []
        self._waiting.clear()
        if not _is_there(self._session):
            self._session = self._connect()
        begun = Result(self._send)
        self._waiting.append((begun, lambda: self._session.execute(self._begin.encode())))
        if self._locked:
            lock = (_LOCK_SOME if keys else _LOCK_ALL).format(f"{WRITING}, hashtext('{self.schema}')").encode()
            self._number = self._add(lambda: self._session.execute(lock, (keys,)))
        return begun

    def _add(self, run: Callable[[], psycopg.Cursor[Any]]) -> Result:
        """Let a statement of a transaction wait until something is to be known."""
        result, inside = Result(self._send), self.in_transaction
        self._waiting.append((result, run))
        if not inside:
            self._send()
        return result

    def _send(self) -> None:
        """Send what waits, all at once, and wait until it is done."""
        waiting, self._waiting = self._waiting, []
        try:
            if len(waiting) == 1:
                waiting[0][0].cursor = waiting[0][1]()
            elif waiting:
                with self._session.pipeline():
                    for result, run in waiting:
                        result.cursor = run()
        except psycopg.Error as error:
            for result, _ in waiting:  # those before the refused one have what they asked for
                if result.cursor is not None and result.cursor.pgresult is None:
                    result.cursor = None
            raise _retype(error) from None

    def _commit(self) -> Result:
        number = 0
        if self._number is not None:  # before the commit leaves: its answer may be lost
            (number,) = self._number.fetchone()[:1]
        done = self._add(lambda: self._session.execute("COMMIT"))
        try:
            self._send()
        except sqlite3.Error:
            if not self._session.closed or not self._has_committed(number):
                raise
            return done
        if done.cursor is None or done.cursor.statusmessage != "COMMIT":
            raise sqlite3.OperationalError("something was refused, and somebody went on all the same")
        return done

    def _has_committed(self, number: int) -> bool:
        """Ask on a new connection; where nobody answers, it counts as failed and the caller is told so."""
        for pause in _AGAIN_S:
            time.sleep(pause)
            try:
                self._session = self._connect()
                query = "SELECT pg_xact_status(CAST(CAST(%s AS TEXT) AS xid8))"
                row = self._session.execute(query, (str(number),)).fetchone()
            except (psycopg.Error, sqlite3.Error, MnemeError):
                continue
            if row is None or row[0] != "in progress":
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

    return PostgresConnection(url, path, schema, "BEGIN", prepare, locked=True)


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
        kind = StorageAway if error.reason in _PASSING else StorageUnavailable
        return kind(f"{describe(url)} cannot be used now ({error.reason})")
    return None


def _is_there(session: psycopg.Connection[Any]) -> bool:
    """Return whether a session was not ended, as far as one can tell without asking."""
    if not session.closed:
        waiting = select.poll()
        waiting.register(session.pgconn.socket, select.POLLIN)
        with suppress(psycopg.Error):
            while waiting.poll(0):  # a farewell, and the end behind it
                session.pgconn.consume_input()
    return not session.closed


def _bound(session: psycopg.Connection[Any], use: Use) -> None:
    if use.within_s is not None:
        session.execute(f"SET idle_in_transaction_session_timeout = {round(use.within_s * 1000)}".encode())
        if session.info.server_version >= _HAS_LONGEST:  # for who is frozen while sending: then it waits for the rest
            session.execute(f"SET transaction_timeout = {round(use.within_s * 1000) * _LONGEST}".encode())


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


_NOBODY: Final = "nothing answers there"
_STARTING: Final = "it is starting"
_ENDING: Final = "it is ending"
_SILENT: Final = "no answer in time"
_CUT: Final = "the connection was lost"
_PASSING: Final = (_NOBODY, _STARTING, _ENDING, _SILENT, _CUT)
"""Reasons that a restart of the server has."""


def _explain_refusal(told: str) -> str:
    """Return why a connection could not be made, in our own words: libpq's may hold the user's name and the address."""
    reasons = {
        "password authentication failed": "the password is wrong",
        "no password supplied": "it wants a password",
        "does not exist": "there is no such database or user",
        "refused": _NOBODY,
        "No such file": _NOBODY,
        "starting up": _STARTING,
        "not yet accepting": _STARTING,
        "shutting down": _ENDING,
        "resolve": "there is no such host",
        "timeout": _SILENT,
        "pg_hba.conf": "its pg_hba.conf lets nobody in from here",
        "SSL": "it cannot agree on TLS",
    }
    return next((why for words, why in reasons.items() if words in told), _CUT)


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
