"""The folder watch, on a real file system."""

from __future__ import annotations

import asyncio
from pathlib import Path

from adapters.preferences import watch_changes
from bot.config.live import LiveSettings


def edit(file: Path, top_k: int, *, replace: bool) -> None:
    """Save the file in place, or by replacing it."""
    text = f'{{"rag": {{"topK": {top_k}}}}}'
    file.parent.mkdir(exist_ok=True)
    if replace:
        draft = file.with_name(".draft")
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
    else:
        file.write_text(text, encoding="utf-8")


async def follow(file: Path, *edits: tuple[int, bool]) -> LiveSettings:
    """Edit the file and wait for each edit to be in force."""
    changed, stop = asyncio.Event(), asyncio.Event()
    live = LiveSettings(file, environment={}, last_good=file.parent.parent / "good.json")
    live.subscribe(lambda *_: changed.set())
    live.load()
    watching = asyncio.create_task(live.watch(watch_changes(file.parent, debounce_ms=50, heartbeat_s=0.2, stop=stop)))
    try:
        async with asyncio.timeout(120):
            for top_k, replace in edits:
                changed.clear()
                await asyncio.to_thread(edit, file, top_k, replace=replace)
                await changed.wait()
            stop.set()
            await watching
    finally:
        watching.cancel()
    return live


async def test_edits_in_place_and_by_replacement_are_both_seen(tmp_path: Path) -> None:
    """Editors do either; after a replacement the watch must still see the next edit."""
    file = tmp_path / "preferences" / "c.json"
    file.parent.mkdir()

    live = await follow(file, (1, False), (2, True), (3, True), (4, False))

    assert live.current.rag.top_k == 4


async def test_a_folder_that_appears_later_is_watched_then(tmp_path: Path) -> None:
    """A missing folder costs a heartbeat, not the watch."""
    live = await follow(tmp_path / "preferences" / "c.json", (1, False), (2, True))

    assert live.current.rag.top_k == 2


async def test_the_watch_ends_promptly_when_cancelled(tmp_path: Path) -> None:
    """Shutdown does not wait for a heartbeat."""

    async def consume() -> None:
        async for _ in watch_changes(tmp_path, heartbeat_s=60):
            pass

    task = asyncio.create_task(consume())
    await asyncio.sleep(0.1)
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=50)

    assert done == {task}
    assert task.cancelled()
