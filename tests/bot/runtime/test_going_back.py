"""Conversations of a chat: listed, gone back to, titled, summarised on demand."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from bot.compose.pipeline import build_session_keeping
from bot.core.sessions import make_title
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.chat_model import ChatMessage
from bot.ports.turn_store import SessionListing
from harness.application import ANNA, CONSOLE, NO_RAG, ScriptedModel, run_chats, run_console
from harness.fakes.telegram import FakeTelegram
from harness.samples import NOON, WordEmbedder
from tests.bot.runtime.test_buttons import BOB, GROUP, data_of, labels_of, talking
from tests.cases import each_row

LLM = {"url": "http://127.0.0.1:9/v1", "model": "scripted", "contextTokens": 16_000}


def listing(**fields: Any) -> SessionListing:  # Any: fields
    return SessionListing(1, NOON, NOON, 1, **fields)


@each_row(
    ("session", "title"),
    [
        (
            listing(openings=("Hello!", "My sister Vera lives in Porto. She has two cats.")),
            "My sister Vera lives in Porto",
        ),
        (listing(openings=("Hi",)), "Hi"),
        (listing(openings=("x" * 90,)), f"{'x' * 48}…"),
        (listing(openings=("word " * 30,)), "word word word word word word word word word…"),
        (
            listing(summary="Anna plans a trip to Porto. She asked for trains.", openings=("Hi",)),
            "Anna plans a trip to Porto",
        ),
        (listing(title="Holidays", summary="Anna plans a trip."), "Holidays"),
        (listing(), ""),
    ],
)
def test_a_conversation_is_called_by_what_was_said(session: SessionListing, title: str) -> None:
    """A given title counts first, then a summary, then the first message that is more than a greeting."""
    assert make_title(session) == title


async def test_a_session_goes_on_where_it_ended(tmp_path: Path) -> None:
    """Its history is what the model reads again, in the chat that pressed, after a restart; another's is its own."""
    read: list[str] = []
    model = ScriptedModel(lambda *_: "Noted.", read.append)

    def running() -> Any:  # Any: a context of an application
        return run_chats(
            tmp_path, {**NO_RAG, "llm": LLM, "memory": {"recallEnabled": False}}, WordEmbedder(), model=model
        )

    async with running() as chats:
        await chats.say(0, "Let us speak about the tulip garden.")
        await chats.say(1, "Let us speak about motor boats.")
        await chats.say(0, "/new Winter")
        await chats.say(0, "Let us speak about skiing.")
        listed, other = await chats.say(0, "/sessions"), await chats.say(1, "/sessions")
    async with running() as chats:
        back = await chats.say(0, "/sessions 2")
        read.clear()
        await chats.say(0, "Which flowers do we take?")
        seen = read[-1]
        again = await chats.say(0, "/sessions")

    assert "1. Winter (now)" in listed
    assert "2. Let us speak about the tulip garden – " in listed
    assert "boats" not in listed
    assert "garden" not in other
    assert "We are back in “Let us speak about the tulip garden”" in back
    assert "tulip garden" in seen
    assert "skiing" not in seen
    assert "1. Let us speak about the tulip garden (now)" in again


async def test_buttons_go_back_and_nobody_elses_do(tmp_path: Path) -> None:
    """In place, once, by who asked; a conversation that was forgotten meanwhile is said to be gone."""
    async with FakeTelegram() as telegram, talking(tmp_path, telegram) as talk:
        for text in ("My sister Vera lives in Porto.", "/new", "My brother lives in Rome.", "/new", "I like tea."):
            await talk.say(text)
        page = await talk.say("/sessions")
        labels = labels_of(page)
        refused = await talk.press(page, 0, user=BOB)
        await talk.press(page, labels.index("3"))
        moved = page.text
        later = await talk.say("/sessions")
        await talk.say("/forget everything yes")
        gone = await talk.press(later, 0)

    assert labels == ["2", "3"]
    assert refused == "Only the one who asked can press this."
    assert "We are back in “My sister Vera lives in Porto”" in moved
    assert data_of(page) == []
    assert gone == "This button has expired."


async def test_a_groups_conversations_stay_in_the_group(tmp_path: Path) -> None:
    """A private conversation is not listed there, nor can its number be opened there."""
    async with FakeTelegram() as telegram, talking(tmp_path, telegram) as talk:
        await talk.say("My password hint is the tulip garden.")
        await talk.say("/remember The meeting is at nine.", chat=GROUP)
        private = await talk.app.parts.sessions.list_sessions(
            Address("telegram", int(telegram.token.split(":")[0]), ANNA), Scope("tu7"), limit=9
        )
        listed = await talk.say("/sessions", chat=GROUP)
        opened = await talk.say(f"/sessions open {private.sessions[0].id}", chat=GROUP)

    assert "tulip" not in listed.text + opened.text
    assert "no such conversation" in opened.text


