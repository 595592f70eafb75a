"""The rooms of the store in a PostgreSQL: one process, the same threads, the same promises as with one SQLite file."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final, cast

from adapters.postgres import connection
from adapters.postgres.connection import PostgresConnection, Use
from adapters.postgres.schema import migrate
from adapters.sqlite.database import Database
from adapters.sqlite.recovery.beside import Backup, Backups
from adapters.sqlite.rows.derived import Rooms

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
    """The schema ``schema`` of the database at ``url``; ``path`` is where its files stand beside each other.

    ``alone``: while it is open no other may be opened so, and no worker's.
    A PostgreSQL looks after its own pages: nothing here is recovered, and back-ups are made with its own tools.
    """

    def __init__(
        self, url: str, path: Path, rooms: Rooms, *, readers: int = 2, alone: bool = False, schema: str = SCHEMA
    ) -> None:
        super().__init__(path, rooms, readers=readers)
        self.backups = _NoBackups(path, rooms)
        self.backed_up_by = "pg_dump"
        self._named = connection.describe(url)
        self._url = url
        self._schema = schema
        self._use = Use(alone=alone)

    @property
    def problems(self) -> tuple[str, ...]:
        """Nothing: what is damaged there, PostgreSQL reports and refuses to read."""
        return ()

    async def recover(self) -> tuple[str, ...]:
        """Connect anew; return nothing."""
        await self.close()
        await self.open()
        return ()

    async def checkpoint(self) -> None:
        """Do nothing: PostgreSQL writes its log away by itself."""

    async def scrub(self) -> None:
        """Do nothing: words of deleted rows are not looked up, and :meth:`vacuum` takes their bytes."""

    async def vacuum(self) -> None:
        """Rewrite every table without the bytes of deleted rows; each is locked for as long as that takes."""
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
        return connection.open_writer(self._url, self.path, self._schema, self._use).as_sqlite()

    def open_reader(self) -> sqlite3.Connection:
        return connection.open_reader(self._url, self.path, self._schema, self._use).as_sqlite()

    def _prepare(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with closing(connection.open_writer(self._url, self.path, self._schema, self._use)) as opened:
                migrate(opened, self.rooms, self._named)
                self._add(opened)
        except sqlite3.Error as error:
            raise self.explain(error) from error

    def _add(self, opened: PostgresConnection) -> None:
        """Make what there is besides the rooms: nothing."""

    def explain(self, error: Exception) -> Exception:
        return connection.translate_error(error, self._url) or error


def _rewrite(opened: sqlite3.Connection) -> None:
    tables = [name for name, size in opened.execute(_TABLES) if size]
    if tables:
        cast("PostgresConnection", opened).run(f"VACUUM (FULL) {', '.join(tables)}")


class _NoBackups(Backups):
    """PostgreSQL's are made with ``pg_dump``; an erase still deletes those of an SQLite file that was moved."""

    async def make_if_due(self, now: datetime, keep: int) -> Backup | None:
        return None

    def make(self, now: datetime) -> Backup | None:
        return None
