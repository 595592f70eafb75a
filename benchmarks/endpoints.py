"""``python -m benchmarks.endpoints``: the wire against servers that were written elsewhere, and a session on llama.cpp.

The servers are installed the first time, into a cache of the command's own.  A server that cannot be had is told and
left out.  The session of fifty messages is the bot's own terminal chat, of this folder or of ``--repository``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from harness.endpoints.recording import RecordingProxy
from harness.endpoints.servers import (
    LITELLM_KEY,
    MODEL,
    WINDOW,
    Missing,
    find_cache,
    run_litellm,
    run_llama,
    run_mock,
)
from harness.endpoints.session import measure_session, summarise
from harness.endpoints.talk import MESSAGES
from harness.endpoints.wire import Check, check_litellm, check_llama, check_mock

_WORD = re.compile(r"[^\W\d_]+")
_WORDS = 4000


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, measure and print; 1 when a check failed."""
    options = _parser().parse_args(arguments)
    report = asyncio.run(_run(options))
    if options.json:
        print(json.dumps(report))
    else:
        _show(report)
    return int(any(not check["ok"] for checks in report["wire"].values() for check in checks))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endpoints", description=__doc__)
    parser.add_argument("--json", action="store_true", help="every check and every message's figures")
    parser.add_argument("--repository", type=Path, default=Path.cwd(), help="the Mneme that holds the session")
    parser.add_argument("--messages", type=int, default=len(MESSAGES), help="messages of the session; 0 none")
    parser.add_argument("--window", type=int, default=WINDOW, help="tokens that llama.cpp's server is started with")
    parser.add_argument("--no-wire", action="store_true", help="the session alone")
    return parser


async def _run(options: argparse.Namespace) -> dict[str, Any]:  # Any: JSON
    cache = find_cache()
    cache.mkdir(parents=True, exist_ok=True)
    report: dict[str, Any] = {"wire": {}, "missing": {}, "session": None}  # Any: as above
    if not options.no_wire:
        for name, server, check in (("litellm", run_litellm, check_litellm), ("mock", run_mock, check_mock)):
            try:
                async with server(cache) as address:
                    report["wire"][name] = _tell(await check(address, LITELLM_KEY))
            except Missing as error:
                report["missing"][name] = str(error)
    try:
        async with run_llama(cache, _list_words(), window=options.window) as address:
            if not options.no_wire:
                report["wire"]["llama.cpp"] = _tell(await check_llama(address, MODEL, options.window))
            if options.messages:
                report["session"] = await _hold_session(address, options)
    except Missing as error:
        report["missing"]["llama.cpp"] = str(error)
    return report


async def _hold_session(address: str, options: argparse.Namespace) -> dict[str, Any]:  # Any: as above
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        async with RecordingProxy(address) as proxy:
            figures = await measure_session(
                options.repository.resolve(),
                proxy,
                MODEL,
                MESSAGES[: options.messages],
                Path(folder),
                progress=lambda done: print(f"message {done}", file=sys.stderr),
            )
    return {"summary": summarise(figures), "messages": [asdict(each) for each in figures]}


def _list_words() -> str:
    """Return the words that the model knows as tokens of their own: those of the talk and of the pages of this project.

    Others cost a token for every few letters.
    """
    texts = [*MESSAGES, *(page.read_text(encoding="utf-8") for page in sorted(Path("docs").glob("*.md")))]
    counts: dict[str, int] = {}
    for word in _WORD.findall("\n".join(texts)):
        counts[word] = counts.get(word, 0) + 1
    return "\n".join(sorted(counts, key=lambda word: (-counts[word], word))[:_WORDS])


def _tell(checks: Sequence[Check]) -> list[dict[str, Any]]:  # Any: as above
    return [asdict(check) for check in checks]


def _show(report: dict[str, Any]) -> None:  # Any: as above
    console = Console()
    table = Table("server", "check", "", "what was seen")
    for name, checks in report["wire"].items():
        for check in checks:
            table.add_row(name, check["name"], "ok" if check["ok"] else "FAILED", check["seen"])
    for name, reason in report["missing"].items():
        table.add_row(name, "", "left out", reason)
    console.print(table)
    if report["session"]:
        table = Table("session", "")
        for name, value in report["session"]["summary"].items():
            table.add_row(name.replace("_", " "), f"{value:,}")
        console.print(table)


if __name__ == "__main__":
    sys.exit(main())
