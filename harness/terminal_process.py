"""Runs Mneme as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMIT_S = 120.0


@dataclass(frozen=True, slots=True)
class Answered:
    """What a chat printed: one string per answer, and how it ended."""

    answers: tuple[str, ...]
    code: int
    errors: str


def chat(
    data: Path,
    *lines: str,
    settle: bool = False,
    program: tuple[str, ...] = ("-m", "bot", "chat", "--plain"),
    environment: Mapping[str, str] | None = None,
) -> Answered:
    """Give the lines to a terminal chat and return its answers."""
    command = [sys.executable, *program, "--data", str(data), *(["--settle"] if settle else [])]
    done = subprocess.run(  # noqa: S603 - our own program
        command,
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=LIMIT_S,
        check=False,
        env=clean_environment(environment),
    )
    return Answered(split(done.stdout), done.returncode, done.stderr)


def split(output: str) -> tuple[str, ...]:
    """Return the answers in what a plain chat printed."""
    answers: list[str] = []
    for line in output.splitlines():
        if line.startswith("mneme> "):
            answers.append(line.removeprefix("mneme> "))
        elif answers:
            answers[-1] += "\n" + line.strip()
    return tuple(answers)


def clean_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return our environment without settings of Mneme that a developer may have."""
    mine = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MNEME_", "LLM_", "RAG_", "TELEGRAM_", "OPENAI_"))
    }
    return {**mine, "PYTHONUNBUFFERED": "1", **(more or {})}
