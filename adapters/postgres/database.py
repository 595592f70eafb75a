"""The rooms of the store in a PostgreSQL: one process, the same threads, the same promises as with one SQLite file.

Brings a PostgreSQL schema to what the rooms want, from the same files as an SQLite file.

One transaction, and transactions that write wait for each other: of two that start at once only one migrates.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final, cast

from adapters.postgres import connection
from adapters.postgres.connection import WALLED, PostgresConnection, Use
from adapters.postgres.dialect import SUPPORT, translate_schema
from adapters.postgres.layouts import PostgresLayouts, make_layouts
from adapters.sqlite.connection import (
    CREATED,
    note_versions,
    read_versions,
    refuse_newer,
    split_statements,
    transaction,
)
from adapters.sqlite.database import Database
from adapters.sqlite.recovery.beside import Backup, Backups
from adapters.sqlite.rows.derived import ALL_ROWS, Rooms, list_tables
from adapters.sqlite.turn_search.layouts import get_layout_path
from postgres_session import NO_STATISTICS

_VERSIONS: Final = (
    'CREATE TABLE IF NOT EXISTS schema_versions (component TEXT COLLATE "C" PRIMARY KEY, version BIGINT NOT NULL)'
)
_PRESENT: Final = (
    "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace "
    "WHERE nspname = current_schema() UNION SELECT tgname FROM pg_trigger"
)
_COLUMNS: Final = (
    "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ?"
)
_ROLE: Final = f"""
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{WALLED}') THEN CREATE ROLE {WALLED} NOLOGIN; END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO {WALLED}', current_schema());
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO {WALLED}', current_schema());
    IF NOT pg_has_role('{WALLED}', 'MEMBER') THEN EXECUTE format('GRANT {WALLED} TO %I', current_user); END IF;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$
"""
_IS_WALLED: Final = (
    "SELECT EXISTS (SELECT FROM pg_class, aclexplode(relacl) AS acl JOIN pg_roles ON pg_roles.oid = grantee "
    "WHERE relnamespace = to_regnamespace(current_schema()) AND relname = 'exchanges' "
    "AND rolname = ? AND pg_has_role(pg_roles.oid, 'MEMBER'))"
)
"""A dump that was restored on another server has come without the role."""
_HOLD: Final = """
CREATE FUNCTION hold_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    erase TEXT := current_setting('mneme.erase', true);
    place BIGINT := (SELECT coalesce(max(seq), 0) FROM held_rows WHERE uid = erase);
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO held_rows VALUES (erase, place + 1, TG_TABLE_NAME, '', NULL, format(
            'SELECT * FROM jsonb_populate_record(NULL::%I, %L::jsonb)', TG_TABLE_NAME, to_jsonb(OLD)));
    ELSE
        INSERT INTO held_rows SELECT erase, place + row_number() OVER (), TG_TABLE_NAME, was.key, OLD.id,
            quote_nullable(was.value) FROM jsonb_each_text(to_jsonb(OLD)) AS was
            JOIN jsonb_each_text(to_jsonb(NEW)) AS now USING (key) WHERE was.value IS DISTINCT FROM now.value;
    END IF;
    RETURN NULL;
