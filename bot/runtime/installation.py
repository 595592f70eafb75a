"""An installation, as a command of the terminal opens it: its lock, its logs, its settings, whose memory is meant.

One Mneme runs per data folder: two would answer the same messages, settle each other's replies and index twice.
Logs go to standard error for a service, to a file for the terminal chat.  Exceptions are logged as types and places in
the code; their texts stay out, because a text may quote a message or an address with a token in it.

The settings that the running Mneme started with: ``mneme check``, another process, compares them with the disk.

Only hashes are kept, keyed anew at each start, because some of the values are secrets.
"""

import hmac
import json
import logging
import os
import secrets
import sys
import traceback
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Annotated, Any

import structlog
import typer
from filelock import FileLock, Timeout

from adapters.console.plain import ADDRESS, AUTHOR
from adapters.sqlite.conversations.chats import SqliteChats, SqliteChatSettings
from adapters.sqlite.database import Database
from adapters.sqlite.recovery.salvage import SecondCopies
from bot.config.environment import VARIABLES, read_dotenv_files, read_environment
from bot.config.fields import find_application, list_settings, read_value
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.config.schema import Settings
from bot.config.section import Applies
from bot.config.strict_json import format_path
from bot.errors import ConfigInvalid
from bot.memory.items import Trust
from bot.memory.scope import Scope, ScopeKind, build_scope
from bot.messages import Author
from bot.ports.leases import Leases
from memory_server.options import LIGHTRAG_VARIABLES, name_unread_variables

PATIENCE_S = 2.0
"""A restart may overlap the last moments of the process before."""


@contextmanager
def only_mneme(places: Folders, *, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Hold the folder's lock, which the system frees with the process, however it ends.

    Raises :class:`ConfigInvalid` when another process holds it, and names that process.
    """
    path = places.data / "state" / "lock"
    # A lock by the mere existence of a file, the library's way out without flock, would outlast a killed process.
    lock = FileLock(path, timeout=patience_s, mode=0o600, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout as error:
        owner = path.read_text(encoding="ascii", errors="replace").strip() or "unknown"
        raise ConfigInvalid(
            f"another Mneme (process {owner}) uses {places.data}; stop it first, or give this one --data of its own"
        ) from error
    except OSError as error:
        raise ConfigInvalid(f"{path} cannot be written ({error.strerror}); set another data folder: --data") from error
    try:
        with suppress(OSError):  # written for the message above: a full disk must not keep anybody from starting
            path.write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        lock.release()


def is_running(places: Folders) -> bool:
    """Return whether a Mneme holds the folder now."""
    try:
        with only_mneme(places, patience_s=0.0):
            return False
    except ConfigInvalid:
        return True


_MAX_BYTES = 5_000_000
_FRAMES = 6


def set_up_logs(level: str, style: str, file: Path | None = None) -> None:
    """Send every log line, ours and the libraries', to one place.

    ``level`` is "debug" … "error"; ``style`` "console", "json" or "auto" (colours in a terminal, JSON elsewhere).
    Raises :class:`~bot.errors.ConfigInvalid` when the file cannot be written.
    """
    # Where a line cannot be written the library would print it, with the texts of the errors that are being handled.
    logging.raiseExceptions = False
    handler: logging.Handler
    if file is not None:
        try:
            handler = _Rotating(file, maxBytes=_MAX_BYTES, backupCount=3, encoding="utf-8")
        except OSError as error:
            raise ConfigInvalid(
                f"the log {file} cannot be written: {error.strerror}; let us read and write it and its folder"
            ) from error
    else:
        handler = logging.StreamHandler(sys.stderr)
    shared = _shared()
    logging.basicConfig(handlers=[handler], force=True)  # closes what it replaces
    adjust_logs(level, style)
    for name in ("httpx", "httpcore", "aiogram", "aiohttp", "watchfiles", "asyncio"):
        logging.getLogger(name).setLevel(logging.ERROR)
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it logs what servers say when it cannot read it
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def adjust_logs(level: str, style: str) -> None:
    """Change level and style of the logs that were set up; they stay where they are, and a file stays JSON."""
    root = logging.getLogger()
    root.setLevel(level.upper())
    for handler in root.handlers:
        in_file = isinstance(handler, logging.FileHandler)
        pretty = not in_file and (style == "console" or (style == "auto" and sys.stderr.isatty()))
        renderer: Any = (
            structlog.dev.ConsoleRenderer() if pretty else structlog.processors.JSONRenderer(ensure_ascii=False)
        )
        handler.setFormatter(
            structlog.stdlib.ProcessorFormatter(
                foreign_pre_chain=_shared(),
                processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
            )
        )


def _shared() -> list[Any]:  # Any: structlog's processors
    """Return what every line goes through, ours and the libraries'."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _exception_without_text,
    ]


