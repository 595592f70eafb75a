"""What a start loads: each library is a tenth of a second, or ten megabytes, for those who use it alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from bot.config.folders import PROJECT

TYPED = "My sister Vera lives in Porto.\nWhere does my sister live?\n"
FOR_OTHERS = {
    "aiogram aiohttp telegramify_markdown pyromark": "Telegram",
    "yaml": "skills whose heads say more than plain lines",
    "ijson": "conversations that are imported",
    "lxml trafilatura mammoth openpyxl pypdfium2 pptx charset_normalizer": "documents, read in a process of their own",
    "dateparser pytz": "reminders",
    "mcp mcp_types httpx2 cryptography": "tools of other programs",
    "fastapi starlette uvicorn lightrag networkx": "the memory server, a process of its own",
    "jinja2": "the page of memory",
    "prometheus_client opentelemetry": "figures and spans that somebody collects",
    "psycopg psycopg_binary": "PostgreSQL",
    "prompt_toolkit pygments rich.markdown rich.syntax rich.traceback": "a terminal that is typed into",
    "onnx sentencepiece": "making the models",
    "babel hypothesis pytest": "tests",
}


def test_a_start_without_model_and_telegram_loads_nothing_of_others(tmp_path: Path) -> None:
    """From the start to an answer from memory; a file that is merged with another may bring what was loaded at need."""
    settings = {name: each for name, each in os.environ.items() if not name.startswith(("MNEME_", "LLM_", "TELEGRAM_"))}
    settings["PYTHONPATH"] = os.pathsep.join(filter(None, (str(PROJECT), settings.get("PYTHONPATH"))))
    run = [sys.executable, "-X", "importtime", "-m", "bot", "run", "--data", str(tmp_path / "data")]
    done = subprocess.run(run, input=TYPED, capture_output=True, text=True, env=settings, cwd=tmp_path, check=True)  # noqa: S603 - ours
    loaded = set(re.findall(r"^import time: .*\| +(\S+)$", done.stderr, re.MULTILINE))

    assert "Your sister Vera lives in Porto" in done.stdout
    assert {"bot.cli.commands", "onnxruntime"} < loaded
    assert {name: whose for names, whose in FOR_OTHERS.items() for name in names.split() if name in loaded} == {}
