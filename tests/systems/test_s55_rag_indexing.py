"""System 55: what is handed to long-term memory."""

from __future__ import annotations

from bot.memory.document import parse_document
from bot.turn import Reply, ReplyKind, Turn
from systems.s50_memory_persist import MemoryPersist
from systems.s55_rag_indexing import RagIndexing
from tests.cases import each_row
from tests.systems.memory_fakes import said

LONG = "Deploy it with Docker Compose and a health check, please, as we did for the other machine."


async def planned(text: str, reply: Reply, *, writing: bool = True, min_length: int = 50) -> Turn:
    """The turn after systems 50 and 55."""
    turn = await MemoryPersist(remembering=lambda: True, deriving=lambda: True)(said(text, reply=reply))
    return await RagIndexing(min_length=min_length, writing=lambda: writing)(turn)


async def test_an_exchange_becomes_one_document_with_a_stable_name() -> None:
    """The name says when (UTC), whose and which; the text who said what."""
    turn = await planned(LONG, Reply("Here is a file."))

    assert turn.document is not None
    assert turn.document.source == "conv_20260207_143000_tu42_z.txt"
    parsed = parse_document(turn.document.text)
    assert parsed is not None
    assert (parsed.user_text, parsed.assistant_text, parsed.author_name) == (LONG, "Here is a file.", "Anna")


@each_row("text", ["Hi!", "thanks 👍", "спасибо", "OK.", "da"])
async def test_trivial_exchanges_are_skipped(text: str) -> None:
    """Greetings and acknowledgements, in several languages; the figure says that nothing was indexed."""
    turn = await planned(text, Reply("You are welcome, any time that you like, day and night, really."))

    assert turn.document is None
    assert turn.trace.figures["indexed_chars"] == 0


async def test_a_short_exchange_is_skipped_unless_it_states_a_fact() -> None:
    """Short talk is noise; a short fact must not be lost."""
    talk = await planned("How nice of it", Reply("Yes."))
    stated = await planned("My PIN hint is 42", Reply("Noted.", ReplyKind.NOTED))

    assert talk.document is None
    assert stated.document is not None
    assert "42" in stated.document.text


async def test_synthetic_answers_are_not_indexed() -> None:
    """Notices are history only."""
    turn = await planned(LONG, Reply("I could not answer within the time that I have.", ReplyKind.NOTICE))

    assert turn.document is None


async def test_an_answer_that_repeats_memory_is_left_out_of_the_document() -> None:
    """Only the user's own words are evidence then."""
    turn = await planned("My sister Vera lives in Porto.", Reply("Noted: Vera, Porto.", ReplyKind.NOTED))

    assert turn.document is not None
    assert "Noted" not in turn.document.text


async def test_long_term_memory_switched_off_writes_nothing_now() -> None:
    """``rag.enabled`` false acts within the turn; without the question in the system this test fails."""
    turn = await planned(LONG, Reply("Here is a file."), writing=False)

    assert turn.document is not None
    assert turn.document.deferred
    assert turn.trace.figures["indexed_chars"] == 0


async def test_without_an_exchange_nothing_is_planned() -> None:
    """A command leaves no document."""
    turn = await planned("/status", Reply("fine", ReplyKind.COMMAND))

    assert turn.document is None
