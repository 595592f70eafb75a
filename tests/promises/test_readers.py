"""Whatever shows memory shows what holds: what an edit, a correction, an undo or an erase has replaced is nowhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.memory_store import ItemFilter, Likeness, MemoryQuery, Selector
from bot.ports.transfer import Exporter
from harness.application import NO_RAG, PLATFORM, RunningChats, run_chats
from harness.samples import WordEmbedder

TOLD, ASKED = "My plumber is Mr. Kovacs.", "Who is my plumber?"
OLD, NEW = "Kovacs", "Novak"
SCOPE = Scope("tu1000")
EDIT = "/memory edit 1 My plumber is Mr. Novak."
Reader = Callable[[RunningChats], Awaitable[str]]


async def answer(chats: RunningChats) -> str:
    """What is said without a model."""
    return await chats.say(0, ASKED)


async def history(chats: RunningChats) -> str:
    """What a prompt repeats of the conversation, but for the receipt of a correction: it names what it replaced."""
    session = await chats.parts.turns.session(Address(PLATFORM, 1, 1000))
    said = await chats.parts.turns.history(SCOPE, session.id, 50)
    return repr([(one.user_text, one.assistant_text, one.parts) for one in said if "Before:" not in one.assistant_text])


async def listing(chats: RunningChats) -> str:
    """/memory."""
    return await chats.say(0, "/memory")


async def search(chats: RunningChats) -> str:
    """Memories by a word."""
    found = await chats.parts.editor.page(SCOPE, Selector.ALL, search="plumber")
    return repr([item.content for item in found.items])


async def views(chats: RunningChats) -> str:
    """The views of /memory and of the page."""
    browser = chats.parts.browser
    found = await browser.browse(SCOPE, ItemFilter(), size=50)
    filters = [ItemFilter(like=(kind, item.id)) for item in found.items for kind in Likeness]
    pages = [found, *[await browser.browse(SCOPE, chosen, size=50) for chosen in filters]]
    counts = await browser.count(SCOPE)
    newest = [share.newest.content for share in (*counts.authors, *counts.topics)]
    return repr([[item.content for page in pages for item in page.items], newest])


async def items(chats: RunningChats) -> str:
    """The memories of a prompt."""
    found = await chats.parts.items.items(SCOPE, ask(chats, ASKED))
    return repr([(item.title, item.content) for item, _ in found])


async def recalled(chats: RunningChats) -> str:
    """The turns of a prompt."""
    found = [await chats.parts.recall.recall(SCOPE, ask(chats, text)) for text in (ASKED, OLD, NEW)]
    return repr([memory.text for each in found for memory in each])


async def chronicle(chats: RunningChats) -> str:
    """What an overview is made of."""
    return repr([line.text for line in await chats.parts.chronicle.read_lines(SCOPE)])


async def timeline(chats: RunningChats) -> str:
    """The page's conversations."""
    return repr([one.user_text for one in (await chats.parts.timeline.read(SCOPE)).exchanges])


async def names(chats: RunningChats) -> str:
    """The map, and who is known."""
    return repr([name.shown for name in (await chats.parts.names.list_names(SCOPE)).names])


async def export(chats: RunningChats) -> str:
    """Every record of an export: history is in it, what was erased is not."""
    written = await chats.parts.need(Exporter).export(SCOPE)
    if written is None:
        return ""
    with ZipFile(written.path) as archive:
        return "\n".join(archive.read(name).decode(errors="replace") for name in archive.namelist())


async def past(chats: RunningChats) -> str:
    """/memory history."""
    return await chats.say(0, "/memory history")


READERS: tuple[Reader, ...] = (
    answer, history, listing, search, views, items, recalled, chronicle, timeline, names,
)  # fmt: skip
OF_HISTORY: tuple[Reader, ...] = (export, past)


def ask(chats: RunningChats, text: str) -> MemoryQuery:
    """Return the question of the one who told it."""
    return MemoryQuery(text, 1000, "Anna", chats.parts.clock.now(), limit=20)


async def list_who_shows(chats: RunningChats, word: str, readers: tuple[Reader, ...]) -> set[str]:
    """Return the readers that show a word."""
    return {reader.__name__ for reader in readers if word in await reader(chats)}


@pytest.mark.parametrize("change", [EDIT, "No, wait: my plumber is Mr. Novak."], ids=["edit", "correction"])
@pytest.mark.parametrize("told", [TOLD, f"/remember {TOLD}"], ids=["said", "remembered"])
async def test_what_was_replaced_is_shown_by_nobody(tmp_path: Path, told: str, change: str) -> None:
    """And comes back everywhere with /undo, when what had replaced it is nowhere; after /forget neither is anywhere."""
    async with run_chats(tmp_path, {**NO_RAG, "memory": {"undoSeconds": 0}}, WordEmbedder()) as chats:
        await chats.say(0, told)
        before = await list_who_shows(chats, OLD, READERS)
        await chats.say(0, change)
        await chats.parts.housekeeping.catch_up()
        stale, holds = await list_who_shows(chats, OLD, READERS), await list_who_shows(chats, NEW, READERS)
        kept = await list_who_shows(chats, OLD, OF_HISTORY)
        await chats.say(0, "/undo")
        back, undone = await list_who_shows(chats, OLD, READERS), await list_who_shows(chats, NEW, READERS)
        await chats.say(0, "/forget 1")
        left = [await list_who_shows(chats, word, (*READERS, *OF_HISTORY)) for word in (OLD, NEW)]

    everybody = {reader.__name__ for reader in READERS}
    assert before == everybody
    assert stale == set()
    assert holds == everybody
    assert kept == {reader.__name__ for reader in OF_HISTORY}
    assert back == everybody
    assert undone == set()
    assert left == [set(), set()]
