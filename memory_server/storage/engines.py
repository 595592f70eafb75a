"""Where workspaces lie: what differs between a SQLite file for each and a PostgreSQL schema for each.

A file per workspace makes isolation physical, an open cheap (a millisecond) and a drop complete: the files are gone.
``synchronous=FULL`` because an acknowledged text must survive a power cut, ``secure_delete`` because an erased one must
not survive in free pages.
"""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Protocol

from memory_server.errors import ConfigInvalid, Corrupt, StorageUnavailable

SUFFIX = ".sqlite3"
_BESIDE = ("-wal", "-shm", "-journal")
BROKEN = (sqlite3.Error, UnicodeDecodeError)
"""What a connection raises; the second when SQLite's message quotes a damaged schema."""
ALL = 2**62
"""A LIMIT that is none."""
PAGE_SIZE = 512
"""Bytes.  An insert changes a few bytes in each of some seventy pages, and a change writes the page: with larger ones
more is written, and more the more is stored, as fewer changes share a page."""
LOG_BYTES = 16_000_000
"""Size of the write-ahead log before SQLite copies it home: large, so that a page changed often is copied once."""


class Engine(Protocol):
    """What keeps the rows of one workspace; ``lasting`` says that they outlive its connections."""

    lasting: bool

    def connect(self, *, writes: bool, renewed: Callable[[], None]) -> sqlite3.Connection:
        """Return a connection; ``renewed`` is called once it was lost, made anew, and others may have written."""

    def migrate(self, db: sqlite3.Connection) -> None:
        """Make the tables, or bring them up to date; raises :class:`ConfigInvalid` for those of a newer program."""

    def measure(self, db: sqlite3.Connection) -> int:
        """Return how many bytes :meth:`find_damage` would read."""

    def find_damage(self, db: sqlite3.Connection) -> str:
        """Return what is wrong with what holds the rows, "" if it is well."""

    def empty_log(self, db: sqlite3.Connection) -> bool:
        """Remove what was erased from the log as well; ``False`` while another program uses it."""

    def explain(self, error: Exception) -> StorageUnavailable | Corrupt:
        """Return what an error of a connection means."""


class Home(Protocol):
    """All workspaces; calls block, and raise :class:`StorageUnavailable` when what holds them refuses."""

    def names(self) -> list[str]:
        """Return the names of all workspaces."""

    def exists(self, name: str) -> bool:
        """Return whether there is a workspace of this name."""

    def is_taken(self, name: str) -> bool:
        """Return whether another program has the workspace open, which this one has not."""

    def engine(self, name: str) -> Engine:
        """Return what keeps a workspace, whether there is one yet or not."""

    def drop(self, name: str) -> bool:
        """Remove a workspace that is closed, and what was set aside of it; ``False`` if there was none."""

    def set_aside(self, name: str) -> str:
        """Keep a damaged workspace under another name, which is returned."""

    def list_set_aside(self, name: str = "") -> list[str]:
        """Return what damaged workspaces are kept under, of one workspace or of all."""

    def sweep(self) -> None:
        """Remove what a drop that was killed half-way left."""

    def close(self) -> None:
        """End what was opened to ask; workspaces are closed by who opened them."""


STEPS = ("schema.sql", "compaction.sql", "windows.sql")
"""Script n brings a file of version n - 1 to n; scripts are added, never changed."""