async def test_a_secret_in_a_title_is_masked(tmp_path: Path) -> None:
    """A title is kept as long as what is remembered."""
    async with run_console(tmp_path) as chat:
        await chat.say("/new Key sk-proj-4f9c2b7d8e1a3f6c5b0d9e8f7a6b5c4d3e2f1a0b of the server")
        await chat.say("My sister Vera lives in Porto.")

        listed = await chat.say("/sessions")

    assert "4f9c2b7d" not in listed
    assert "of the server" in listed


async def test_a_conversation_is_summarised_when_somebody_asks(tmp_path: Path) -> None:
    """The older part stands as a summary from the next message on, and its title comes from that."""
    read: list[tuple[ChatMessage, ...]] = []

    def answer(messages: tuple[ChatMessage, ...], _: object) -> str:
        read.append(messages)
        return "Anna told of her garden. It has tulips." if "ummar" in messages[0].content else "Noted."

    async with run_chats(tmp_path, {**NO_RAG, "llm": LLM}, WordEmbedder(), model=ScriptedModel(answer)) as chats:
        short = await chats.say(0, "/compact")
        for number in range(6):
            await chats.say(0, f"Bed number {number} of my garden has tulips and some roses in it.")
        done = await chats.say(0, "/compact")
        await chats.say(0, "What do I grow?")
        seen = "\n".join(message.content for message in read[-1])
        listed = await chats.say(0, "/sessions")

    assert "too short" in short
    assert "Messages that now stand as a summary: " in done
    assert "It has tulips" in done
    assert "Anna told of her garden" in seen
    assert "Bed number 0 of my garden" not in [message.content for message in read[-1]]
    assert "Anna told of her garden (now)" in listed


async def test_a_summary_on_demand_waits_for_the_one_that_is_made(tmp_path: Path) -> None:
    """Two at once would summarise the same part twice."""
    running, most = 0, 0

    async with run_chats(
        tmp_path, {**NO_RAG, "llm": LLM}, WordEmbedder(), model=ScriptedModel(lambda *_: "Tulips.")
    ) as chats:
        for number in range(8):
            await chats.say(0, f"Bed number {number} of my garden has tulips and some roses in it.")
        compaction = chats.app._compaction
        keeping = build_session_keeping(chats.parts)
        place, scope = Address("telegram", 1, 1000), Scope("tu1000")

        class Slow:
            async def condense(self, *arguments: Any) -> Any:  # Any: as the real one
                nonlocal running, most
                running += 1
                most = max(most, running)
                await asyncio.sleep(0)
                done = await keeping.condense(*arguments)
                running -= 1
                return done

        compaction.keeping = Slow  # type: ignore[assignment]  # the one method that is called
        both = await asyncio.gather(compaction.run_now(place, scope), compaction.run_now(place, scope))

    assert most == 1
    less, more = sorted(done.exchanges for done in both)  # either may come first
    assert less < more


async def test_without_a_model_compaction_says_why_not(tmp_path: Path) -> None:
    """Nothing is cut, and nothing is lost."""
    async with run_console(tmp_path) as chat:
        for number in range(5):
            await chat.say(f"Bed number {number} of my garden has tulips.")

        assert "needs a language model" in await chat.say("/compact")
        page = await chat.app.parts.sessions.list_sessions(CONSOLE, Scope("cu42"), limit=1)
        assert page.sessions[0].exchanges == 5


async def test_a_title_is_forgotten_by_a_word_of_it(tmp_path: Path) -> None:
    """Of an open and of an ended conversation, out of the bytes of the file; the forgetting can be taken back."""
    async with run_console(tmp_path) as chat:
        for text in ("/new The zeppelin of Vera", "I like tea.", "/new My zeppelin plans", "I like coffee."):
            await chat.say(text)
        found = await chat.say("/forget zeppelin")
        named = re.findall(r"title:\d+", found)
        told = await chat.say(f"/forget {' '.join(named)}")
        listed = await chat.say("/sessions")
        nothing = await chat.say("/forget zeppelin")
        await chat.say("/undo")
        back = await chat.say("/sessions")
        await chat.say(f"/forget {' '.join(named)}")
    async with run_console(tmp_path) as chat:
        await chat.app.parts.housekeeping.lapse(everything=True)

    assert len(named) == 2
    assert "zeppelin" not in told + listed
    assert "I find nothing" in nothing
    assert back.count("zeppelin") == 2
    for file in (tmp_path / "data").glob("mneme.db*"):
        assert b"zeppelin" not in file.read_bytes()
