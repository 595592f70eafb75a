"""The terminal for people, driven through a pipe."""

from __future__ import annotations

import asyncio
import io
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent, WordCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from adapters.console.interactive import (
    GrowingAnswer,
    InteractiveReceiver,
    Keys,
    KeysOrCommands,
    RichMessenger,
)
from adapters.console.plain import ADDRESS, ConsoleMessages, PlainMessenger, delete_typed_lines, strip_marks
from bot.errors import ButtonRefused
from bot.messages import InboundMessage, MessageKind
from harness.samples import NOON
from tests.cases import each_row


@dataclass
class Heard:
    """What was typed."""

    texts: list[str] = field(default_factory=list)
    pressed: list[str] = field(default_factory=list)
    refused: str = ""
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    async def accept(self, message: InboundMessage) -> None:
        if message.kind is MessageKind.BUTTON and self.refused:
            raise ButtonRefused(self.refused, spent=True)
        if message.text == "/stop":
            self.stopped.set()
        (self.pressed if message.kind is MessageKind.BUTTON else self.texts).append(message.text)

    async def answered(self) -> None:
        """Return at once; if what was said is a question, only when it is stopped."""
        if "what?" in self.texts:
            await self.stopped.wait()


async def typed(keys: str, history: Path | None = None) -> list[str]:
    """Return the texts that are accepted of these keys."""
    heard = Heard()
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys)
        await InteractiveReceiver(
            heard.accept, heard.answered, ConsoleMessages(lambda: NOON), history, ("/help",)
        ).run()
    return heard.texts


async def with_keys(lines: str, *buttons: tuple[str, str], refused: str = "") -> tuple[Heard, list[str]]:
    """Return what is heard and said when these keys stand below the newest answer."""
    heard, keys, told = Heard(refused=refused), Keys(), list[str]()
    keys.offer(7, buttons)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(lines)
        messages = ConsoleMessages(lambda: NOON)
        await InteractiveReceiver(heard.accept, heard.answered, messages, None, (), keys, told.append).run()
    return heard, told


def test_each_button_has_a_key() -> None:
    """A label that is a key has that one, pages have arrows, others the next one free; what is too much has none."""
    keys = Keys()
    offered = keys.offer(7, (("Edit", "a"), ("2", "b"), ("12", "c"), ("›", "d"), ("‹", "e"), ("2", "f")))
    many = keys.offer(8, tuple((f"label {number}", "x") for number in range(50)))

    assert [(each.key, each.data) for each in offered] == [
        *(("1", "a"), ("2", "b"), ("3", "c")),
        *((">", "d"), ("<", "e"), ("4", "f")),
    ]
    assert len(many) == 35
    assert {each.message_id for each in keys.offered} == {8}


async def test_a_line_that_is_only_a_key_presses_it_and_says_so() -> None:
    """Once: the next line is a message again."""
    heard, told = await with_keys("2\r2\r\x04", ("Edit", "token-1"), ("Forget", "token-2"))

    assert heard.pressed == ["token-2"]
    assert heard.texts == ["2"]
    assert told == ["“Forget” chosen."]


@each_row("line", ["2 apples", " 2", "2 ", "22", "/2", "b"])
async def test_keys_take_nothing_else(line: str) -> None:
    """Whatever is more than the key, even by a space, is a message."""
    heard, told = await with_keys(f"{line}\r\x04", ("Edit", "token-1"), ("Forget", "token-2"))

    assert heard.pressed == []
    assert heard.texts == [line.strip()]
    assert told == []


def test_keys_can_be_chosen_from_a_list() -> None:
    """Tab at an empty line lists them with their labels; where something is typed it completes commands."""
    keys = Keys()
    keys.offer(7, (("Edit", "token-1"), ("Forget", "token-2")))
    completer = KeysOrCommands(keys, WordCompleter(["/help"], sentence=True))

    def listed(typed: str) -> list[tuple[str, str]]:
        found = completer.get_completions(Document(typed), CompleteEvent(completion_requested=True))
        return [(each.text, each.display_text) for each in found]

    assert listed("") == [("1", "1  Edit"), ("2", "2  Forget")]
    assert listed("/h") == [("/help", "/help")]


