"""The data folder: one Mneme at a time, and trouble with it is said in a sentence."""

from __future__ import annotations

import json
import subprocess
import sys

from harness.forking import ROOT
from harness.processes import Home, clean_environment, running

ALONE = {"rag": {"enabled": False}}


def mneme(home: Home, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "bot", *arguments, *home.options()],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=clean_environment(),
        timeout=60,
        check=False,
    )


async def test_a_second_mneme_is_refused_and_check_asks_the_first(home: Home) -> None:
    """Two on one folder would answer everything twice: the second names the first and ends; `check` works beside it."""
    home.configure({})
    async with running(home, "chat", "--plain") as first:
        answer = await first.say("My sister Vera lives in Porto.")
        await first.memory_server()
        second = mneme(home, "chat", "--plain")
        report = json.loads(mneme(home, "check", "--json").stdout)
        left = await first.leave()

    assert "Porto" in answer
    assert second.returncode == 1
    assert f"another Mneme (process {first.pid})" in second.stderr
    assert "Traceback" not in second.stderr
    assert report["lightrag"]["state"] == "ok"
    assert left == 0
