"""P17: what was replaced is in no answer and in no prompt, whatever became of the memory since."""

from __future__ import annotations

import asyncio
import lzma
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bot.ports.chat_model import ChatMessage, ToolSpec
from harness.application import NO_RAG, RunningChats, ScriptedModel, run_chats, tag_of
from harness.samples import WordEmbedder
from tests.e2e.test_restore import options, run

_OLD_STORE: Final = Path(__file__).parents[1] / "data" / "stores" / "4b5cb4e.db.xz"


class Pair(NamedTuple):
    """What was told, what put it right in plain words, the whole of what holds, and a question."""

    language: str
    told: str
    corrected: str
    holds: str
    asked: str
    old: str
    new: str


PAIRS: Final = (
    Pair(
        "en",
        "My dentist is Dr. Lind.",
        "no wait, Dr. Kovacs, I mixed them up",
        "My dentist is Dr. Kovacs.",
        "Who is my dentist?",
        "Lind",
        "Kovacs",
    ),
    Pair(
        "de",
        "Der Zug nach Kiel fährt um 8:20 Uhr.",
        "Quatsch, 8:40 Uhr, ich hab mich verlesen",
        "Der Zug nach Kiel fährt um 8:40 Uhr.",
        "Wann fährt der Zug nach Kiel?",
        "8:20",
        "8:40",
    ),
    Pair(
        "ru",
        "Мой стоматолог — доктор Линд.",
        "ой, не Линд, а Ковач, перепутала",
        "Мой стоматолог — доктор Ковач.",
        "Кто мой стоматолог?",
        "Линд",
        "Ковач",
    ),
)


@dataclass
class Talk:
    """A chat with a running application, and what its model read last."""

    chats: RunningChats
    pair: Pair
    prompts: list[str] = field(default_factory=list)

    async def say(self, text: str) -> str:
        """Return the answer."""
        return await self.chats.say(0, text, language=self.pair.language)

    async def ask(self) -> str:
        """Return what is told, or shown to a model, when the pair's question is asked in a new conversation."""
        await self.say("/new")
        self.prompts.clear()
        answer = await self.say(self.pair.asked)
        return next((prompt for prompt in reversed(self.prompts) if self.pair.asked in prompt), answer)

    async def find_number(self) -> str:
        """Return the number of the only memory."""
        listed = await self.say("/memory")
        found = re.search(r"- (\d+):", listed)
        assert found is not None, listed
        return found[1]


@asynccontextmanager
async def opened(folder: Path, pair: Pair, *, model: bool) -> AsyncIterator[Talk]:
    """Run the application on a folder."""
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    prompts: list[str] = []

    def answer(messages: tuple[ChatMessage, ...], _: tuple[ToolSpec, ...]) -> str:
        prompts.append("\n".join(each.content for each in messages))
        return "All right."

    scripted = ScriptedModel(answer) if model else None
    settings = {**NO_RAG, "language": pair.language, "llm": {"enabled": model}}
    async with run_chats(folder, settings, WordEmbedder(), model=scripted) as chats:
        yield Talk(chats, pair, prompts)


Way = Callable[[Path, Pair, bool], Awaitable[str]]
"""Lets something become of what was told and put right, and returns what is told of it then."""


async def edited(folder: Path, pair: Pair, model: bool) -> str:  # noqa: FBT001 - one of two columns of a table
    """Put it right by an edit."""
    async with opened(folder, pair, model=model) as talk:
        await talk.say(pair.told)
        await talk.say(f"/memory edit {await talk.find_number()} {pair.holds}")
        return await talk.ask()


async def undone(folder: Path, pair: Pair, model: bool) -> str:  # noqa: FBT001 - as above
    """Take the correction back: then it is what was replaced."""
    async with opened(folder, pair, model=model) as talk:
        await talk.say(pair.told)
        await talk.say(pair.corrected)
        await talk.say("/undo")
        return await talk.ask()


async def forgotten(folder: Path, pair: Pair, model: bool) -> str:  # noqa: FBT001 - as above
    """Forget what holds: what it replaced does not come back."""
    async with opened(folder, pair, model=model) as talk:
        await talk.say(pair.told)
        await talk.say(pair.corrected)
        await talk.say(f"/forget {await talk.find_number()}")
        return await talk.ask()


async def imported(folder: Path, pair: Pair, model: bool) -> str:  # noqa: FBT001 - as above
    """Carry it to another installation."""
    async with opened(folder / "here", pair, model=model) as talk:
        await talk.say(pair.told)
        await talk.say(pair.corrected)
        await talk.say("/export")
        (file,) = talk.chats.folders.exports.iterdir()
        (folder / "mine.zip").write_bytes(file.read_bytes())
    async with opened(folder / "there", pair, model=model) as talk:
        arguments = ("--scope", tag_of(0), "--trust", *options(folder / "there"), "--as", "nobody")
        await run("import", str(folder / "mine.zip"), *arguments)
        return await talk.ask()


async def restarted(folder: Path, pair: Pair, model: bool) -> str:  # noqa: FBT001 - as above
    """Start anew."""
    async with opened(folder, pair, model=model) as talk:
        await talk.say(pair.told)
        await talk.say(pair.corrected)
    async with opened(folder, pair, model=model) as talk:
        return await talk.ask()


async def migrated(folder: Path, pair: Pair, model: bool) -> str:  # noqa: FBT001 - as above
    """Take over the store of an earlier version."""
    await asyncio.to_thread(unpack, folder)
    async with opened(folder, pair, model=model) as talk:
        await talk.say(pair.told)
        await talk.say(pair.corrected)
        return await talk.ask()


def unpack(folder: Path) -> None:
    """Put the store of an earlier version where an installation has its own."""
    store = folder / "data" / "mneme.db"
    store.parent.mkdir(parents=True)
    store.write_bytes(lzma.decompress(_OLD_STORE.read_bytes()))


WAYS: Final[tuple[Way, ...]] = (edited, undone, forgotten, imported, restarted, migrated)

pytestmark = pytest.mark.usefixtures("away")


@pytest.mark.parametrize("place", range(len(PAIRS)), ids=lambda place: PAIRS[place].language)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_what_was_replaced_is_told_no_more(tmp_path: Path, way: Way, place: int) -> None:
    """Three languages, six ways; by turns with and without a model, all of each in ``benchmarks.corrections``."""
    pair = PAIRS[place]
    told = await way(tmp_path, pair, (place + WAYS.index(way)) % 2 == 0)

    held, replaced = (pair.old, pair.new) if way is undone else (pair.new, pair.old)
    assert replaced not in told
    assert way is forgotten or held in told