END $$
"""
"""Notes for an undo, as statements, what an erase deletes and changes; it runs while ``mneme.erase`` names one."""


def migrate(connection: PostgresConnection, rooms: Rooms, named: str) -> None:
    """Make what is not there; ``named`` is how the database is called in errors.

    Raises :class:`~bot.errors.ConfigInvalid` for a schema that a newer Mneme has written; it is left as it was.
    """
    with transaction(connection.as_sqlite()):
        connection.execute(_VERSIONS)
        refuse_newer(connection.as_sqlite(), rooms, named)
        present = read_versions(connection.as_sqlite())
        if any(present.get(room.name) != room.version for room in rooms):
            _make_missing(connection, rooms)
        elif not connection.execute(_IS_WALLED, (WALLED,)).fetchone()[0]:
            connection.run(_ROLE)


def _make_missing(connection: PostgresConnection, rooms: Rooms) -> None:
    present = {name for (name,) in connection.execute(_PRESENT)}
    if "exchanges" not in present:
        connection.run(SUPPORT)
        connection.run(_HOLD)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as wanted:
        for statement in (each for room in rooms for each in split_statements(room.read_schema())):
            wanted.execute(statement)
            found = CREATED.search(statement)
            if found is None or found[2] not in present:
                connection.run(translate_schema(statement))
            elif found[1] == "TABLE":
                for column in _list_new(connection, wanted, found[2]):
                    connection.run(column)
    for statement in _list_holds(rooms, present):
        connection.run(statement)
    connection.run(NO_STATISTICS)
    for statement in _list_walls(rooms):
        connection.run(statement)
    note_versions(connection.as_sqlite(), rooms)


def _list_new(connection: PostgresConnection, wanted: sqlite3.Connection, table: str) -> Iterator[str]:
    """Yield statements that add the columns that a table has not."""
    known = {name for (name,) in connection.execute(_COLUMNS, (table,))}
    query = f'SELECT name, type, "notnull", dflt_value FROM pragma_table_info({table!r})'  # noqa: S608 - a name of the schema
    for name, kind, required, default in wanted.execute(query):
        if name not in known:
            rest = (" NOT NULL" if required else "") + ("" if default is None else f" DEFAULT {default}")
            yield f"ALTER TABLE {table} ADD COLUMN {name} {translate_schema(kind)}{rest}"


def _list_walls(rooms: Rooms) -> Iterator[str]:
    """Yield what keeps the role that reads for one scope from the rows of others: a policy per table of memory.

    The owner is not kept: sweeps, moves and ``pg_dump`` see everything.  Making a role needs CREATEROLE.
    """
    yield _ROLE
    for table in list_tables(rooms):
        # What waits in the journal belongs to no scope yet.
        if not table.ranged or table.cleared:
            continue
        for name in (table.name, f"{table.name}_words") if table.remade and table.ranged == "rowid" else (table.name,):
            yield (
                f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY; DROP POLICY IF EXISTS own_scope ON {name}; "
                f"CREATE POLICY own_scope ON {name} USING (({table.ranged} >> 32) = "
                "(SELECT current_setting('mneme.scope')::bigint))"
            )


def _list_holds(rooms: Rooms, present: set[str]) -> Iterator[str]:
    """Yield the triggers that note what an undo brings back."""
    during = "current_setting('mneme.erase', true) <> ''"
    for table in list_tables(rooms):
        if table.held and f"hold_{table.name}" not in present:
            condition = during if table.held == ALL_ROWS else f"{during} AND {table.held}"
            yield (
                f"CREATE TRIGGER hold_{table.name} AFTER DELETE ON {table.name} FOR EACH ROW WHEN ({condition}) "
                "EXECUTE FUNCTION hold_row()"
            )
        if table.restored and f"hold_changed_{table.name}" not in present:
            yield (
                f"CREATE TRIGGER hold_changed_{table.name} AFTER UPDATE ON {table.name} FOR EACH ROW WHEN ({during}) "
                "EXECUTE FUNCTION hold_row()"
            )


SCHEMA: Final = "mneme"
_TABLES: Final = (
    "SELECT relname, pg_relation_size(pg_class.oid) + coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) "
    "FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relkind = 'r' "
    "AND nspname = current_schema()"
)

_STANDBYS: Final = "SELECT (SELECT count(*) FROM pg_stat_replication), current_setting('synchronous_standby_names')"
_ASYNCHRONOUS: Final = (
    "standbys follow asynchronously: a failover may lose the newest messages that were acknowledged; "
    "PostgreSQL's synchronous_standby_names names those that are waited for"
)


class PostgresDatabase(Database):
    """Our schema of the database at ``url``; ``path`` is where its files stand beside each other.

    ``alone``: while it is open no other may be opened so, and no worker's.
    A PostgreSQL looks after its own pages: nothing here is recovered, and back-ups are made with its own tools.
    """

    def __init__(self, url: str, path: Path, rooms: Rooms, *, alone: bool = False) -> None:
        super().__init__(path, rooms, readers=2)
        self.backups = _NoBackups(path, rooms)
        self.backed_up_by = "pg_dump"
        self._named = connection.describe(url)
        self._url = url
        self._use = Use(alone=alone)
        self.layouts = PostgresLayouts(self)

    @property
    def problems(self) -> tuple[str, ...]:
        """Nothing: what is damaged there, PostgreSQL reports and refuses to read."""
        return ()

    async def checkpoint(self) -> None:
        """Do nothing: PostgreSQL writes its log away by itself."""

    async def scrub(self) -> None:
        """Do nothing: words of deleted rows are not looked up, and :meth:`vacuum` takes their bytes."""

    async def vacuum(self) -> None:
        """Rewrite every table of memory without the bytes of deleted rows; each is locked for as long as that takes."""
        await self._run_writer(_rewrite, alone=True)

    def list_left_files(self) -> list[Path]:
        """Return files that may hold what was said here before, and that no erase reaches: also one that was moved."""
        return [*super().list_left_files(), *([self.path] if self.path.exists() else [])]

    async def measure(self) -> int:
        return await self.read(lambda opened: sum(size for _, size in opened.execute(_TABLES)))

    async def describe_standbys(self) -> str:
        """Return whether a failover may lose what was acknowledged."""
        count, names = await self.read(lambda opened: opened.execute(_STANDBYS).fetchone())
        return _ASYNCHRONOUS if count and not names else ""

    def _open_writer(self) -> sqlite3.Connection:
        return connection.open_writer(self._url, SCHEMA, self._use).as_sqlite()

    def open_reader(self) -> sqlite3.Connection:
        return connection.open_reader(self._url, SCHEMA, self._use).as_sqlite()

    def _prepare(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Of an SQLite file that was moved: no erase reaches them.
        shutil.rmtree(get_layout_path(self.path, 0).parent, ignore_errors=True)
        try:
            with closing(connection.open_writer(self._url, SCHEMA, self._use)) as opened:
                migrate(opened, self.rooms, self._named)
                self._add(opened)
        except sqlite3.Error as error:
            raise self.explain(error) from error

    def _add(self, opened: PostgresConnection) -> None:
        """Make what there is besides the rooms."""
        make_layouts(opened)

    def explain(self, error: Exception) -> Exception:
        return connection.translate_error(error, self._url) or error


_WITHOUT_TEXTS: Final = frozenset({"commits", "workers", "leases", "paces", "changes"})
"""Every write and every sign of life needs them: whoever waits to rewrite one lets all others wait behind it."""


def _rewrite(opened: sqlite3.Connection) -> None:
    tables = [name for name, size in opened.execute(_TABLES) if size and name not in _WITHOUT_TEXTS]
    if tables:
        cast("PostgresConnection", opened).run(f"VACUUM (FULL) {', '.join(tables)}")


class _NoBackups(Backups):
    """PostgreSQL's are made with ``pg_dump``; an erase still deletes those of an SQLite file that was moved."""

    async def make_if_due(self, now: datetime, keep: int) -> Backup | None:
        return None

    def make(self, now: datetime) -> Backup | None:
        return None
