"""The connections of the stores to PostgreSQL: who waits for whom, and what of a lost session counts.

Whether a commit counts whose answer was lost, the database is asked: it must not be done twice, nor be called undone.
So each transaction leaves a mark in a row of its session, which is there with all else that it wrote, or not.
PostgreSQL's own numbers do not tell: one that no log on the disk speaks of is given anew after a crash.
:func:`translate_error` tells what the errors of a session mean.
"""

import hashlib
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import orjson
import psycopg
from psycopg.conninfo import conninfo_to_dict

from adapters.postgres.dialect import translate
from bot.errors import ConfigInvalid, MnemeError, StorageAway, StorageInUse, StorageUnavailable
from postgres_session import ALIVE, CUT, PASSING, LostConnection, PostgresSession, Result, Said, Values

WALLED: Final = "mneme_walled"
"""The role that sees one scope at a time; where the owner could not make it, there is no second wall."""
_LOCK_MS: Final = 3000
_AGAIN_S: Final = (0.0, 0.2, 1.0, 2.0, 4.0)
"""Before each try to ask what became of a commit: a server that ended under load reads its log before it answers."""
ALONE: Final = 0x6D6E0001
WRITING: Final = 0x6D6E0002
"""Advisory locks, each with the hash of the schema's name: of the Mneme that runs, and of who writes."""
_MARKS: Final = (
    'CREATE TABLE IF NOT EXISTS commits (session TEXT COLLATE "C" PRIMARY KEY, mark BIGINT NOT NULL) '
    "WITH (fillfactor = 50)"
)
_LEAVE_MARK: Final = (
    "WITH marked AS (INSERT INTO commits VALUES (%s, %s) ON CONFLICT (session) DO UPDATE SET mark = excluded.mark "
    "RETURNING mark) SELECT mark"
)
_READ_MARK: Final = (
    "INSERT INTO commits VALUES (%s, 0) ON CONFLICT (session) DO UPDATE SET mark = commits.mark RETURNING mark"
)
"""Waits for the end of a transaction that left one."""
_FORGET_MARKS: Final = (
    "DELETE FROM commits WHERE session IN (SELECT session FROM commits WHERE mark < %s FOR UPDATE SKIP LOCKED)"
)
_KEPT_NS: Final = 86_400 * 10**9
_LOCK_ALL: Final = ", pg_advisory_xact_lock({})"
_LOCK_SOME: Final = ", pg_advisory_xact_lock_shared({})"
_LOCK_ONE: Final = ", pg_advisory_xact_lock(%s)"
"""Taken in the order in which they are written."""
_KEYS_AT_ONCE: Final = 64
"""Beyond so many, the lock of everything: PostgreSQL holds some 6,400 for all its sessions."""


class PostgresConnection(PostgresSession):
    """A session of the stores.

    ``locked``: its transactions wait for those that write the same (:meth:`narrow`), in any process.
    """

    has_layouts: Final = True
    """Layouts of chats are rows (:mod:`~adapters.postgres.layouts`)."""

    def __init__(
        self,
        url: str,
        schema: str,
        begin: str,
        prepare: Callable[[psycopg.Connection[Any]], None],
        *,
        locked: bool = False,
    ) -> None:
        self.schema = schema
        self._locked = locked
        self._keys: list[int] = []
        self._name = secrets.token_hex(8)
        self._mark = 0
        """What the transaction under way leaves, in nanoseconds; never the same twice."""
        self._kept_within: int | None = None
        self.has_wall = False
        """Whether :meth:`keep_within` keeps anything out."""
        super().__init__(url, prepare, _say, begin=begin)

    def narrow(self, names: Iterable[str]) -> None:
        """Let the next transaction wait only for those that write something of the same names; () is everything.

        The locks are taken at once, in one order for all, so that no two transactions wait for each other's.
        """
        keys = {
            int.from_bytes(hashlib.blake2b(f"{self.schema} {name}".encode(), digest_size=8).digest(), signed=True)
            for name in names
        }
        self._keys = sorted(keys) if len(keys) <= _KEYS_AT_ONCE else []

    def keep_within(self, scope_no: int) -> None:
        """Show nothing but this scope's rows of memory until :meth:`open_up`, whatever statements forget to say."""
        if self.has_wall and scope_no != self._kept_within:
            self.execute(
                "SELECT set_config('role', ?, true), set_config('mneme.scope', ?, true)", (WALLED, str(scope_no))
            )
            self._kept_within = scope_no

    def open_up(self) -> None:
        """Show the rows of every scope again."""
        if self._kept_within is not None:
            self._kept_within = None
            self.execute("SELECT set_config('role', 'none', true)")

    def try_wall(self) -> bool:
        """Return whether the role behind the wall can be taken."""
        try:
            self._session.execute(f"SET ROLE {WALLED}")
            self._session.execute("RESET ROLE")
        except psycopg.Error:
            return False
        return True

    @contextmanager
    def note_changes(self, uid: str) -> Iterator[None]:
        """Let the triggers of :mod:`~adapters.postgres.database` note under ``uid`` what is deleted and changed."""
        name = "SELECT set_config('mneme.erase', ?, true)"
        self.execute(name, (uid,))
        yield
        self.execute(name, ("",))

    def ask_number(self, table: str) -> Result:
        """Ask for the number of a row to come, which then need not be waited for when it is written."""
        return self.execute(f"SELECT nextval('{table}_id_seq')")

    def create_function(self, *_: object, **__: object) -> None:
        """Do nothing: what SQLite is given at every connection stands in the schema."""

    def _start(self) -> Result:
        self._kept_within = None  # it ended with the transaction
        keys, self._keys = self._keys, []
        begun = super()._start()
        if self._locked:
            whole = (_LOCK_SOME if keys else _LOCK_ALL).format(f"{WRITING}, hashtext('{self.schema}')")
            self._mark = max(self._mark + 1, time.time_ns())
            lock = _LEAVE_MARK + whole + _LOCK_ONE * len(keys) + " FROM marked"
            self._add(Said(lock, (self._name, self._mark, *keys)))
        return begun

    def _commit(self) -> Result:
        try:
            return super()._commit()
        except sqlite3.Error as error:
            if not (self._locked and self._session.closed):
                raise
            if (stored := self._is_stored()) is None:
                raise LostConnection(CUT, unsure=True) from error
            if not stored:
                raise
        return Result(self._send)

    def _is_stored(self) -> bool | None:
        """Ask on a new connection whether the last transaction was committed; ``None`` where nobody answers."""
        for pause in _AGAIN_S:
            time.sleep(pause)
            try:
                if self._session.closed:
                    self._session = self._connect()
                with self._session.transaction():
                    self._session.execute(f"SET LOCAL lock_timeout = {_LOCK_MS}")
                    row = self._session.execute(_READ_MARK, (self._name,)).fetchone()
            except (psycopg.Error, sqlite3.Error, MnemeError):
                continue
            return row == (self._mark,)
        return None