class _Rotating(RotatingFileHandler):
    """Rotates by the size that the file has: the library's own way formats every line twice."""

    def shouldRollover(self, record: logging.LogRecord) -> bool:  # noqa: N802, ARG002 - the library's signature
        """Return whether the file is full; the line that fills it is its last."""
        return self.stream is not None and os.fstat(self.stream.fileno()).st_size >= self.maxBytes


def _exception_without_text(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    info = event.pop("exc_info", None)
    if info is True:
        info = sys.exc_info()
    elif isinstance(info, BaseException):
        info = (type(info), info, info.__traceback__)
    if info and info[0] is not None:
        frames = traceback.extract_tb(info[2])[-_FRAMES:]
        where = [f"{Path(frame.filename).name}:{frame.lineno}:{frame.name}" for frame in frames]
        event["error"] = info[0].__name__
        event["where"] = where
    return event


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory, and the person whose words are their own in it."""

    scope: Scope
    user: Author
    platform: str

    @property
    def described(self) -> str:
        """In words."""
        return "the terminal chat" if self.platform == ADDRESS.platform else f"Telegram user {self.user.id}"


def choose_memory(live: LiveSettings, *, user: int | None, platform: str | None) -> Memory:
    """Return whose memory it is.  Raises :class:`~bot.errors.ConfigInvalid` where nothing says it."""
    settings = live.current
    owner = settings.telegram.owner_id
    chosen = platform or ("telegram" if user is not None or owner is not None else ADDRESS.platform)
    if chosen == ADDRESS.platform:
        if user not in (None, AUTHOR.id):
            raise ConfigInvalid("--user is a Telegram user; the terminal has one person only")
        author, chat_id = AUTHOR, ADDRESS.chat_id
    else:
        user_id = user if user is not None else owner
        if user_id is None:
            raise ConfigInvalid("say whose memory: --user ID, or set telegram.ownerId")
        author, chat_id = Author(user_id, "", Trust.OWNER if user_id == owner else Trust.USER), user_id
    scope = build_scope(
        ScopeKind(settings.memory.scope_direct),
        platform=chosen,
        user_id=author.id,
        chat_id=chat_id,
        shared=settings.memory.shared_name,
    )
    return Memory(scope, author, chosen)


def load_live_settings(places: Folders, *, keep: bool = True) -> LiveSettings:
    """Return the settings, loaded; with ``keep`` a good version is kept for the day when the file is broken.

    How to log stands in the settings, so that nothing is logged until they are read: a log line on standard output
    would mix with answers and reports.  Whoever calls tells people what :attr:`LiveSettings.problem` says.
    """
    set_up_logs("critical", "json")
    live = LiveSettings(
        places.config, environment=read_environment(places), last_good=places.last_good_config, keep=keep
    )
    live.load()
    return live


def choose_store(places: Folders, settings: Settings, *, copies: SecondCopies = tuple, alone: bool = False) -> Database:
    """Return the store of an installation, to be opened: the SQLite file, or the PostgreSQL that is set.

    ``copies`` are for a recovery of the file.  ``alone``: its opener is the one Mneme that may use a PostgreSQL, as the
    folder's lock says of the file; others only look, or put something in beside it.
    Raises :class:`ConfigInvalid` when PostgreSQL is set and its driver is not installed.
    """
    return name_store(places, settings.storage.url, copies=copies, alone=alone)


def name_store(places: Folders, url: str, *, copies: SecondCopies = tuple, alone: bool = False) -> Database:
    """Return the store at an address, "" being the file; see :func:`choose_store`."""
    from adapters.sqlite.rooms import ROOMS  # noqa: PLC0415 - numpy, before a command has set its threads

    if not url:
        return Database(places.database, ROOMS, copies=copies)
    try:
        from adapters.postgres.database import PostgresDatabase  # noqa: PLC0415 - an extra: few have its driver
    except ImportError as error:
        raise ConfigInvalid(
            "storage.url is set, but not its driver installed: pip install 'mneme[postgres]'"
        ) from error
    return PostgresDatabase(url, places.database, ROOMS, alone=alone)


def choose_shared_store(places: Folders, settings: Settings) -> tuple[Database, Leases]:
    """Return the PostgreSQL that is set, as one of several workers has it, and its leases.

    Raises :class:`ConfigInvalid` where there is none, where its driver is not installed, and for what one process alone
    could do.
    """
    if not settings.storage.url:
        raise ConfigInvalid("workers share a PostgreSQL: set DATABASE_URL or storage.url; one process is `mneme run`")
    if settings.rag.enabled and not settings.rag.url:
        raise ConfigInvalid("workers share a memory server: set rag.url to one that all reach, or rag.enabled to false")
    name_store(places, settings.storage.url)
    from adapters.postgres.leases import PostgresLeases, WorkerDatabase  # noqa: PLC0415 - an extra: few have its driver
    from adapters.sqlite.rooms import ROOMS  # noqa: PLC0415 - as above

    term_s = float(settings.storage.worker_term_seconds)
    database = WorkerDatabase(settings.storage.url, places.database, ROOMS, term_s=term_s)
    return database, PostgresLeases(database)


async def open_chat_settings(database: Database) -> tuple[SqliteChats, SqliteChatSettings]:
    """Return what is known of chats, and what they have chosen for themselves."""
    chats = SqliteChats(database)
    await chats.load()
    settings = SqliteChatSettings(database, chats)
    await settings.load()
    return chats, settings


Data = Annotated[
    Path | None, typer.Option("--data", help="Folder where everything lives.  Default: $MNEME_DATA, else ./data.")
]
Preferences = Annotated[
    Path | None, typer.Option("--preferences", help="Folder with runtime-config.json, prompts/ and skills/.")
]


_TOKEN = "TELEGRAM_TOKEN"  # noqa: S105 - the name of a variable


def describe_waiting_settings(names: tuple[str, ...]) -> str:
    """Return the sentence about changes that wait for a restart, "" when there are none."""
    return f"takes effect at the next start: {', '.join(names)}" if names else ""


def describe_unread_variables(places: Folders, settings: Settings) -> str:
    """Return the sentence about variables of LightRAG that do nothing here, "" for none.

    Another server has an environment of its own; the embedded one has no model that would write in a language.
    """
    return name_unread_variables(
        read_environment(places), *(LIGHTRAG_VARIABLES if settings.rag.url else ("SUMMARY_LANGUAGE",))
    )


def record_start(places: Folders, settings: Settings) -> None:
    """Keep what this process has started with.  What cannot be written costs a remark of ``mneme check``."""
    key = secrets.token_hex(32)
    kept = {"key": key, "values": _hashes(key, _read_at_start(places, settings, os.environ))}
    try:
        draft = places.started.with_suffix(".new")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(kept), encoding="ascii")
        draft.replace(places.started)
    except OSError as error:
        structlog.get_logger().warning("start not noted", reason=error.strerror)


def list_waiting_settings(places: Folders, settings: Settings) -> tuple[str, ...]:
    """Return what stands on the disk now and is not in force in the Mneme that runs on this folder."""
    try:
        kept = json.loads(places.started.read_text(encoding="ascii"))
        key, values = str(kept["key"]), dict(kept["values"])
    except (OSError, ValueError, KeyError, TypeError):
        return ()  # nobody has noted anything that can be compared
    now = _hashes(key, _read_at_start(places, settings, os.environ))
    return tuple(name for name, value in now.items() if name in values and values[name] != value)


def _read_at_start(places: Folders, settings: Settings, process: Mapping[str, str]) -> dict[str, str]:
    """Return what is read at the start alone: settings, and variables of ``.env`` that the process does not set."""
    # A shell that asks may lack the variables that the service was given: those are not compared.
    found = {
        format_path(path): repr(read_value(settings, path))
        for path, field in list_settings()
        if find_application(field) is _AT_START
    }
    if process.get(_TOKEN):
        del found["telegram.token"]
    written = read_dotenv_files(places.data)
    names = [name for name in (*VARIABLES, *LIGHTRAG_VARIABLES) if name != _TOKEN and not process.get(name)]
    return found | {f"{name} (.env)": written.get(name, "").strip() for name in names}


_AT_START = Applies.RESTART


def _hashes(key: str, values: Mapping[str, str]) -> dict[str, str]:
    return {name: hmac.digest(key.encode(), value.encode(), "sha256").hex() for name, value in values.items()}
