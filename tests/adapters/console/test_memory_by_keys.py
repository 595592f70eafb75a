"""Memory looked at and changed in the terminal by keys: the whole application behind a pipe."""

from __future__ import annotations

import io
from pathlib import Path

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from adapters.console.interactive import InteractiveReceiver, RichMessenger
from adapters.console.plain import ADDRESS, ConsoleMessages
from bot.memory.scope import Scope
from bot.ports.memory_store import Selector
from harness.application import run_console


async def typed(folder: Path, *lines: str) -> tuple[str, list[str]]:
    """Return what the terminal shows for these lines, and what is remembered afterwards."""
    out = io.StringIO()
    messenger = RichMessenger(Console(file=out, force_terminal=False, width=100))
    async with run_console(folder) as chat:
        chat.app.parts.messengers["console"] = messenger

        async def answered() -> None:
            await chat.app.answered(ADDRESS)

        messages = ConsoleMessages(chat.app.parts.clock.now, "en")

        def say(text: str) -> None:
            out.write(f"{text}\n")

        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            pipe.send_text("".join(f"{line}\r" for line in lines) + "\x04")
            await InteractiveReceiver(chat.app.accept, answered, messages, None, (), messenger.keys, say).run()
        page = await chat.app.parts.editor.page(Scope("cu1"), Selector.ALL)
    return out.getvalue(), [one.content for one in page.items]


async def test_a_memory_is_opened_edited_pinned_and_forgotten_by_keys(tmp_path: Path) -> None:
    """Each answer lists its keys, each key does what its button does, and what is typed between is a message."""
    shown, left = await typed(
        tmp_path,
        "/remember My sister Vera lives in Porto.",
        "/remember I love jazz.",
        "/memory",
        "1",  # opens memory 1
        "1",  # edit
        "My sister Vera lives in Lisbon.",
        "/memory open 2",
        "3",  # forget
        "1",  # yes
    )
    undone, back = await typed(tmp_path, "/memory open 1", "2", "1", "1 more thing")

    assert "2) 2   1) 1" in shown.replace("\n", " ")
    assert "“Edit” chosen." in shown
    assert "Memory 1 now says: “My sister Vera lives in Lisbon.”" in shown
    assert "“Forget” chosen." in shown
    assert left == ["My sister Vera lives in Lisbon."]
    assert "is pinned" in undone
    assert "Your next message within 5 minutes" in undone
    assert back == ["1 more thing"]


async def test_keys_are_those_of_the_newest_answer(tmp_path: Path) -> None:
    """A question above another answer cannot be answered any more; a key that nobody offered is a message."""
    shown, left = await typed(
        tmp_path,
        "/remember My sister Vera lives in Porto.",
        "/memory open 1",
        "3",  # forget: asks
        "/memory edit 1 My sister Vera lives in Rome.",
        "1",  # puts the old words back: the keys are those of the newest answer
        "9",
    )

    assert "“Put back” chosen." in shown
    assert left == ["My sister Vera lives in Porto."]
