"""Terminal chat for people: line editing, history, answers that grow above the line, buttons by keys.

The line can be typed into while an answer grows, so that /stop is heard and nothing typed is lost.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import string
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap
from typing import Final

from markdown_it.token import Token
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, WordCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from adapters.console.plain import ConsoleMessages, TerminalMessenger, clean_for_terminal, load_reader, strip_marks
from bot.errors import ButtonRefused
from bot.memory.secrets.redaction import redact
from bot.messages import Address, InboundMessage
from bot.ports.messenger import Mark
from language.registry import choose_texts

_LEAVE: Final = frozenset({"/exit", "/quit", "/q"})
_LINE: Final = "you> "
_REDRAWN_S: Final = 0.1
_ROOM: Final = 4
"""Rows that a growing answer leaves for the line and what stood before."""


@dataclass(slots=True)
class GrowingAnswer:
    """What there is of an answer, shown above the line until it is whole; ``changed`` has the line drawn anew.

    ``text`` is ``None`` where nothing is being answered, "" until the first words.
    """

    text: str | None = None
    changed: Callable[[], object] = lambda: None
    message_id: int | None = None

    async def update(self, text: str) -> bool:
        self.show(clean_for_terminal(text))
        return True

    def show(self, text: str | None) -> None:
        """Show this, or nothing any more."""
        self.text = text
        self.changed()

    def lead(self) -> str:
        """Return what stands before what is typed: the end of the answer, as far as the terminal has room."""
        if self.text is None:
            return _LINE
        columns, rows = shutil.get_terminal_size()
        lines = [piece for line in self._lines() for piece in wrap(line, max(columns, 1)) or [""]]
        return "\n".join((*lines[-max(rows - _ROOM, 1) :], "", _LINE))

    def _lines(self) -> list[str]:
        return strip_marks(self.text).splitlines() if self.text else ["thinking …"]


_OWN: Final = {"‹": "<", "›": ">"}


_FREE: Final = (*string.digits[1:], *string.ascii_lowercase)
"""Keys are given in this order; what has none left is reached by its command."""


@dataclass(frozen=True, slots=True)
class OfferedKey:
    """A key, what stands on its button, and the button's data."""

    key: str
    label: str
    data: str
    message_id: int


@dataclass(slots=True)
class Keys:
    """The keys of the newest answer."""

    offered: tuple[OfferedKey, ...] = field(default=())

    def offer(self, message_id: int, buttons: tuple[tuple[str, str], ...]) -> tuple[OfferedKey, ...]:
        """Take the place of the keys of earlier answers, and return the new ones."""
        self.offered = tuple(_assign(message_id, buttons))
        return self.offered

    def find(self, line: str) -> OfferedKey | None:
        """Return what a line presses: the key alone; with anything beside it, even a space, it is a message."""
        return next((each for each in self.offered if each.key == line), None)

    def withdraw(self, message_id: int | None = None) -> None:
        self.offered = tuple(each for each in self.offered if message_id not in (None, each.message_id))


