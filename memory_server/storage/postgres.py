"""Workspaces in PostgreSQL: a schema for each, with the tables and statements of the files.

What differs in the statements is little (placeholders, lists as JSON), and is translated once for each.  A workspace
belongs to the server that has it open: the connection that writes holds an advisory lock on it, so that what another
server commits cannot be missed; without the connection there is no lock and nothing can be written either.  Advisory
locks are of a session: a pooler between must keep sessions apart (PgBouncer: ``pool_mode = session``).
"""

import re
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from typing import Any, Final, cast

import orjson
import psycopg
from psycopg.conninfo import conninfo_to_dict

from memory_server.errors import ConfigInvalid, StorageUnavailable
from memory_server.storage.engines import STEPS, check_version
from postgres_session import (
    ALIVE,
    NO_STATISTICS,
    PostgresSession,
    Values,
    hide_literals,
    show_literals,
    translate_schema,
)

VERSION: Final = 1
"""Of the tables, which are those of all steps of a file; kept in every workspace as ``schema``."""
_LOCK_MS: Final = 3000
"""How long another server's lock is waited for: one that was killed may still seem to be there."""
_PREFIX: Final = "memory_"
_LONGEST: Final = 63 - len(_PREFIX)
"""Letters of a name that a schema can be called by."""

_LISTED: Final = re.compile(r"IN +\(SELECT value FROM json_each\((\?\d*)\)\)")
_EACH: Final = re.compile(r"json_each\((\?\d*)\)( [a-z]\b)?")
_STATEMENT: Final = re.compile(r"(?m)^(?=CREATE |ALTER )")
_PLACEHOLDER: Final = re.compile(r"\?(\d*)(#?)")
"""Of a value; "#" stands behind one that is a list."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement in PostgreSQL's dialect: its values are p1, p2, …; those in ``lists`` come as JSON."""

    text: str
    lists: frozenset[str]


@lru_cache(maxsize=512)
def translate(statement: str) -> Statement:
    """Return what a statement of the storages is in PostgreSQL's dialect."""
    text, literals = hide_literals(statement)
    text = _LISTED.sub(r"= ANY (\1#)", text)
    text = _EACH.sub(
        lambda found: f"unnest(CAST({found[1]}# AS BIGINT[])) WITH ORDINALITY AS{found[2] or ' each'} (value, key)",
        text,
    )
    text = text.replace("BEGIN IMMEDIATE", "BEGIN").replace("%", "%%")
    largest, lists = 0, set[str]()

    def place(found: re.Match[str]) -> str:
        nonlocal largest
        number = int(found[1] or largest + 1)
        largest = max(largest, number)
        if found[2]:
            lists.add(f"p{number}")
        return f"%(p{number})s"

    return Statement(show_literals(_PLACEHOLDER.sub(place, text), literals), frozenset(lists))


def _say(statement: str, values: Values) -> tuple[str, Values]:
    wanted = translate(statement)
    named = {f"p{number}": value for number, value in enumerate(values, 1)}
    return wanted.text, named | {name: orjson.loads(named[name]) for name in wanted.lists}


class _Held(PostgresSession):
    """The session that holds a workspace, and gives it back before it ends, which PostgreSQL notices a moment later."""

    def close(self) -> None:
        """End the session."""
        with suppress(psycopg.Error):  # it was lost, and the lock with it
            self._session.execute("SELECT pg_advisory_unlock_all()")
        super().close()


class PostgresSchema:
    """The :class:`~memory_server.storage.engines.Engine` of one schema."""

    lasting = True

    def __init__(self, url: str, name: str) -> None:
        self._url, self._name, self._schema = url, name, name_schema(name)

    def connect(self, *, writes: bool, renewed: Callable[[], None]) -> sqlite3.Connection:
        """Open a session; the one that writes holds the workspace, and waits a moment for another server's end."""
        try:
            kind, prepare = (_Held, self._hold) if writes else (PostgresSession, self._look)
            return kind(self._url, prepare, _say, renewed=renewed).as_sqlite()
        except sqlite3.Error as error:
            raise self.explain(error) from error

    def migrate(self, db: sqlite3.Connection) -> None:
        opened = cast("PostgresSession", db)
        try:
            if opened.execute("SELECT to_regclass('meta')").fetchone() != (None,):
                row = opened.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
                check_version(int(row[0]) if row else VERSION, VERSION)
                return
            folder = resources.files(__package__)
            steps = (part for step in STEPS for part in _STATEMENT.split(folder.joinpath(step).read_text("utf-8")))
            # Names are letters, digits and underscores: no other may stand in a script.
            opened.run(
                f'BEGIN; CREATE SCHEMA "{self._schema}"; COMMENT ON SCHEMA "{self._schema}" IS \'{self._name}\'; '  # noqa: S608
                f"{folder.joinpath('postgres.sql').read_text('utf-8')} {' '.join(map(translate_schema, steps))} "
                f"{NO_STATISTICS}; INSERT INTO meta VALUES ('schema', '{VERSION}'); COMMIT"
            )
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                opened.run("ROLLBACK")
            raise

    def measure(self, db: sqlite3.Connection) -> int:
        """Return 0: a server checks its own pages."""
        return 0

    def find_damage(self, db: sqlite3.Connection) -> str:
        return ""

    def empty_log(self, db: sqlite3.Connection) -> bool:
        """Rewrite the tables without what was erased."""
        opened = cast("PostgresSession", db)
        ask = "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = ?"
        tables = [name for (name,) in opened.execute(ask, (self._schema,))]
        opened.run(f"VACUUM (FULL) {', '.join(tables)}")
        return True

    def explain(self, error: Exception) -> StorageUnavailable:
        return StorageUnavailable(f"workspace {self._name} cannot be read or written now: {error}")

    def _look(self, session: psycopg.Connection[Any]) -> None:
        session.execute("SELECT set_config('search_path', quote_ident(%s), false)", (self._schema,))
        session.execute("SET default_transaction_read_only = on")

    def _hold(self, session: psycopg.Connection[Any]) -> None:
        session.execute("SELECT set_config('search_path', quote_ident(%s), false)", (self._schema,))
        # Acknowledged means on disk here, whatever the role was given.
        session.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
        hold(session, self._schema, self._name)


