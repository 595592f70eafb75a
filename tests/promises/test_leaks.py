"""P8: no chat ever sees a word of another."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from harness.chaos.leak import Plan, leaks

SMALL = Plan(chats=11, canaries=6, questions=70, cancellations=32, lives=2, seed=8)
FIRST_USER = 1000


def chats_named(text: str) -> set[int]:
    """Return the chats whose codes a text holds."""
    return {int(code[1:4]) for code in re.findall(r"[QW]\d{3}X\d{3}", text)}


def in_the_database(file: Path) -> list[tuple[int, str]]:
    """Return everything that was stored word for word, with the chat whose it is."""
    with closing(sqlite3.connect(file)) as connection:
        query = (
            "SELECT tag, user_text || ' ' || assistant_text FROM exchanges JOIN scopes ON no = scope_no UNION ALL "
            "SELECT tag, title || ' ' || content FROM items JOIN scopes ON no = scope_no"
        )
        return [(int(tag.removeprefix("tu")) - FIRST_USER, text) for tag, text in connection.execute(query)]


async def test_no_word_of_a_chat_is_in_another_ones(tmp_path: Path) -> None:
    """Questions that name others' subjects find nothing of them, while turns are cancelled and chats erased.

    Every prompt, reply, trace, cache and document is searched here, and so are the rows of the database and the logs.
    Mutation checks: one scope for all chats, recall of a wrong scope, and a memory server that ignores the workspace
    while the client believes every result: each is red.
    """
    overheard: list[tuple[str, int | None, str]] = []
    figures = await leaks(SMALL, tmp_path, lambda *heard: overheard.append(heard))
    stored = in_the_database(tmp_path / "data" / "mneme.db")
    owned = [(owner, text) for _, owner, text in overheard if owner is not None] + stored
    prompts = [text for place, _, text in overheard if place == "prompts"]
    logs = "".join(path.read_text(errors="replace") for path in (tmp_path / "data" / "logs").iterdir())

    assert [(owner, text) for owner, text in owned if chats_named(text) - {owner}] == []
    assert [prompt for prompt in prompts if len(chats_named(prompt)) > 1] == []
    assert chats_named(logs) == set()
    assert {place for place, _, _ in overheard} >= {"prompts", "replies", "memory server", "traces"}
    assert sum("# Relevant Memory" in prompt for prompt in prompts) > 50
    assert len(stored) > SMALL.chats
    assert figures.cancelled > 20
    assert figures.erases > 0
    assert figures.own_found >= 0.8 * figures.own_asked