class SqliteFile:
    """The :class:`Engine` of one file; without ``path`` it lies in memory."""

    def __init__(self, name: str, path: Path | None) -> None:
        self._name, self.lasting = name, path is not None
        self._target = path.resolve().as_uri() if path else f"file:{name}-{id(self)}?mode=memory&cache=shared"

    def connect(self, *, writes: bool, renewed: Callable[[], None]) -> sqlite3.Connection:
        try:
            db = sqlite3.connect(self._target, uri=True, isolation_level=None, check_same_thread=False, timeout=30)
            db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA secure_delete = ON")
            db.execute("PRAGMA foreign_keys = OFF")
            db.execute("PRAGMA cache_size = -2000")
            (page,) = db.execute("PRAGMA page_size").fetchone()
            db.execute(f"PRAGMA wal_autocheckpoint = {LOG_BYTES // page}")
            if not writes:
                db.execute("PRAGMA query_only = ON")
        except BROKEN as error:
            raise self.explain(error) from error
        return db

    def migrate(self, db: sqlite3.Connection) -> None:
        """Run the steps a file lacks, all in one transaction."""
        (version,) = db.execute("PRAGMA user_version").fetchone()
        check_version(version, len(STEPS))
        if version < len(STEPS):
            folder = resources.files(__package__)
            scripts = [folder.joinpath(step).read_text("utf-8") for step in STEPS[version:]]
            db.executescript(f"BEGIN IMMEDIATE; {''.join(scripts)} PRAGMA user_version = {len(STEPS)}; COMMIT;")

    def measure(self, db: sqlite3.Connection) -> int:
        (pages,), (size,) = (db.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
        return int(pages) * int(size)

    def find_damage(self, db: sqlite3.Connection) -> str:
        """Return SQLite's own verdict."""
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        return "" if verdict == "ok" else str(verdict)

    def empty_log(self, db: sqlite3.Connection) -> bool:
        """Copy the log home and cut it to nothing."""
        (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def explain(self, error: Exception) -> StorageUnavailable | Corrupt:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if isinstance(error, UnicodeDecodeError) or code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            return Corrupt(f"the file of workspace {self._name} is damaged: {error}")
        return StorageUnavailable(f"workspace {self._name} cannot be read or written now: {error}")


def check_version(stored: int, known: int) -> None:
    """Raise :class:`ConfigInvalid` for the tables of a newer program: they are left alone."""
    if stored > known:
        raise ConfigInvalid(f"the workspace was written by a newer version (schema {stored}, known is {known})")


class Folder:
    """The :class:`Home` of files; what is damaged is moved into a folder beside them."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._aside = folder, folder / "damaged"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def names(self) -> list[str]:
        return sorted(_name(path) for path in self._folder.glob(f"*{SUFFIX}"))

    def exists(self, name: str) -> bool:
        return self._path(name).exists()

    def is_taken(self, name: str) -> bool:
        """Return ``False``: a folder is one server's."""
        return False

    def engine(self, name: str) -> SqliteFile:
        return SqliteFile(name, self._path(name))

    def drop(self, name: str) -> bool:
        path = self._path(name)
        existed = path.exists()
        try:
            for file in (path, *(self._aside / kept for kept in self.list_set_aside(name))):
                for suffix in ("", *_BESIDE):
                    Path(f"{file}{suffix}").unlink(missing_ok=True)
        except OSError as error:
            raise StorageUnavailable(f"the files of workspace {name} cannot be removed: {error.strerror}") from error
        return existed

    def set_aside(self, name: str) -> str:
        """Move the file with its log."""
        path, stamp = self._path(name), datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        target = self._aside / f"{path.name.removesuffix(SUFFIX)}.damaged-{stamp}{SUFFIX}"
        try:
            self._aside.mkdir(mode=0o700, exist_ok=True)
            for suffix in ("", *_BESIDE):
                if Path(f"{path}{suffix}").exists():
                    Path(f"{path}{suffix}").rename(f"{target}{suffix}")
        except OSError as error:
            raise StorageUnavailable(f"the damaged file of {name} cannot be set aside: {error.strerror}") from error
        return target.name

    def list_set_aside(self, name: str = "") -> list[str]:
        head = f"{self._path(name).name.removesuffix(SUFFIX)}.damaged-" if name else ""
        return sorted(path.name for path in self._aside.glob(f"*{SUFFIX}") if path.name.startswith(head))

    def sweep(self) -> None:
        """Remove log files without their workspace."""
        for suffix in _BESIDE:
            for path in self._folder.glob(f"*{SUFFIX}{suffix}"):
                if not Path(str(path).removesuffix(suffix)).exists():
                    path.unlink(missing_ok=True)

    def close(self) -> None:
        """Do nothing: a folder is not opened."""

    def _path(self, name: str) -> Path:
        """Return the file of a workspace; capitals are marked, as some file systems ignore them."""
        return self._folder / ("".join(f"-{c.lower()}" if c.isupper() else c for c in name) + SUFFIX)


def _name(path: Path) -> str:
    head, *rest = path.name.removesuffix(SUFFIX).split("-")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)
