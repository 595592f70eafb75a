"""Nothing that is shown in a terminal commands it, on any way out."""

from __future__ import annotations

import io

from rich.console import Console

from adapters.console.interactive import RichMessenger
from adapters.console.plain import ADDRESS, PlainMessenger, clean_for_terminal
from tests.cases import each_row

COMMANDS = (
    "a\x1b]0;title\x07b",
    "a\x1b]52;c;aGFja2Vk\x1b\\b",
    "a\x1b[2Jb",
    "a\x9b2Jb",
    "a\x1bPq#0\x1b\\b",
    "a\u202e\u2066\u200fb",
    "a\x1bcb",
)


@each_row("text", COMMANDS)
def test_sequences_are_taken_out_whole(text: str) -> None:
    """Of a command nothing is left, of the letters around it all."""
    assert clean_for_terminal(text) == "ab"


@each_row("text", COMMANDS)
def test_of_a_begun_sequence_nothing_is_shown(text: str) -> None:
    """A stream may be cut anywhere: no frame holds what a terminal obeys, and none shows half of a command."""
    for cut in range(len(text) + 1):
        assert "ab".startswith(clean_for_terminal(text[:cut])), text[:cut]


@each_row("text", COMMANDS)
async def test_no_way_out_lets_a_command_through(text: str) -> None:
    """Scripts' answers, people's answers, streamed frames and the labels of buttons are cleaned alike."""
    plain, rich = io.StringIO(), io.StringIO()
    messenger = RichMessenger(Console(file=rich, force_terminal=False, width=80))
    draft = await messenger.draft(ADDRESS)
    for cut in range(1, len(text) + 1):
        await draft.update(text[:cut])
        frames = draft.lead()
        assert not set(frames) & set("\x1b\x07\x9b\x9d\u202e\u2066\u200f")
    assert "ab" in draft.lead()
    await messenger.send(ADDRESS, text, buttons=((text, text),))
    await PlainMessenger(plain).send(ADDRESS, text, buttons=((text, text),))

    for out, shown in ((plain.getvalue(), 3), (rich.getvalue(), 2)):  # where keys are pressed no command is shown
        assert not set(out) & set("\x1b\x07\x9b\x9d\u202e\u2066\u200f")
        assert out.count("ab") >= shown


async def test_what_the_encoding_lacks_is_replaced() -> None:
    """A terminal of ASCII gets the answer with question marks, not no answer."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    await PlainMessenger(out).send(ADDRESS, "Привет, Vera 👍")

    assert raw.getvalue().decode("ascii") == "mneme> ??????, Vera ?\n"
