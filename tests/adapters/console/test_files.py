"""A terminal's user hands a file over by its path."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.console.plain import ConsoleMessages, HandedFile, LocalFiles, read_handed_file
from bot.errors import FileUnavailable
from bot.files import InboundFile
from tests.cases import each_row


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A file with a blank in its name."""
    path = tmp_path / "my report.md"
    path.write_text("# Results\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "line", ["/docs add {path}", "{path}", "'{path}'", '"{path}"', "{escaped}", "{url}", "  /docs add '{path}' "]
)
def test_a_path_hands_its_file_over(report: Path, line: str) -> None:
    """By the command, or alone as a terminal writes what is dropped on it."""
    written = line.format(path=report, escaped=str(report).replace(" ", "\\ "), url=report.as_uri())

    assert read_handed_file(written) == HandedFile(described(report))


def described(report: Path) -> InboundFile:
    """Return the file as it is handed over."""
    return InboundFile(str(report), "document", "my report.md", "text/markdown", 10)


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ("/import {path}", "/import"),
        ("/import '{path}'", "/import"),
        ("/import {escaped} into this chat", "/import into this chat"),
        ("'{path}' What does it say?", "What does it say?"),
        ("{escaped} /ask What does it say?", "/ask What does it say?"),
        ("{url} please", "please"),
        ("/docs add '{path}'   the one of May", "the one of May"),
    ],
)
def test_what_stands_beside_a_path_is_the_files_caption(report: Path, line: str, caption: str) -> None:
    """The receiver keeps it, as any chat does; the command that names a file to import is a caption, too."""
    written = line.format(path=report, escaped=str(report).replace(" ", "\\ "), url=report.as_uri())
    message = ConsoleMessages(lambda: datetime.now(UTC)).build(written)

    assert (message.text, message.file) == (caption, described(report))


@pytest.mark.parametrize("line", ["/help", "/usr", "look at {path}", "{path} please", "/docs", "/no/such/file", "~"])
def test_other_lines_are_what_they_say(report: Path, line: str) -> None:
    """A sentence that names a path, a command, and a path with nothing at its end hand nothing over."""
    assert read_handed_file(line.format(path=report)) is None


async def test_a_command_with_a_wrong_path_is_told(tmp_path: Path) -> None:
    """It is a file all the same, which cannot be fetched: the chat hears of it."""
    for command in ("/docs add", "/import"):
        handed = read_handed_file(f"{command} {tmp_path}/missing.pdf")

        assert handed is not None
        with pytest.raises(FileUnavailable, match="no such file"):
            await LocalFiles().fetch(handed.file, tmp_path / "copy", limit=100)


@each_row("line", ["/import as abc123 user1", "/import cancel abc123", "/import"])
def test_the_imports_own_words_are_no_path(line: str) -> None:
    """What the buttons of an import stand for is typed in a terminal."""
    assert read_handed_file(line) is None


async def test_a_local_file_is_copied_within_its_limit(tmp_path: Path, report: Path) -> None:
    """More bytes than may be are none."""
    file = InboundFile(str(report), "document")
    size = await LocalFiles().fetch(file, tmp_path / "copy", limit=10)
    with pytest.raises(FileUnavailable) as caught:
        await LocalFiles().fetch(file, tmp_path / "again", limit=9)

    assert size == 10
    assert caught.value.why == "too_large"


def test_the_path_is_no_word_of_the_message(report: Path) -> None:
    """A line that hands a file over says nothing else: the path is not kept as something that was said."""
    message = ConsoleMessages(lambda: datetime.now(UTC)).build(str(report))

    assert (message.text, message.attachment, message.file_name) == ("", "document", "my report.md")
    assert message.file is not None
