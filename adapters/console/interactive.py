"""Terminal chat for people: line editing, history, answers that grow while they are written, buttons by keys."""

from __future__ import annotations

import asyncio
import itertools
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, WordCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.spinner import Spinner
from rich.text import Text

from adapters.console.keys import Keys
from adapters.console.plain import ConsoleMessages, clean_for_terminal
from adapters.console.saving import save_file
from bot.errors import ButtonRefused
from bot.files import OutboundFile
from bot.memory.secrets.redaction import redact
from bot.messages import Address, InboundMessage
from bot.ports.messenger import Mark
from language.registry import choose_texts

_LEAVE = frozenset({"/exit", "/quit", "/q"})


class RichDraft:
    """An answer that grows in place, after a spinner while there is no text yet."""

    message_id: int | None = None

    def __init__(self, console: Console) -> None:
        self._live = Live(
            Spinner("dots", text="thinking …"), console=console, transient=True, refresh_per_second=8, auto_refresh=True
        )
        self._live.start()

    async def update(self, text: str) -> bool:
        """Show the text so far."""
        self._live.update(Markdown(clean_for_terminal(text), hyperlinks=False))
        return True

    def end(self) -> None:
        """Take the draft away: the final answer follows."""
        self._live.stop()


@dataclass(slots=True)
class RichMessenger:
    """Prints answers as rendered Markdown, and below them a key for each of their buttons.

    Files are saved in the folder ``received``, and their paths printed.
    """

    console: Console
    received: Path = Path()
    keys: Keys = field(default_factory=Keys)
    _draft: RichDraft | None = None
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(time.time_ns() // 1000))
    """Never the same in two runs: keys are told apart by it."""

    def parts(self, text: str) -> tuple[str, ...]:
        """Return the whole text: a terminal has no limit."""
        return (text.strip() or "…",)

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        """Print it in place of the draft."""
        self._print(part)
        return self._print_buttons(buttons)

    @property
    def largest_file(self) -> int:
        """No disk holds more."""
        return sys.maxsize

    def is_caption(self, part: str) -> bool:
        """Return ``True``: the path stands below any text."""
        return True

    async def send_file(
        self, to: Address, file: OutboundFile, caption: str, mark: Mark, *, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        """Save it and print where it is."""
        await mark()
        saved = await asyncio.to_thread(save_file, file, self.received)
        self._print(caption)
        self.console.print(f"  {clean_for_terminal(str(saved))}", markup=False, soft_wrap=True)
        return self._print_buttons(buttons)

    def _print(self, part: str) -> None:
        if self._draft is not None:
            self._draft.end()
            self._draft = None
        self.console.print("[bold green]mneme[/bold green]")
        if part.strip():
            self.console.print(Padding(Markdown(clean_for_terminal(part), hyperlinks=False), (0, 0, 1, 2)))

    def _print_buttons(self, buttons: tuple[tuple[str, str], ...]) -> int:
        """Print the keys of the buttons, and return the id of the message that they stand under."""
        message_id = next(self._ids)
        shown = tuple(f"{each.key}) {clean_for_terminal(each.label)}" for each in self.keys.offer(message_id, buttons))
        if shown:
            self.console.print(Padding(Text("   ".join(shown), "cyan"), (0, 0, 1, 2)))
        return message_id

    async def remove_buttons(self, to: Address, message_id: int) -> None:
        """Forget the keys below an answer; what is printed stays, and means nothing any more."""
        self.keys.withdraw(message_id)

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> RichDraft:
        """Show the spinner."""
        if self._draft is None:
            self._draft = RichDraft(self.console)
        return self._draft


@dataclass(frozen=True, slots=True)
class InteractiveReceiver:
    """Asks for lines until the user leaves (Ctrl-D, Ctrl-C at an empty line, /exit); Ctrl-C drops a begun line.

    A line that is one of ``keys`` presses that button, which ``say`` tells; Tab at an empty line lists them.
    """

    accept: Callable[[InboundMessage], Awaitable[None]]
    wait_until_answered: Callable[[], Awaitable[None]]
    messages: ConsoleMessages
    history: Path | None
    commands: tuple[str, ...]
    keys: Keys = field(default_factory=Keys)
    say: Callable[[str], None] = print

    async def run(self) -> None:
        """Return when the user leaves."""
        session: PromptSession[str] = PromptSession(
            history=TypedLines(self.history) if self.history else InMemoryHistory(),
            completer=KeysOrCommands(self.keys, WordCompleter([*self.commands, "/exit"], sentence=True)),
            complete_while_typing=False,
        )
        while True:
            try:
                with patch_stdout(raw=True):
                    line = await session.prompt_async("you> ")
            except KeyboardInterrupt:
                if session.default_buffer.text:
                    continue
                return
            except EOFError:
                return
            message = self._read(line)
            if message.text in _LEAVE:
                return
            if message.text or message.file is not None:
                await self._take(message)

    def _read(self, line: str) -> InboundMessage:
        """Return what a line says, or the press that it stands for."""
        pressed = self.keys.find(line)
        if pressed is None:
            return self.messages.build(line)
        words = choose_texts(self.messages.language).memory_views
        self.say(words.pressed.format(label=clean_for_terminal(pressed.label)))
        return self.messages.press(pressed.data, pressed.message_id)

    async def _take(self, message: InboundMessage) -> None:
        self.keys.withdraw()
        try:
            await self.accept(message)
        except ButtonRefused as refusal:
            self.say(getattr(choose_texts(self.messages.language).service, refusal.why))
        else:
            await self.wait_until_answered()


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
        """Write one line."""
        if not redact(string).kinds:
            self._path.touch(mode=0o600)
            self._path.chmod(0o600)
            super().store_string(string)
