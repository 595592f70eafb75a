"""Input that no one would type, and files that nobody should have touched."""

from __future__ import annotations

import random
import subprocess
import sys

from harness.forking import ROOT
from harness.processes import Home, clean_environment, split

LIMIT_S = 120


def chatted(home: Home, lines: bytes) -> subprocess.CompletedProcess[bytes]:
    """Give bytes to a terminal chat."""
    home.configure({"rag": {"enabled": False}})
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "bot", "chat", "--plain", *home.options()],
        input=lines,
        capture_output=True,
        cwd=ROOT,
        env=clean_environment(),
        timeout=LIMIT_S,
        check=False,
    )


def test_garbage_and_giants_are_answered_and_harm_nobody(home: Home) -> None:
    """Random bytes, NUL, a word of a megabyte, 4,096 emoji and marks of direction: an answer each, then recall works.

    Mutation checked: without bounds on what is stemmed the megabyte holds everybody up for minutes.
    """
    noise = random.Random(5).randbytes(3000).replace(b"\n", b"x").replace(b"\r", b"x")
    strange = (noise, b"\0\0abc", b"a" * 1_000_000, "\N{GRINNING FACE}".encode() * 4096, "\u202eabc\u200b".encode())
    done = chatted(home, b"\n".join((*strange, b"My cat is called Bruno.", b"What is my cat called?", b"")))

    answers = split(done.stdout.decode())
    assert len(answers) == len(strange) + 2
    assert "Bruno" in answers[-1]
    assert done.returncode == 0
    assert '"level": "error"' not in home.logged()


def test_a_database_of_noise_is_set_aside_and_said(home: Home) -> None:
    """What cannot be read is kept under another name, the operator is told, and the chat works."""
    home.data.mkdir()
    (home.data / "mneme.db").write_bytes(random.Random(6).randbytes(50_000))
    done = chatted(home, b"My cat is called Bruno.\nWhat is my cat called?\n")

    assert b"mneme.db was damaged" in done.stderr
    assert list(home.data.glob("mneme.db.damaged-*"))
    assert "Bruno" in split(done.stdout.decode())[-1]
    assert done.returncode == 0