async def test_a_press_that_is_refused_says_why() -> None:
    """In the same words as on Telegram."""
    heard, told = await with_keys("1\r\x04", ("Forget", "token-1"), refused="button_changed")

    assert heard.pressed == []
    assert told[-1] == "Memory has changed since I asked. Ask me again."


async def test_keys_of_a_message_are_taken_away_with_its_buttons() -> None:
    """Those of a newer one stay."""
    messenger = RichMessenger(Console(file=io.StringIO(), force_terminal=False, width=60))
    first = await messenger.send(ADDRESS, "one", buttons=(("Yes", "a"),))
    second = await messenger.send(ADDRESS, "two", buttons=(("No", "b"),))
    await messenger.remove_buttons(ADDRESS, first)
    still = messenger.keys.offered
    await messenger.remove_buttons(ADDRESS, second)

    assert [each.label for each in still] == ["No"]
    assert messenger.keys.offered == ()


async def test_lines_are_said_until_the_user_leaves() -> None:
    """Ctrl-D and /exit leave; an empty line says nothing."""
    by_key = await typed("hello\r\r\x04")
    by_word = await typed("hello\r/exit\r")

    assert by_key == by_word == ["hello"]


async def test_ctrl_c_drops_a_begun_line_and_leaves_at_an_empty_one() -> None:
    """Who mistypes does not lose the chat."""
    said = await typed("hel\x03hello\r\x03never\r")

    assert said == ["hello"]


@each_row("keys", ["what?\r/stop\r\x04", "what?\r\x03\x04"])
async def test_an_answer_under_way_can_be_stopped(keys: str) -> None:
    """By its command and by Ctrl-C, which leaves only when nothing is being answered.

    With the line read only after an answer this test did not end.
    """
    assert await asyncio.wait_for(typed(keys), 20) == ["what?", "/stop"]


def test_a_growing_answer_stands_above_the_line_and_leaves_it_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its end is shown, as many rows as there are; what is typed is not part of it."""
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("LINES", "8")
    growing = GrowingAnswer()
    idle = growing.lead()
    growing.show("")
    waiting = growing.lead()
    growing.show("\n".join(f"line {number} " + "x" * 20 for number in range(9)))
    grown = growing.lead().split("\n")

    assert idle == "you> "
    assert waiting == "thinking …\n\nyou> "
    assert grown[-2:] == ["", "you> "]
    assert len(grown) == 6
    assert max(map(len, grown)) <= 20
    assert "line 8" in grown


async def test_facts_keep_their_lines_and_links_are_whole() -> None:
    """What the terminal wraps can be copied; numbers are those that were written, here and in scripts."""
    link = "https://example.com/" + "a" * 80
    text = f"One fact.\nAnother.\n\nSee {link} for **more**.\n\n2024. then\n2023. before"
    rich, plain = io.StringIO(), io.StringIO()
    await RichMessenger(Console(file=rich, force_terminal=False, width=40)).send(ADDRESS, text)
    await PlainMessenger(plain).send(ADDRESS, text)

    for shown in (rich.getvalue(), plain.getvalue()):
        lines = [line.strip().removeprefix("mneme> ") for line in shown.splitlines()]
        assert [line for line in lines if "fact" in line or "Another" in line] == ["One fact.", "Another."]
        assert f"See {link} for more." in lines
        assert [line for line in lines if line.startswith("20")] == ["2024. then", "2023. before"]


@each_row(
    ("text", "shown"),
    [
        ("**bold** _it_ `code` ~~gone~~", "bold it code gone"),
        ("2 * 3 * 4 = 24, snake_case_name", "2 * 3 * 4 = 24, snake_case_name"),
        (r"\*as it is\*", "*as it is*"),
        ("- **a**\n- b", "- a\n- b"),
        ("> **a**", "> a"),
        ("## Head", "Head"),
        ("```\n**raw**\n```", "```\n**raw**\n```"),
        ("[x](http://a.b) and http://c.d", "x (http://a.b) and http://c.d"),
        ("", ""),
    ],
)
def test_scripts_get_text_without_marks(text: str, shown: str) -> None:
    """What is only there to be laid out is left out; what was meant stays."""
    assert strip_marks(text) == shown


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
    assert "1) Yes" in shown
    assert "/remember x" not in shown
    assert messenger.parts("") == ("…",)
