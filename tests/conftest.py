"""Rules of every test: nothing leaves this machine, and nothing depends on its speed or its clock."""

from __future__ import annotations

import gc
import logging
import os
import sqlite3
import ssl
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Hashable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
import structlog
import tzlocal
from fastapi._compat.v2 import ModelField
from hypothesis import HealthCheck, settings
from pydantic import TypeAdapter

from tests.growth.recording import record_patterns
from tests.offline import sitecustomize as offline
from tests.postgres import postgres_server
from tests.workers import pytest_xdist_setupnodes

__all__ = ["postgres_server", "pytest_xdist_setupnodes"]  # a fixture and a hook

record_patterns()

from bot.cli import one_thread_per_product  # noqa: E402 - patterns are recorded from before this import

one_thread_per_product()

# The pictures of errors that structlog draws by itself take half a second each.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)

# What a day is called must not depend on where this runs.
os.environ["TZ"] = "UTC"
time.tzset()

# How fast examples are made is not what is tested, and a busy machine is slow.
# Forty: a run meets what a rule gets plainly wrong, and the next run has other examples.
settings.register_profile("suite", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

os.environ["PYTHONPATH"] = offline.inherited(os.environ.get("PYTHONPATH"))

# Without byte code every process that a test starts compiles all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# Every commit of every store waits for the disk, which was two fifths of the suite's time; no test pulls a plug.
# What passed leaves nothing there; a folder from which no program may be started is no place for an installation.
_MEMORY, _ROOM = Path("/dev/shm"), 2_000_000_000  # noqa: S108 - pytest makes a folder of the user's own in it
if "TMPDIR" not in os.environ and _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK):
    found = os.statvfs(_MEMORY)
    if found.f_bavail * found.f_frsize > _ROOM and not found.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what was imported and collected: it cost an eighth of the suite."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def stays_here() -> Iterator[None]:
    """Fail a test that tried to reach another machine, whoever swallowed the error."""
    offline.LEFT.clear()
    yield
    assert offline.LEFT == [], "tests use no network but loopback"


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """Undo what a test set up for logs, and close its files: the next test logs as if it were the first."""
    root = logging.getLogger()
    handlers, level, configured = list(root.handlers), root.level, structlog.get_config()
    yield
    for handler in [each for each in root.handlers if each not in handlers and not _is_of_pytest(each)]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    structlog.configure(**configured)


def _is_of_pytest(handler: logging.Handler) -> bool:
    return type(handler).__module__.startswith("_pytest")


@pytest.fixture(scope="session")
def model_dir() -> Path:
    """Give the folder of the local models, which set-up has made; they are made where somebody removed them."""
    from adapters.embedding.files import provide_models  # noqa: PLC0415 - patterns are recorded from before this import
    from bot.config.folders import PROJECT, find_model_folder  # noqa: PLC0415 - the same

    folder = find_model_folder(PROJECT / "data")
    provide_models(folder, lambda _: None)
    return folder


@pytest.fixture(scope="session", autouse=True)
def kinds_are_waited_for() -> Iterator[None]:
    """Let no slow machine leave a sentence unread: a message waits for its kinds half a second where people use it."""
    from bot.memory.learning import kinds  # noqa: PLC0415 - patterns are recorded from before this import

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kinds, "_PATIENCE_S", 60.0)
        patch.setattr(kinds, "_FIRST_S", 60.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def authorities_are_read_once() -> Iterator[None]:
    """Share TLS contexts: a client made with its defaults reads all certificates, 25 ms each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def parameters_are_described_once() -> Iterator[None]:
    """Share what reads a parameter of a route among servers: a memory server has two hundred, 0.3 s each time."""
    build = ModelField.__post_init__
    built: dict[Hashable, TypeAdapter[Any]] = {}  # Any: as pydantic has it

    def build_or_share(field: ModelField) -> None:
        kind = field.field_info.annotation
        key = (kind, repr(field.field_info)) if isinstance(kind, Hashable) and field.config is None else None
        if key is None or key not in built:
            build(field)
            built[key] = field._type_adapter
        field._type_adapter = built[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ModelField, "__post_init__", build_or_share)
        yield


@pytest.fixture(scope="session", autouse=True)
def new_stores_are_copied() -> Iterator[None]:
    """Make a new store with the usual schema as a copy of one that was migrated: 4 ms instead of 17."""
    from adapters.sqlite import database  # noqa: PLC0415 - patterns are recorded from before this import
    from adapters.sqlite.connection import migrate  # noqa: PLC0415 - the same
    from adapters.sqlite.rooms import ROOMS  # noqa: PLC0415 - the same
    from adapters.sqlite.rows.derived import Rooms  # noqa: PLC0415 - the same

    with (
        closing(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)) as first,
        pytest.MonkeyPatch.context() as patch,
    ):
        migrate(first, ROOMS, Path("memory"))

        def copy_or_migrate(connection: sqlite3.Connection, wanted: Rooms, path: Path) -> None:
            is_new = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None
            if is_new and [room.name for room in wanted] == [room.name for room in ROOMS]:
                first.backup(connection)
            else:
                migrate(connection, wanted, path)

        patch.setattr(database, "migrate", copy_or_migrate)
        yield


@pytest.fixture(scope="session", autouse=True)
def edits_settle_sooner() -> Iterator[None]:
    """Wait a third as long for another edit of a message: what follows a test's own comes at once, or never."""
    from bot.core.dispatch import Dispatcher  # noqa: PLC0415 - patterns are recorded from before this import

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(cast("dict[str, float]", Dispatcher.__init__.__kwdefaults__), "settle_s", 0.5)
        yield


@pytest.fixture(scope="module")
def forked_servers() -> Iterator[None]:
    """Fork the memory servers that a test has started in this process: a tenth of the time of a start by command."""
    from adapters.rag.process import Child, ChildLog  # noqa: PLC0415 - patterns are recorded from before this import
    from harness.forking import fork_child  # noqa: PLC0415 - the same

    async def start(command: Sequence[str], environment: Mapping[str, str], log: Path) -> Child:
        return Child(cast("Process", await fork_child(command, environment)), ChildLog(log))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Child, "start", start)
        yield


@pytest.fixture
async def telegram() -> AsyncIterator[Any]:  # Any: imported below
    """A fake that Anna has met."""
    from harness.application import ANNA  # noqa: PLC0415 - a second of imports that most tests do without
    from harness.fakes.telegram import FakeTelegram  # noqa: PLC0415 - as above

    async with FakeTelegram() as fake:
        fake.chats.meet(ANNA)
        yield fake


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep settings that a developer has in the environment out."""
    for name in ("MNEME_DATA", "MNEME_PREFERENCES", "TELEGRAM_OWNER_ID"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def noon() -> Iterator[None]:
    """Make it about noon: between midnight and four a.m. Mneme asks which day "tomorrow" is."""
    _move_to(f"Etc/GMT{datetime.now(UTC).hour - 12:+d}")
    yield
    _move_to("UTC")


def _move_to(zone: str) -> None:
    os.environ["TZ"] = zone
    time.tzset()
    tzlocal.reload_localzone()  # it keeps the first zone that anybody asked for
