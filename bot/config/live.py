"""Settings that follow their file: each good version is swapped in whole, a bad one changes nothing.

The last good text is kept beside the data, so that a typo made while Mneme was down does not undo the configuration.
The operator's file itself is only ever read.
"""

import asyncio
import contextlib
import os
import stat
import tempfile
from collections.abc import AsyncIterable, Callable, Mapping
from pathlib import Path

import structlog

from bot.config.parse import parse_settings
from bot.config.schema import Settings
from bot.config.strict_json import Diagnostic, Position, build_error
from bot.errors import ConfigInvalid

_MOST_BYTES = 1_000_000
"""A larger file is a mistake, and is not read."""


_NOTHING = bytes(bytearray(b"{}"))
"""What is read where there never was a file; told from a file of the same text by being this very object."""
_UNREAD = b""


class LiveSettings:
    """The newest good version of ``path``.

    ``last_good`` is a copy of that version's text with mode 0600 (the file may hold keys); without ``keep`` it is read
    and never written.
    ``on_change(old, new)`` is called after every swap, ``on_error(error)`` once per distinct error; the first
    :meth:`load` counts as no change.  A missing file means the defaults, unless there was one before: then it has
    vanished, and the last good version stays in force, over restarts too.
    """

    def __init__(
        self,
        path: Path,
        *,
        environment: Mapping[str, str],
        last_good: Path,
        on_change: Callable[[Settings, Settings], None] | None = None,
        on_error: Callable[[ConfigInvalid], None] | None = None,
        keep: bool = True,
    ) -> None:
        self._path = path
        self._environment = dict(environment)
        self._last_good = last_good
        self._keep = keep
        self._on_change = on_change
        self._on_error = on_error
        self.current = Settings()
        """The settings in force."""
        self._seen: bytes | None = None
        self._had_file = False
        self._told: set[str] = set()
        self._problem: ConfigInvalid | None = None
        self._fallen_back = False

    def subscribe(self, on_change: Callable[[Settings, Settings], None]) -> None:
        """Call ``on_change(old, new)`` after every swap from now on, in place of whoever was called before."""
        self._on_change = on_change

    def time_zone(self) -> str:
        """Return the operator's time zone as an IANA name, "" for the machine's."""
        return self.current.time_zone

    def is_remembering(self) -> bool:
        """Return whether memory is on now."""
        return self.current.memory.enabled

    def uses_long_term_memory(self) -> bool:
        """Return whether long-term memory is read and written now."""
        return self.current.memory.enabled and self.current.rag.enabled

    def keeps_items(self) -> bool:
        """Return whether structured memories are made and read now."""
        return self.current.memory.items_enabled

    @property
    def problem(self) -> ConfigInvalid | None:
        """What is wrong with the file now, ``None`` when it is in force."""
        return self._problem

    @property
    def in_force(self) -> str:
        """What is in force while there is a problem, as a phrase: there is no last good version before the first."""
        return "the defaults" if self._fallen_back else "the last good settings"

    def load(self) -> Settings:
        """Read the file for the first time and return the settings in force.

        With a bad file these are the last good ones, or the defaults if there never were any; :attr:`problem` says so.
        """
        try:
            data = self._read()
            self.current = self._parsed(data)
        except ConfigInvalid as error:
            self._refuse(error)
            self.current = self._from_last_good()
        else:
            self._accept(data)
        return self.current

    def reload(self) -> bool:
        """Read the file again; ``True`` if other settings are in force now."""
        return self._swap(self._look())

    def _look(self) -> tuple[bytes, Settings] | ConfigInvalid | None:
        """Read and understand the file, ``None`` when it is as it was; may take long, and touches nothing in force."""
        try:
            data = self._read()
            return None if data == self._seen else (data, self._parsed(data))
        except ConfigInvalid as error:
            return error

    def _swap(self, looked: tuple[bytes, Settings] | ConfigInvalid | None) -> bool:
        if looked is None:
            return False
        if isinstance(looked, ConfigInvalid):
            self._refuse(looked)
            return False
        data, new = looked
        self._accept(data)
        old, self.current = self.current, new
        if new == old:
            return False
        structlog.get_logger().info("config changed", file=str(self._path))
        if self._on_change:
            self._on_change(old, new)
        return True

    async def watch(self, changes: AsyncIterable[None]) -> None:
        """Reload at every change until cancelled (or until the changes end); a failing subscriber is only logged."""
        async for _ in changes:
            try:
                self._swap(await asyncio.to_thread(self._look))  # no file may hold up the chats
            except Exception:  # noqa: BLE001  worker edge: no subscriber may end live reload
                structlog.get_logger().exception("config change handler failed")
            await asyncio.sleep(0)

    def _read(self) -> bytes:
        try:
            return _contents(self._path)
        except FileNotFoundError as error:
            if not self._had_file and not self._last_good.exists():
                return _NOTHING
            raise self._unreadable("the file is gone", 'the file, or one that holds "{}" for the defaults') from error
        except _Unfit as error:
            raise self._unreadable(str(error)) from error
        except OSError as error:
            raise self._unreadable(error.strerror or type(error).__name__) from error

    def _unreadable(self, got: str, expected: str = "a readable file") -> ConfigInvalid:
        self._seen = _UNREAD  # whatever stands there next is read, also if it is what stood there before
        return build_error(self._path.name, [Diagnostic(Position(1, 1), (), "the file cannot be read", expected, got)])

    def _parsed(self, data: bytes) -> Settings:
        self._seen = data
        return parse_settings(data, self._path.name, self._environment)

    def _refuse(self, error: ConfigInvalid) -> None:
        self._problem = error
        if str(error) in self._told:
            return
        self._told.add(str(error))
        structlog.get_logger().error("config rejected", file=str(self._path), reason=str(error))
        if self._on_error:
            self._on_error(error)

    def _accept(self, data: bytes) -> None:
        self._problem = None
        self._fallen_back = False
        self._told.clear()
        if data is _NOTHING:  # there is no file: that is no version to come back to
            return
        self._had_file = True
        if not self._keep:
            return
        try:
            _write_private(self._last_good, data)
        except OSError as error:
            structlog.get_logger().warning("config copy not written", reason=error.strerror)

    def _from_last_good(self) -> Settings:
        try:
            return parse_settings(_contents(self._last_good), self._last_good.name, self._environment)
        except FileNotFoundError:
            return self._defaults()
        except (OSError, _Unfit, ConfigInvalid) as error:
            structlog.get_logger().error("last good config unusable", reason=str(error))
            return self._defaults()

    def _defaults(self) -> Settings:
        self._fallen_back = True
        try:
            return parse_settings(b"{}", self._path.name, self._environment)
        except ConfigInvalid:
            return Settings()


class _Unfit(Exception):
    """What stands at the path is no file that could hold settings."""


def _contents(path: Path) -> bytes:
    """Return what a file holds; raises ``OSError``, or :class:`_Unfit` for pipes, devices, folders and large files.

    A pipe is opened without waiting for somebody to write to it, and no more is read than may be.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise _Unfit("something that is no file")
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise _Unfit(f"more than {_MOST_BYTES:,} bytes")
    return data


def _write_private(path: Path, data: bytes) -> None:
    """Replace the file atomically and durably, readable by its owner only."""
    with contextlib.suppress(FileNotFoundError):
        if path.read_bytes() == data:
            path.chmod(0o600)
            return
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
