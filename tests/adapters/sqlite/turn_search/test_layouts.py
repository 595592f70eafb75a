"""Long chats laid out in files: the same answers, nothing that was erased, whatever a crash or damage leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.sqlite.turn_search import transcript_cache
from adapters.sqlite.turn_search.layouts import StoredLayout, write_draft
from adapters.sqlite.turn_search.transcript_cache import CachedTranscript, TranscriptCache
from bot.memory.items import Recalled
from bot.memory.scope import Scope
from tests.adapters.sqlite.turn_search.talk import ANNA, BORIS, HOME, Chat, chat

_TOPICS = ("cello", "garden", "boiler", "ferry", "harpsichord")
_ASKED = ("Who plays the harpsichord?", "What is in the gardn?", "ferry", "Which boiler does Boris have?")


@pytest.fixture(autouse=True)
def _short_chats_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript_cache, "LEAST_LAID_OUT", 20)


async def _talk(home: Chat, begin: int, end: int) -> None:
    home.said = begin  # a new process counts on, as the store takes each name once
    for number in range(begin, end):
        topic = _TOPICS[number % len(_TOPICS)]
        text = f"Number {number} of the {topic} is word{number}, number {number}."
        await home.say(text, "Noted: " + topic if number % 3 else "", author=ANNA if number % 2 else BORIS)
    await home.settle()


async def _ask(home: Chat) -> list[tuple[Recalled, ...]]:
    return [await home.ask(question, limit=50) for question in _ASKED]


def _files(folder: Path) -> list[Path]:
    return sorted((folder / "layouts").glob("*"))


def _holds(folder: Path, word: str) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


async def test_a_mapped_chat_gives_the_same_answers(tmp_path: Path) -> None:
    """In this process, in the next, and when it has grown beyond the room in the file, laid out again and once more."""
    async with chat(tmp_path) as home:
        await _talk(home, 0, 30)
        read = await _ask(home)
        await home.recall.lay_out(HOME)
        mapped = await _ask(home)
    async with chat(tmp_path) as home:
        again = await _ask(home)
        await _talk(home, 30, 90)
        grown = await _ask(home)
        await home.recall.lay_out(HOME)
        twice = await _ask(home)
        await _talk(home, 90, 100)
        more = await _ask(home)
    (tmp_path / "layouts" / "1.layout").unlink()
    async with chat(tmp_path) as home:
        without = await _ask(home)

    assert read[0]
    assert read == mapped == again
    assert grown == twice
    assert more == without
    assert more != grown


async def test_a_chat_is_begun_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not read from its rows again; a short chat, and one whose embedding goes on, has no file."""
    async with chat(tmp_path) as home:
        await _talk(home, 0, 5)
        await home.recall.lay_out(HOME)
        short = _files(tmp_path)
        await _talk(home, 5, 30)
        with monkeypatch.context() as patched:
            patched.setattr(transcript_cache, "_MOST_PENDING", -1)
            await home.recall.lay_out(HOME)
        embedding = _files(tmp_path)
        await home.recall.lay_out(HOME)
    async with chat(tmp_path) as home:
        await home.ask("cello")
        held = home.recall._cache.get(HOME)

    assert short == embedding == []
    assert [path.name for path in _files(tmp_path)] == ["1.layout"]
    assert _files(tmp_path)[0].stat().st_mode & 0o777 == 0o600
    assert held.laid_out == len(held.transcript) > 30
    assert not held.pending


@pytest.mark.parametrize("whole", [False, True])
async def test_what_is_erased_is_in_no_file(tmp_path: Path, *, whole: bool) -> None:
    """With the exchange, or with all of the chat, its file goes in the same transaction."""
    async with chat(tmp_path) as home:
        await _talk(home, 0, 30)
        uid = await home.say("My secret word is zanzibarine.")
        await home.settle()
        await home.recall.lay_out(HOME)
        before = _holds(tmp_path / "layouts", "zanzibarin")
        erasing = home.eraser.erase_scope(HOME) if whole else home.eraser.erase_exchanges(HOME, (uid,))
        await erasing
        after = _files(tmp_path)
        await home.recall.lay_out(HOME)
        found = await home.ask("zanzibarine")

    assert before
    assert after == []
    assert not any("zanzibarine" in each.text for each in found)
    assert not _holds(tmp_path / "layouts", "zanzibarin")


