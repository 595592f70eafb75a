"""Files in the terminal chat: saved beside what is there, and where they are is said."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from adapters.console.interactive import RichMessenger
from adapters.console.plain import ADDRESS, PlainMessenger
from bot.errors import NotDelivered
from bot.files import OutboundFile, clean_file_name, write_outbound
from tests.cases import each_row


async def mark() -> None:
    """Nothing is written down here."""


@pytest.mark.parametrize("kind", ["plain", "rich"])
async def test_a_file_is_saved_and_its_path_printed(tmp_path: Path, kind: str) -> None:
    """The second file of a name stands beside the first; nobody else can read either."""
    out, saved = io.StringIO(), tmp_path / "exports"
    messenger = PlainMessenger(out, saved) if kind == "plain" else RichMessenger(Console(file=out, width=300), saved)
    for text in (b"one", b"two"):
        file = write_outbound(tmp_path / "outgoing", "notes.md", text)
        await messenger.send_file(ADDRESS, file, "Here it is.", mark)

    assert (saved / "notes.md").read_bytes() == b"one"
    assert (saved / "notes-2.md").read_bytes() == b"two"
    assert (saved / "notes.md").stat().st_mode & 0o777 == 0o600
    assert out.getvalue().count("Here it is.") == 2
    assert str(saved / "notes-2.md") in out.getvalue()


async def test_a_file_that_cannot_be_saved_is_not_delivered(tmp_path: Path) -> None:
    """No folder, no file: trying again would change nothing."""
    (tmp_path / "exports").write_text("a file")
    messenger = PlainMessenger(io.StringIO(), tmp_path / "exports")
    with pytest.raises(NotDelivered) as told:
        await messenger.send_file(ADDRESS, write_outbound(tmp_path / "o", "a.md", b"x"), "", mark)

    assert told.value.retry_after_s is None


@each_row(
    ("name", "clean"),
    [
        ("../../etc/passwd", "_.._etc_passwd"),
        ("a/b\\c\0d\n.md", "a_b_c_d_.md"),
        ("..", "file"),
        ("x" * 300 + ".md", "x" * 117 + ".md"),
        ("Вера 2026.md", "Вера 2026.md"),
    ],
)
def test_names_are_no_paths(name: str, clean: str) -> None:
    """Whatever a file is to be called, it lies in its folder."""
    assert clean_file_name(name) == clean
    assert OutboundFile(Path("x"), clean_file_name(name)).name == clean