@dataclass(frozen=True, slots=True)
class Use:
    """How a process uses the database: ``alone``, beside nobody who has it so, or shared by workers.

    ``name``: what its sessions are called, so that others can end them: a worker that is frozen in the middle of a
    transaction must not hold up all.
    """

    alone: bool = False
    name: str = ""


def open_writer(url: str, schema: str, use: Use = Use()) -> PostgresConnection:
    """Return a connection that writes; of several that do, in any process, one transaction waits for the other.

    While one is open that was to be ``alone``, no other such can be, and no worker's.
    """

    def prepare(session: psycopg.Connection[Any]) -> None:
        use_schema(session, schema, use.name)
        if session.execute("SELECT to_regclass('commits')").fetchone() == (None,):
            with session.transaction():
                session.execute(f"SELECT pg_advisory_xact_lock({WRITING}, hashtext(%s))".encode(), (schema,))
                session.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}".encode())
                session.execute(_MARKS)
        session.execute(_FORGET_MARKS, (time.time_ns() - _KEPT_NS,))
        # Acknowledged means on disk here, whatever the role was given.
        session.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
        if use != Use():
            for name, seconds in ALIVE.items():  # of a machine that is gone, the lock is free within half a minute
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

    return PostgresConnection(url, schema, "BEGIN", prepare, locked=True)


def open_reader(url: str, schema: str, use: Use = Use()) -> PostgresConnection:
    """Return a connection whose transactions see one snapshot and cannot change anything."""
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    opened = PostgresConnection(url, schema, begin, lambda session: use_schema(session, schema, use.name))
    opened.has_wall = opened.try_wall()
    return opened


def describe(url: str) -> str:
    """Return how an address is named to people: without user and password."""
    try:
        known = conninfo_to_dict(url)
    except psycopg.Error:
        raise ConfigInvalid(
            "that is no address of a PostgreSQL (storage.url, DATABASE_URL, --to): postgresql://user:password@host:5432/name"
        ) from None
    name, host = known.get("dbname") or known.get("user") or "default", known.get("host") or "this machine"
    return f"PostgreSQL ({name} at {host})"


def translate_error(error: Exception, url: str) -> MnemeError | None:
    """Return the error of our own tree that ``error`` means, ``None`` for a mistake in our SQL."""
    if isinstance(error, LostConnection):
        kind = StorageAway if error.reason in PASSING else StorageUnavailable
        return kind(f"{describe(url)} cannot be used now ({error.reason})")
    return None


def use_schema(session: psycopg.Connection[Any], schema: str, name: str) -> None:
    """Have a session say names of our tables alone, and bear a name of its own if it is to."""
    session.execute("SELECT set_config('search_path', quote_ident(%s), false)", (schema,))
    if name:
        session.execute("SELECT set_config('application_name', %s, false)", (name,))


def _say(statement: str, values: Values) -> tuple[str, Values]:
    """Return a statement translated, and its values as that takes them."""
    wanted = translate(statement)
    if wanted.numbered and not isinstance(values, Mapping):
        values = {f"p{number}": value for number, value in enumerate(values, 1)}
    if isinstance(values, Mapping):
        named = {key: orjson.loads(one) if key in wanted.lists else one for key, one in values.items()}
        return wanted.text, named | {f"{key}_": values[key] for key in wanted.tested}
    if wanted.lists:
        values = [orjson.loads(one) if place in wanted.lists else one for place, one in enumerate(values)]
    return wanted.text, values
