"""Recovery: what is taken up after a restart, and in which order."""

from __future__ import annotations

from pathlib import Path

from bot.compose.building import open_parts
from bot.runtime.installation import load_live_settings
from bot.runtime.sharing import RestartRecovery
from harness.application import NO_RAG, RecordingMessenger, console_message, make_folders
from harness.samples import WordEmbedder


async def test_chats_whose_message_was_cut_off_often_come_last(tmp_path: Path) -> None:
    """If one of them ends the process again, the others are answered; within a chat the order stays."""
    folders = make_folders(tmp_path, NO_RAG)
    parts = await open_parts(folders, load_live_settings(folders), embedder=WordEmbedder())
    parts.messengers["console"] = RecordingMessenger()
    accepted = [
        await parts.journal.accept(console_message(f"message {number}", number, chat=chat))
        for number, chat in enumerate((1, 2, 1, 3))
    ]
    first, second, third, fourth = (entry.id for entry in accepted if entry is not None)
    for entry, times in ((first, 3), (fourth, 1)):
        for _ in range(times):
            await parts.journal.begin(entry)
    taken: list[tuple[int, int]] = []
    recovery = RestartRecovery(
        parts.deliveries,
        parts.journal,
        parts.messengers,
        lambda entry: taken.append((entry.id, entry.attempts)),
        lambda _, __: None,
    )
    await recovery.begin()
    await recovery.close()
    await parts.close()

    assert taken == [(second, 1), (fourth, 2), (first, 4), (third, 1)]
