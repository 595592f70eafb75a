"""Workspaces from before they carried the installation's name."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from adapters.rag.client import LightRagClient
from adapters.sqlite.outbox import WorkspaceRecords
from bot.errors import MemoryUnavailable
from bot.memory.scope import Scope
from bot.runtime import long_term_memory as workspaces
from bot.runtime.long_term_memory import Rebuilding


class Records:
    """A store that is older than its name."""

    def __init__(self) -> None:
        self.done: list[str] = []

    async def list_incarnations(self) -> dict[Scope, str]:
        return {}

    async def list_unmoved(self) -> tuple[Scope, ...]:
        return (Scope("cu1"), Scope("tu1000"))

    async def queue_documents(self, scope: Scope) -> int:
        self.done.append(f"queue {scope.tag}")
        return 1

    async def mark_moved(self) -> None:
        self.done.append("moved")


class Client:
    """A server that is still starting when it is asked first."""

    def __init__(self, done: list[str]) -> None:
        self.done, self.asked = done, 0

    async def drop(self, workspace: str) -> bool:
        self.asked += 1
        if self.asked == 1:
            raise MemoryUnavailable("starting")
        self.done.append(f"drop {workspace}")
        return True


@pytest.mark.parametrize("others", ["alone", "shared"])
async def test_all_is_queued_before_an_old_workspace_goes(others: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On our own server the old workspaces are dropped, once it answers; what others may use is left alone."""
    monkeypatch.setattr(workspaces, "_PAUSE_S", 0.0)
    records = Records()
    client = Client(records.done)

    rebuilding = Rebuilding(cast("WorkspaceRecords", records))
    running = asyncio.create_task(rebuilding.run(cast("LightRagClient", client), lambda: others == "alone"))
    while "moved" not in records.done and not running.done():  # noqa: ASYNC110 - the stand-in has no event
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    dropped = ["drop cu1", "drop tu1000"] if others == "alone" else []
    assert records.done == ["queue cu1", "queue tu1000", *dropped, "moved"]
