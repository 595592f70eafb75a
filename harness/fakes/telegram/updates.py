"""The queue behind getUpdates and webhooks: what is not confirmed is given again."""

import asyncio
from typing import Any

from harness.fakes.telegram.floods import Refusal

_Json = dict[str, Any]  # Any: JSON
_ONLY_ON_REQUEST = {"chat_member", "message_reaction", "message_reaction_count"}


class UpdateQueue:
    """Keeps updates until an offset beyond them confirms them; only one caller may wait at a time.

    ``unwanted`` lists the updates that were not given because the bot did not ask for their kind.
    """

    def __init__(self) -> None:
        self._wanted: frozenset[str] = frozenset()
        self._pending: list[_Json] = []
        self._next_id = 1000
        self._news = asyncio.Condition()
        self._poller = 0
        self.confirmed: list[int] = []
        self.given: list[int] = []
        self.unwanted: list[_Json] = []

    @property
    def pending(self) -> tuple[int, ...]:
        """Ids of the updates that nobody confirmed."""
        return tuple(int(update["update_id"]) for update in self._pending)

    @property
    def waiting(self) -> tuple[_Json, ...]:
        """The updates that nobody confirmed and that were asked for, oldest first."""
        return tuple(self._sifted())

    def confirm(self, update_id: int) -> None:
        """Forget an update that a webhook took."""
        self.confirmed.append(update_id)
        self._pending = [update for update in self._pending if update["update_id"] != update_id]

    def allow(self, kinds: list[str]) -> None:
        """Give only updates of these kinds from now on; an empty list stands for all but three, as documented."""
        self._wanted = frozenset(kinds)

    async def add(self, update: _Json) -> int:
        async with self._news:
            update_id = int(update.setdefault("update_id", self._next_id))
            self._next_id = update_id + 1
            self._pending.append(update)
            self._news.notify_all()
        return update_id

    async def get(self, *, offset: int | None, limit: int, timeout_s: float) -> list[_Json]:
        """Confirm everything below ``offset``, then return what is left, waiting for the first if there is none.

        A second caller ends the waiting of the first with a conflict, as the real server does.
        """
        async with self._news:
            self._poller += 1
            mine = self._poller
            self._news.notify_all()
            if offset is not None:
                self.confirmed += [update_id for update_id in self.pending if update_id < offset]
                self._pending = [update for update in self._pending if int(update["update_id"]) >= offset]
            try:
                async with asyncio.timeout(timeout_s):
                    await self._news.wait_for(lambda: self._sifted() or self._poller != mine)
            except TimeoutError:
                return []
            if self._poller != mine:
                raise Refusal(
                    409,
                    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
                )
            batch = self._pending[: max(1, min(limit, 100))]
            self.given += [int(update["update_id"]) for update in batch]
            return batch

    def _sifted(self) -> list[_Json]:
        """Return what is left once updates of a kind that the bot did not ask for are gone.

        The real server gives those that came before the bot first asked; a client must not need them.
        """
        kept = [update for update in self._pending if self._is_wanted(update)]
        self.unwanted += [update for update in self._pending if update not in kept]
        self._pending = kept
        return kept

    def _is_wanted(self, update: _Json) -> bool:
        kinds = update.keys() - {"update_id"}
        return bool(kinds & self._wanted) if self._wanted else not kinds & _ONLY_ON_REQUEST or not kinds
