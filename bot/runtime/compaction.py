"""Compacts a long session after a turn, beside the conversation: nobody waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from bot.core.sessions import SessionKeeping
from bot.memory.scope import Scope
from bot.ports.turns import TurnStore
from bot.turn import Turn


class Compaction:
    """At most one run per session at a time; ``keeping`` gives the upkeep of the settings in force."""

    def __init__(self, turns: TurnStore, keeping: Callable[[], SessionKeeping]) -> None:
        self._turns = turns
        self._keeping = keeping
        self._running: dict[int, asyncio.Task[None]] = {}

    def after(self, turn: Turn) -> None:
        """Look whether the turn's session has become too long; returns at once."""
        session_id = turn.session.id
        if turn.exchange is None or session_id in self._running or self._keeping().summary is None:
            return
        self._running[session_id] = asyncio.create_task(self._run(turn, turn.scope), name=f"compaction {session_id}")

    async def close(self) -> None:
        """Cut off what runs; it is tried again after a later turn."""
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def _run(self, turn: Turn, scope: Scope) -> None:
        try:
            session = await self._turns.session(turn.address)
            if session.id == turn.session.id:
                await self._keeping().compact(scope, session)
        except Exception:  # noqa: BLE001 - the edge of a background task: the next turn tries again
            structlog.get_logger().exception("compaction failed", session=turn.session.id)
        finally:
            del self._running[turn.session.id]
