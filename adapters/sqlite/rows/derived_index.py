"""What is derived from exchanges and has to stay exact with them: the search index over verbatim turns."""

from __future__ import annotations

import sqlite3
from typing import Protocol

from bot.turn import Exchange


class Derived(Protocol):
    """Called on the writer's thread, inside the transaction that adds or removes the exchanges.

    Whatever it writes is committed or rolled back with them.  It must use nothing but ``connection`` and may be called
    again for the same exchange when a transaction is repeated.
    """

    def added(self, connection: sqlite3.Connection, scope_no: int, exchange_id: int, exchange: Exchange) -> None:
        """Index an exchange that was stored in this transaction; ``exchange_id`` is ``scope_no << 32 | seq``.

        Not called for synthetic exchanges: they are history, nothing to be found.
        """
        ...

    def removed(self, connection: sqlite3.Connection, scope_no: int, exchange_ids: tuple[int, ...]) -> None:
        """Forget exchanges that are erased or were replaced by an edit; ids that were never added are harmless."""
        ...
