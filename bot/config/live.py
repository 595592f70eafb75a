"""Settings that follow their file: each good version is swapped in whole, a bad one changes nothing.

The last good text is kept beside the data, so that a typo made while Mneme was down does not undo the configuration.
The operator's file itself is only ever read.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncIterable, Callable, Mapping
from pathlib import Path

import structlog

from bot.config.complaint import Complaint, Place, invalid
from bot.config.parse import settings_from
from bot.config.schema import Settings
from bot.errors import ConfigInvalid


class LiveSettings:
    """The newest good version of ``path``.

    ``last_good`` is a copy of that version's text with mode 0600 (the file may hold keys).
    ``on_change(old, new)`` is called after every swap, ``on_error(error)`` once per distinct error; the first
    :meth:`load` counts as no change.  A missing file means defaults.
    """

    def __init__(
        self,
        path: Path,
        *,
        environment: Mapping[str, str],
        last_good: Path,
        on_change: Callable[[Settings, Settings], None] | None = None,
        on_error: Callable[[ConfigInvalid], None] | None = None,
    ) -> None:
        self._path = path
        self._environment = dict(environment)
        self._last_good = last_good
        self._on_change = on_change
        self._on_error = on_error
        self._settings = Settings()
        self._seen: bytes | None = None
        self._told: set[str] = set()
        self._problem: ConfigInvalid | None = None
        self._fallen_back = False

    def subscribe(self, on_change: Callable[[Settings, Settings], None]) -> None:
        """Call ``on_change(old, new)`` after every swap from now on, in place of whoever was called before."""
        self._on_change = on_change

    def current(self) -> Settings:
        """Return the settings in force."""
        return self._settings

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
            self._settings = self._parsed(data)
        except ConfigInvalid as error:
            self._refuse(error)
            self._settings = self._from_last_good()
        else:
            self._accept(data)
        return self._settings

    def reload(self) -> bool:
        """Read the file again; ``True`` if other settings are in force now."""
        try:
            data = self._read()
            if data == self._seen:
                return False
            new = self._parsed(data)
        except ConfigInvalid as error:
            self._refuse(error)
            return False
        self._accept(data)
        old, self._settings = self._settings, new
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
                self.reload()
            except Exception:  # noqa: BLE001  worker edge: no subscriber may end live reload
                structlog.get_logger().exception("config change handler failed")
            await asyncio.sleep(0)

    def _read(self) -> bytes:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return b"{}"
        except OSError as error:
            self._seen = None
            reason = error.strerror or type(error).__name__
            complaint = Complaint(Place(1, 1), (), "the file cannot be read", "a readable file", reason)
            raise invalid(self._path.name, [complaint]) from error

    def _parsed(self, data: bytes) -> Settings:
        self._seen = data
        return settings_from(data, self._path.name, self._environment)

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
        try:
            _write_private(self._last_good, data)
        except OSError as error:
            structlog.get_logger().warning("config copy not written", reason=error.strerror)

    def _from_last_good(self) -> Settings:
        try:
            return settings_from(self._last_good.read_bytes(), self._last_good.name, self._environment)
        except FileNotFoundError:
            return self._defaults()
        except (OSError, ConfigInvalid) as error:
            structlog.get_logger().error("last good config unusable", reason=str(error))
            return self._defaults()

    def _defaults(self) -> Settings:
        self._fallen_back = True
        try:
            return settings_from(b"{}", self._path.name, self._environment)
        except ConfigInvalid:
            return Settings()


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
