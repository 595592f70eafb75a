"""The terminal for people, driven through a pipe."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from adapters.console.interactive import InteractiveReceiver, RichMessenger
from adapters.console.plain import ADDRESS, ConsoleMessages, delete_typed_lines
from bot.turn import InboundMessage
from harness.samples import NOON


@dataclass
class Heard:
    """What was typed."""

    texts: list[str] = field(default_factory=list)

    async def accept(self, message: InboundMessage) -> None:
        self.texts.append(message.text)

    async def answered(self) -> None:
        """Return at once."""


async def typed(keys: str, history: Path | None = None) -> list[str]:
    """Return the texts that are accepted of these keys."""
    heard = Heard()
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys)
        await InteractiveReceiver(
            heard.accept, heard.answered, ConsoleMessages(lambda: NOON), history, ("/help",)
        ).run()
    return heard.texts


async def test_lines_are_said_until_the_user_leaves() -> None:
    """Ctrl-D and /exit leave; an empty line says nothing."""
    by_key = await typed("hello\r\r\x04")
    by_word = await typed("hello\r/exit\r")

    assert by_key == by_word == ["hello"]


async def test_ctrl_c_drops_a_begun_line_and_leaves_at_an_empty_one() -> None:
    """Who mistypes does not lose the chat."""
    said = await typed("hel\x03hello\r\x03never\r")

    assert said == ["hello"]


async def test_what_was_typed_is_kept_for_the_next_time(tmp_path: Path) -> None:
    """The arrow keys find it again."""
    history = tmp_path / "chat-history"
    await typed("hello\r\x04", history)
    again = await typed("\x1b[A\r\x04", history)

    assert again == ["hello"]


async def test_the_history_holds_no_secret_and_nothing_that_was_forgotten(tmp_path: Path) -> None:
    """With the plain history file of the library the password was on disk, and stayed there after every erase."""
    history = tmp_path / "chat-history"
    await typed("My password is hunter2secret\rVera lives in Porto\r\x04", history)
    kept = history.read_text()
    mode = history.stat().st_mode & 0o777
    delete_typed_lines(history)
    delete_typed_lines(history)

    assert "Porto" in kept
    assert "hunter2" not in kept
    assert mode == 0o600
    assert not history.exists()


async def test_answers_are_rendered_in_place_of_the_draft() -> None:
    """Markdown becomes text; links are not made clickable; the spinner is gone."""
    console = Console(file=io.StringIO(), force_terminal=False, width=60)
    messenger = RichMessenger(console)
    draft = await messenger.draft(ADDRESS)
    await draft.update("**gro")
    await messenger.send(ADDRESS, "**growing** [x](http://evil.test)", buttons=(("Yes", "/remember x"),))
    shown = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO

    assert "growing" in shown
    assert "**" not in shown
    assert "[Yes] /remember x" in shown
    assert messenger.parts("") == ("…",)