async def test_a_long_chat_answers_while_it_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an erase the rest of years is found at once, without what is gone, and exactly when it was read anew.

    Mutation check: where an erase empties the transcript the first answer waits for all of it.
    """
    async with chat(tmp_path) as home:
        await _talk(home, 0, 40)
        uid = await home.say("My harpsichord is zanzibarine.")
        await home.settle()
        await home.recall.lay_out(HOME)
        may_begin = asyncio.Event()
        read_step = TranscriptCache._read_step

        async def read_late(cache: TranscriptCache, scope: Scope, held: CachedTranscript) -> bool:
            if not held.transcript:
                await asyncio.wait_for(may_begin.wait(), 240)
            return await read_step(cache, scope, held)

        monkeypatch.setattr(TranscriptCache, "_read_step", read_late)
        await home.eraser.erase_exchanges(HOME, (uid,))
        meanwhile = await home.ask("Who plays the harpsichord?")
        await home.say("The harpsichord is sold.")
        newer = await home.ask("Who plays the harpsichord?", limit=50)
        held = home.recall._cache.get(HOME)
        stale = held.stale
        may_begin.set()
        await home.settle()
        await home.recall.lay_out(HOME)
        exact = await _ask(home)
    async with chat(tmp_path) as home:
        after = await _ask(home)

    assert stale
    assert meanwhile
    assert not any("zanzibarine" in each.text for each in meanwhile)
    assert any("is sold" in each.text for each in newer)
    assert not held.stale
    assert exact == after
    assert not _holds(tmp_path / "layouts", "zanzibarin")


async def test_an_erase_while_a_layout_is_written_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was laid out before the erase never becomes the chat's file.

    Mutation check: without the comparison of generations the file is there, and holds the word.
    """
    async with chat(tmp_path) as home:
        await _talk(home, 0, 30)
        uid = await home.say("My secret word is zanzibarine.")
        await home.settle()
        loop = asyncio.get_running_loop()

        def write_late(path: Path, stored: StoredLayout) -> None:
            asyncio.run_coroutine_threadsafe(home.eraser.erase_exchanges(HOME, (uid,)), loop).result(240)
            write_draft(path, stored)

        monkeypatch.setattr(transcript_cache, "write_draft", write_late)
        await home.recall.lay_out(HOME)
        found = await home.ask("zanzibarine")

    assert _files(tmp_path) == []
    assert not any("zanzibarine" in each.text for each in found)


@pytest.mark.parametrize("end", range(-120, 0, 17))
async def test_a_damaged_file_is_made_again(tmp_path: Path, end: int) -> None:
    """Whichever part of it is not what was written: the answers are those of the rows, and the file goes."""
    async with chat(tmp_path) as home:
        await _talk(home, 0, 30)
        await home.recall.lay_out(HOME)
        expected = await _ask(home)
    file = tmp_path / "layouts" / "1.layout"
    content = bytearray(file.read_bytes())
    place = len(content) + end if end > -60 else (end + 120) * 997
    content[place] ^= 0x10
    file.write_bytes(content)
    async with chat(tmp_path) as home:
        damaged = await _ask(home)

    assert damaged == expected
    assert not file.exists()


@pytest.mark.parametrize("left", [b"", b"short", None])
async def test_a_file_that_was_cut_off_is_made_again(tmp_path: Path, left: bytes | None) -> None:
    """An empty one, one without an end, one that is not there."""
    async with chat(tmp_path) as home:
        await _talk(home, 0, 30)
        await home.recall.lay_out(HOME)
        expected = await _ask(home)
    file = tmp_path / "layouts" / "1.layout"
    file.unlink() if left is None else file.write_bytes(left)
    async with chat(tmp_path) as home:
        assert await _ask(home) == expected
        await home.recall.lay_out(HOME)
        assert file.exists()


def _leave_a_draft(folder: Path) -> None:
    (folder / "layouts" / "1.layout").rename(folder / "layouts" / "1.layout.new")


def _leave_another_chat(folder: Path) -> None:
    (folder / "layouts" / "1.layout").rename(folder / "layouts" / "77.layout")


@pytest.mark.parametrize("leave", [_leave_a_draft, _leave_another_chat])
async def test_what_a_crash_leaves_is_swept(tmp_path: Path, leave: Callable[[Path], None]) -> None:
    """A draft that never became a file, a file of a chat that is not known: gone when the next start has caught up."""
    async with chat(tmp_path) as home:
        await _talk(home, 0, 30)
        await home.recall.lay_out(HOME)
        expected = await _ask(home)
    leave(tmp_path)
    async with chat(tmp_path) as home:
        assert await _ask(home) == expected
        await home.settle()

    assert _files(tmp_path) == []


def _put_back(folder: Path, copy: bytes) -> None:
    for path in folder.glob("mneme.db*"):
        path.unlink()
    (folder / "mneme.db").write_bytes(copy)


async def test_a_restored_database_knows_no_later_file(tmp_path: Path) -> None:
    """A file laid out after the copy was made is not of the copy: its token is another."""
    async with chat(tmp_path) as home:
        await _talk(home, 0, 30)
        await home.recall.lay_out(HOME)
        expected = await _ask(home)
        await home.database.checkpoint()
    copy = (tmp_path / "mneme.db").read_bytes()
    async with chat(tmp_path) as home:
        await _talk(home, 30, 60)
        await home.recall.lay_out(HOME)
    _put_back(tmp_path, copy)
    async with chat(tmp_path) as home:
        assert await _ask(home) == expected


async def test_a_disk_that_takes_no_file_costs_only_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are answered as before."""

    def refuse(path: Path, stored: StoredLayout) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(transcript_cache, "write_draft", refuse)
    async with chat(tmp_path) as home:
        await _talk(home, 0, 30)
        expected = await _ask(home)
        await home.recall.lay_out(HOME)

        assert await _ask(home) == expected