def hold(session: psycopg.Connection[Any], schema: str, name: str) -> None:
    """Hold a workspace for as long as the session lasts; raises :class:`StorageUnavailable` while another does."""
    for setting, seconds in ALIVE.items():  # of a machine that is gone, the lock is free within half a minute
        session.execute(f"SET {setting} = {seconds}")
    session.execute(f"SET lock_timeout = {_LOCK_MS}")
    try:
        session.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", (_name_lock(schema),))
    except psycopg.errors.LockNotAvailable:
        raise StorageUnavailable(f"another memory server has the workspace {name} open") from None
    session.execute("RESET lock_timeout")


def _name_lock(schema: str) -> str:
    return f"mneme memory {schema}"


def name_schema(name: str) -> str:
    """Return the schema of a workspace; a name that is too long for one is told by its digest, and by a comment."""
    return _PREFIX + (name if len(name) <= _LONGEST else sha256(name.encode()).hexdigest()[:40])


class Database:
    """The :class:`~memory_server.storage.engines.Home` of schemas in the database that ``url`` names.

    Raises :class:`ConfigInvalid` for what is no address.
    """

    def __init__(self, url: str) -> None:
        try:
            conninfo_to_dict(url)
        except psycopg.Error:
            raise ConfigInvalid(
                "MEMORY_SERVER_DATABASE_URL is no address of a PostgreSQL: postgresql://user:password@host:5432/name"
            ) from None
        self._url = url
        self._asking = threading.Lock()
        self._connection: PostgresSession | None = None

    def names(self) -> list[str]:
        ask = (
            "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace "
            "WHERE starts_with(nspname, ?) AND obj_description(oid, 'pg_namespace') IS NOT NULL"
        )
        return sorted(name for (name,) in self._ask(ask, _PREFIX))

    def exists(self, name: str) -> bool:
        return bool(self._ask("SELECT 1 FROM pg_namespace WHERE nspname = ?", name_schema(name)))

    def is_taken(self, name: str) -> bool:
        """Return whether a session holds the workspace."""
        ask = (
            "SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database() "
            "AND locktype = 'advisory' AND objsubid = 1 AND granted "
            "AND (CAST(classid AS BIGINT) << 32 | CAST(objid AS BIGINT)) = hashtextextended(?, 0)"
        )
        return bool(self._ask(ask, _name_lock(name_schema(name))))

    def engine(self, name: str) -> PostgresSchema:
        return PostgresSchema(self._url, name)

    def drop(self, name: str) -> bool:
        """Drop the schema, once no other server has it open."""
        schema = name_schema(name)
        if not self.exists(name):
            return False
        try:
            opened = PostgresSession(self._url, lambda session: hold(session, schema, name), _say)
            try:
                opened.run(f'DROP SCHEMA "{schema}" CASCADE')
            finally:
                opened.close()
        except sqlite3.Error as error:
            raise StorageUnavailable(f"workspace {name} cannot be dropped now: {error}") from error
        return True

    def set_aside(self, name: str) -> str:
        """Refuse: a schema is never found damaged."""
        raise StorageUnavailable(f"workspace {name} cannot be set aside in PostgreSQL")

    def list_set_aside(self, name: str = "") -> list[str]:
        """Return nothing: a server's damage is the server's."""
        return []

    def sweep(self) -> None:
        """Do nothing: a drop is one transaction."""

    def _ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:  # Any: column values
        with self._asking:
            try:
                if self._connection is None:
                    self._connection = PostgresSession(self._url, lambda _: None, _say)
                return self._connection.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise StorageUnavailable(f"PostgreSQL cannot be asked now: {error}") from error

    def close(self) -> None:
        with self._asking:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
