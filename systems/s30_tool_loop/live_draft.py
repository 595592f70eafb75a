"""Shows the answer while it grows, at the door's pace and not the model's.

A slow chat must not slow the model down, so that frames are drawn by a task of their own and dropped when they come
too fast.  The draft's message id is stored as soon as it exists: after a crash the answer is edited into it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

import structlog

from bot.errors import StorageUnavailable
from bot.ports.deliveries import Deliveries
from bot.ports.messenger import Draft, Messenger
from bot.turn import Turn

_BEGINNING = "…"
_GRACE_S = 5.0
"""How long a frame that is being drawn may take to end: cut off, its message would stay behind as an orphan."""


class LiveDraft:
    """A draft of the turn's answer; ``text`` gives the answer so far.

    Used as a context: entering shows that we are writing, leaving lets the frame in flight finish.
    """

    def __init__(
        self, turn: Turn, messenger: Messenger | None, deliveries: Deliveries, text: Callable[[], str]
    ) -> None:
        self._turn, self._messenger, self._deliveries, self._text = turn, messenger, deliveries, text
        self._changed = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self.message_id = turn.draft_id

    def changed(self) -> None:
        """Say that the text has grown."""
        self._changed.set()

    async def __aenter__(self) -> Self:
        if self._messenger is not None:
            self._task = asyncio.create_task(self._draw(self._messenger))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is None:
            return
        self._closing = True
        self._changed.set()
        try:
            await asyncio.wait({self._task}, timeout=_GRACE_S)
        finally:
            self._task.cancel()
            (outcome,) = await asyncio.gather(self._task, return_exceptions=True)
        if isinstance(outcome, Exception):
            structlog.get_logger().warning("draft failed", cause=type(outcome).__name__)

    async def _draw(self, messenger: Messenger) -> None:
        draft = await messenger.draft(self._turn.address, self._turn.draft_id)
        begun = draft.message_id is not None
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._closing:
                return
            if not (text := self._text().strip()):
                continue
            if not begun:
                # The first frame makes the message, and its fate may stay unknown.  It holds no word of the answer, so
                # that an answer posted anew then never stands there twice.  One that was dropped is still to come.
                begun = await draft.update(_BEGINNING)
                await self._keep(draft)
            if begun:
                await draft.update(text)
                await self._keep(draft)

    async def _keep(self, draft: Draft) -> None:
        if draft.message_id is None or draft.message_id == self.message_id:
            return
        self.message_id = draft.message_id
        entry_id = self._turn.accepted[0].id
        try:
            if entry_id > 0:  # others were never journaled and are not run again
                await self._deliveries.draft(entry_id, draft.message_id)
        except StorageUnavailable as error:
            structlog.get_logger().warning("draft not stored", cause=str(error), entry=entry_id)
