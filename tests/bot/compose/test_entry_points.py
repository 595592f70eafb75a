"""The language of a terminal, from its environment, and how a process ends when it is told to."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import signal
import weakref
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from bot.compose.entry_points import read_locale, say_new, serving, stop_on_signals
from bot.config.folders import prepare_folders
from bot.config.schema import Settings
from bot.runtime.app import Additions
from bot.runtime.installation import record_start
from harness.fakes.telegram.server import FakeTelegram
from harness.forking import fork
from harness.processes import Home, running
from tests.cases import each_row

if TYPE_CHECKING:
    from bot.runtime.app import App


@each_row(
    ("environment", "language"),
    [
        ({}, ""),
        ({"LANG": "ru_RU.UTF-8"}, "ru_RU.UTF-8"),
        ({"LANG": "en_GB", "LC_MESSAGES": "ru_RU"}, "ru_RU"),
        ({"LANG": "ru_RU", "LC_ALL": "C", "LC_MESSAGES": "ru_RU"}, "C"),
        ({"LANG": "ru_RU", "LC_ALL": ""}, "ru_RU"),
    ],
)
def test_the_locale_is_found_as_posix_says(environment: dict[str, str], language: str) -> None:
    """One variable overrides the other; an empty one does not count."""
    assert read_locale(environment) == language


def test_a_memory_whose_settings_are_gone_is_not_called_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told that it has the defaults now: who may talk to it, and its rules, stood in the folder that is gone."""
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        places = prepare_folders(tmp_path / "data")
        say_new(places)
        record_start(places, Settings())
        shutil.rmtree(places.preferences)
    told = [line.split(":")[1].strip() for line in capsys.readouterr().err.splitlines()]

    assert told == ["new here", "no settings were found, these are the defaults"]


class _Part:
    """Refers to itself, as the parts of a running Mneme refer to each other."""

    def __init__(self) -> None:
        self.other = self


async def test_what_served_goes_once_it_has_ended() -> None:
    """Collections do not look at it while it serves; a worker that begins anew must not keep what it was."""
    part = _Part()
    gone = weakref.ref(part)

    async with serving(cast("App", SimpleNamespace(added=Additions()))):
        assert gc.get_freeze_count() > 0
    del part
    gc.collect()

    assert gone() is None


def _refuse_to_end(began: Connection) -> None:
    async def run() -> None:
        stop_on_signals(lambda: None, within_s=0.1)
        began.send(True)
        await asyncio.Event().wait()

    asyncio.run(run())


def test_a_signal_ends_what_would_not_end() -> None:
    """With 0, as asked: parts that hang had kept a stop waiting for 32 to 41 seconds.  Unguarded this does not end."""
    ours, theirs = Pipe()
    process = fork(_refuse_to_end, theirs)
    began = ours.poll(240)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGTERM)
    process.join(240)

    assert began
    assert process.exitcode == 0


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"telegram": {"token": f"42:{'x' * 35}"}}, "Telegram does not accept TELEGRAM_TOKEN"),
        ({"plugins": {"channels": ["nowhere"]}}, "plugins.channels names nowhere"),
    ],
)
async def test_what_no_channel_can_go_on_after_ends_in_one_line(
    tmp_path: Path, settings: dict[str, Any], said: str
) -> None:
    """A token that was revoked, a channel that is not installed: the setting by name, exit code 1, no traceback.

    Seen to fail while channels ran in a task group, which raises groups of errors.
    """
    home = Home(tmp_path)
    async with FakeTelegram() as telegram:
        given = {"rag": {"enabled": False}, **settings}
        given["telegram"] = {"apiUrl": telegram.url, **given.get("telegram", {})}
        home.configure(given)
        async with running(home, "run") as mneme:
            code = await mneme.wait()

    assert code == 1
    assert said in home.log.read_text("utf-8").splitlines()[-1]
    assert "Traceback" not in home.log.read_text("utf-8")
