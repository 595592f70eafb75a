"""Terminal chat for people: line editing, history, answers that grow while they are written."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import FileHistory, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.spinner import Spinner

from adapters.console.plain import ConsoleMessages, clean_for_terminal
from adapters.console.saving import save_file
from bot.files import OutboundFile
from bot.memory.secrets.redaction import redact
from bot.ports.messenger import Mark
from bot.turn import Address, InboundMessage

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
    """Prints answers as rendered Markdown; files are saved in the folder ``received``, and their paths printed."""

    console: Console
    received: Path = Path()
    _draft: RichDraft | None = None
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

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
        for label, data in buttons:
            self.console.print(f"  [{clean_for_terminal(label)}] {clean_for_terminal(data)}", markup=False)
        return next(self._ids)

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> RichDraft:
        """Show the spinner."""
        if self._draft is None:
            self._draft = RichDraft(self.console)
        return self._draft


@dataclass(frozen=True, slots=True)
class InteractiveReceiver:
    """Asks for lines until the user leaves (Ctrl-D, Ctrl-C at an empty line, /exit); Ctrl-C drops a begun line."""

    accept: Callable[[InboundMessage], Awaitable[None]]
    wait_until_answered: Callable[[], Awaitable[None]]
    messages: ConsoleMessages
    history: Path | None
    commands: tuple[str, ...]

    async def run(self) -> None:
        """Return when the user leaves."""
        session: PromptSession[str] = PromptSession(
            history=TypedLines(self.history) if self.history else InMemoryHistory(),
            completer=WordCompleter([*self.commands, "/exit"], sentence=True),
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
            message = self.messages.build(line)
            if message.text in _LEAVE:
                return
            if message.text or message.file is not None:
                await self.accept(message)
                await self.wait_until_answered()


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
