"""P8: no chat ever sees a word of another."""

from __future__ import annotations

from pathlib import Path

from benchmarks.chaos.leak import Plan, leaks

SMALL = Plan(chats=20, canaries=10, questions=160, cancellations=40, lives=2, seed=8)


async def test_no_word_of_a_chat_is_in_another_ones(tmp_path: Path) -> None:
    """Questions that name others' subjects find nothing of them, while turns are cancelled and chats erased.

    Mutation checks: one scope for all chats, recall of a wrong scope, and a memory server that ignores the workspace
    while the client believes every result: each is red.
    """
    figures = await leaks(SMALL, tmp_path)

    assert figures.leaks == 0, f"{figures}"
    assert figures.prompts_with_memories > 50
    assert figures.cancelled > 20
    assert figures.erases > 0
    assert figures.own_found >= 0.8 * figures.own_asked