@dataclass(slots=True)
class RichMessenger(TerminalMessenger):
    """Prints answers as rendered Markdown, and below them a key for each of their buttons.

    Files are saved in the folder ``received``, and their paths printed.
    """

    console: Console
    received: Path = Path()
    keys: Keys = field(default_factory=Keys)
    growing: GrowingAnswer = field(default_factory=GrowingAnswer)
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(time.time_ns() // 1000))
    """Never the same in two runs: keys are told apart by it."""

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        self._print(part)
        return self._print_buttons(buttons)

    async def show_file(self, to: Address, saved: Path, caption: str, buttons: tuple[tuple[str, str], ...]) -> int:
        self._print(caption)
        self.console.print(f"  {clean_for_terminal(str(saved))}", markup=False, soft_wrap=True)
        return self._print_buttons(buttons)

    def _print(self, part: str) -> None:
        self.growing.show(None)
        self.console.print("[bold green]mneme[/bold green]")
        if part.strip():
            print_answer(self.console, clean_for_terminal(part))
            self.console.print()

    def _print_buttons(self, buttons: tuple[tuple[str, str], ...]) -> int:
        message_id = next(self._ids)
        shown = tuple(f"{each.key}) {clean_for_terminal(each.label)}" for each in self.keys.offer(message_id, buttons))
        if shown:
            self.console.print(Padding(Text("   ".join(shown), "cyan"), (0, 0, 1, 2)))
        return message_id

    async def remove_buttons(self, to: Address, message_id: int) -> None:
        """Forget the keys below an answer; what is printed stays, and means nothing any more."""
        self.keys.withdraw(message_id)

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> GrowingAnswer:
        if self.growing.text is None:
            self.growing.show("")
        return self.growing


@dataclass(frozen=True, slots=True)
class InteractiveReceiver:
    """Asks for lines until the user leaves: by Ctrl-D, /exit, or Ctrl-C at an empty line.

    While an answer is made Ctrl-C stops it, as /stop does; it drops a begun line, and never both.
    A line that is one of ``keys`` presses that button, which ``say`` tells; Tab at an empty line lists them.
    """

    accept: Callable[[InboundMessage], Awaitable[None]]
    wait_until_answered: Callable[[], Awaitable[None]]
    messages: ConsoleMessages
    history: Path | None
    commands: tuple[str, ...]
    keys: Keys = field(default_factory=Keys)
    say: Callable[[str], None] = print
    growing: GrowingAnswer = field(default_factory=GrowingAnswer)

    async def run(self) -> None:
        """Return when the user leaves, the last answer being out."""
        session: PromptSession[str] = PromptSession(
            history=TypedLines(self.history) if self.history else InMemoryHistory(),
            completer=KeysOrCommands(self.keys, WordCompleter([*self.commands, "/exit"], sentence=True)),
            complete_while_typing=False,
            erase_when_done=True,  # with the answer that grows above it; the line itself is printed again
        )
        session.app.min_redraw_interval = _REDRAWN_S
        self.growing.changed = session.app.invalidate
        answering = asyncio.ensure_future(asyncio.sleep(0))
        with patch_stdout(raw=True):
            while True:
                try:
                    line = await session.prompt_async(self.growing.lead)
                except KeyboardInterrupt:
                    if session.default_buffer.text:
                        continue
                    if answering.done():
                        return
                    line = "/stop"
                except EOFError:
                    break
                sys.stdout.write(f"{_LINE}{line}\n")
                if len(line) == 1:  # perhaps a key, and keys are those of the newest answer
                    await answering
                message = self._read(line)
                if message.text in _LEAVE:
                    break
                if (message.text or message.file is not None) and await self._take(message):
                    answering = asyncio.ensure_future(self.wait_until_answered())
            await answering

    def _read(self, line: str) -> InboundMessage:
        """Return what a line says, or the press that it stands for."""
        pressed = self.keys.find(line)
        if pressed is None:
            return self.messages.build(line)
        words = choose_texts(self.messages.language).memory_views
        self.say(words.pressed.format(label=clean_for_terminal(pressed.label)))
        return self.messages.press(pressed.data, pressed.message_id)

    async def _take(self, message: InboundMessage) -> bool:
        self.keys.withdraw()
        try:
            await self.accept(message)
        except ButtonRefused as refusal:
            self.say(getattr(choose_texts(self.messages.language).service, refusal.why))
            return False
        return True


@dataclass(frozen=True, slots=True)
class KeysOrCommands(Completer):
    """Completes commands, and lists the keys where nothing is typed yet."""

    keys: Keys
    commands: Completer

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Return the keys with their labels, to be walked through by the arrows, or the commands that begin so."""
        if document.text or not self.keys.offered:
            return self.commands.get_completions(document, complete_event)
        return (Completion(each.key, display=f"{each.key}  {each.label}") for each in self.keys.offered)


class TypedLines(FileHistory):
    """The history of typed lines for the arrow keys, in a file of the owner's (mode 0600), gone with the first erase.

    A history is memory too: what was forgotten must not be found in it.  A line with a secret is remembered until the
    chat ends and never written.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path = path

    def store_string(self, string: str) -> None:
        if not redact(string).kinds:
            self._path.touch(mode=0o600)
            self._path.chmod(0o600)
            super().store_string(string)


def _assign(message_id: int, buttons: tuple[tuple[str, str], ...]) -> Iterator[OfferedKey]:
    own = {label: label for label, _ in buttons if label in _FREE} | {
        label: _OWN[label] for label, _ in buttons if label in _OWN
    }
    taken = frozenset(own.values())
    free = (key for key in _FREE if key not in taken)
    for label, data in buttons:
        key = own.pop(label, None) or next(free, None)
        if key is not None:
            yield OfferedKey(key, label, data, message_id)


_MARGIN: Final = 2


def print_answer(console: Console, text: str) -> None:
    """Print an answer as Markdown, indented.

    A block with a word longer than a line is left for the terminal to wrap: a link that is cut by us cannot be followed
    or copied.  Numbers that do not count on are kept as they are written.
    """
    room = console.width - _MARGIN
    for place, (block, numbered) in enumerate(_split_blocks(text)):
        if place:
            console.print()
        code = block.lstrip().startswith(("```", "~~~"))
        wide = not code and any(len(word) > room for word in block.split())
        if wide or not numbered:
            lines = "\n".join(" " * _MARGIN + line for line in strip_marks(block).splitlines())
            console.print(Text(lines), soft_wrap=wide)
        else:
            console.print(Padding(_keep_lines(Markdown(block, hyperlinks=False)), (0, 0, 0, _MARGIN)))


def _split_blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the top-level blocks as they are written, and whether each counts on as Markdown would."""
    lines = text.split("\n")
    tokens = load_reader().parse(text)
    begun = 0
    for token in (token for token in tokens if token.level == 0 and token.map is not None):
        end = token.map[1] if token.map is not None else begun
        if block := "\n".join(lines[begun:end]).strip("\n"):
            numbers = [int(each.info) for each in tokens if each.info.isdecimal() and _lies_in(each, begun, end)]
            yield block, numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True
        begun = end


def _lies_in(token: Token, begun: int, end: int) -> bool:
    return token.type == "list_item_open" and token.level == 1 and token.map is not None and begun <= token.map[0] < end


def _keep_lines(markdown: Markdown) -> Markdown:
    """Let a line end where it does: several facts are not one paragraph."""
    for token in markdown.parsed:
        for child in token.children or ():
            if child.type == "softbreak":
                child.type = "hardbreak"
    return markdown
