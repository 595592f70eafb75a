"""Input that no one would type, and files that nobody should have touched."""

from __future__ import annotations

import random
from tempfile import TemporaryFile

from harness.forking import fork_program
from harness.processes import Home, clean_environment, split

LIMIT_S = 120


def chatted(home: Home, lines: bytes) -> tuple[int | None, str, str]:
    """Give bytes to a terminal chat; return its exit code, what it printed and its errors."""
    home.configure({"rag": {"enabled": False}})
    with TemporaryFile() as said, TemporaryFile() as output, TemporaryFile() as errors:
        said.write(lines)
        said.seek(0)
        streams = (said.fileno(), output.fileno(), errors.fileno())
        process = fork_program("bot", ("chat", "--plain", *home.options()), clean_environment(), streams)
        process.join(LIMIT_S)
        output.seek(0)
        errors.seek(0)
        return process.exitcode, output.read().decode(), errors.read().decode()


def test_garbage_and_giants_are_answered_and_harm_nobody(home: Home) -> None:
    """Random bytes, NUL, a word of a megabyte, 4,096 emoji and marks of direction: an answer each, then recall works.

    Mutation checked: without bounds on what is stemmed the megabyte holds everybody up for minutes.
    """
    noise = random.Random(5).randbytes(3000).replace(b"\n", b"x").replace(b"\r", b"x")
    strange = (noise, b"\0\0abc", b"a" * 1_000_000, "\N{GRINNING FACE}".encode() * 4096, "\u202eabc\u200b".encode())
    code, printed, _ = chatted(home, b"\n".join((*strange, b"My cat is called Bruno.", b"What is my cat called?", b"")))

    answers = split(printed)
    assert len(answers) == len(strange) + 2
    assert "Bruno" in answers[-1]
    assert code == 0
    assert '"level": "error"' not in home.logged()


def test_a_database_of_noise_is_set_aside_and_said(home: Home) -> None:
    """What cannot be read is kept under another name, the operator is told, and the chat works."""
    home.data.mkdir()
    (home.data / "mneme.db").write_bytes(random.Random(6).randbytes(50_000))
    code, printed, errors = chatted(home, b"My cat is called Bruno.\nWhat is my cat called?\n")

    assert "mneme.db was damaged" in errors
    assert list(home.data.glob("mneme.db.damaged-*"))
    assert "Bruno" in split(printed)[-1]
    assert code == 0
