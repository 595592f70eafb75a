"""The log of replies that keeps one from being sent twice: marked before the attempt, settled after it."""

from __future__ import annotations

import sqlite3
from typing import Final

import orjson

from adapters.storage.database import Database
from bot.memory.sanitise import clean
from bot.ports.deliveries import Delivery
from bot.turn import Address

_PLANNED: Final = 0
_SENDING: Final = 1
_SENT: Final = 2
_UNKNOWN: Final = 3


class SqliteDeliveries:
    """The port :class:`~bot.ports.deliveries.Deliveries`.  A text is dropped when its outcome is known."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sending(self, delivery_id: int) -> bool:
        """Mark the attempt; ``False`` if there was one before, or if the message was erased meanwhile."""
        return await self._database.write(
            lambda connection: (
                connection.execute(
                    "UPDATE deliveries SET state = ?, attempts = attempts + 1 WHERE id = ? AND state = ?",
                    (_SENDING, delivery_id, _PLANNED),
                ).rowcount
                == 1
            )
        )

    async def finish(self, delivery_id: int, message_id: int | None) -> None:
        """Record the outcome."""
        state = _UNKNOWN if message_id is None else _SENT
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "UPDATE deliveries SET state = ?, message_id = ?, text = '', buttons = '[]' WHERE id = ?",
                    (state, message_id, delivery_id),
                ).rowcount
            )
        )

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        """Take the attempt back, and the draft if it is gone."""
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "UPDATE deliveries SET state = ?, reason = ?, draft_id = iif(?, NULL, draft_id) "
                    "WHERE id = ? AND state = ?",
                    (_PLANNED, clean(reason), draft_gone, delivery_id, _SENDING),
                ).rowcount
            )
        )

    async def unsent(self) -> tuple[Delivery, ...]:
        """Settle interrupted attempts and return what is to be sent, oldest first."""
        rows = await self._database.write(_settle)
        return tuple(
            Delivery(
                row[0],
                Address(*row[1:6]),
                row[6],
                draft_id=row[7],
                buttons=tuple((label, data) for label, data in orjson.loads(row[8])),
            )
            for row in rows
        )

    async def draft(self, entry_id: int, message_id: int) -> None:
        """Remember the message an answer is being streamed into."""
        await self._database.write(
            lambda connection: (
                connection.execute("UPDATE journal SET draft_id = ? WHERE id = ?", (message_id, entry_id)).rowcount
            )
        )

    async def draft_of(self, entry_id: int) -> int | None:
        """Return that message."""
        row = await self._database.read(
            lambda connection: connection.execute("SELECT draft_id FROM journal WHERE id = ?", (entry_id,)).fetchone()
        )
        return None if row is None or row[0] is None else int(row[0])


def plan(
    connection: sqlite3.Connection,
    place_no: int,
    scope_no: int,
    exchange_id: int | None,
    parts: tuple[str, ...],
    *,
    buttons: tuple[tuple[str, str], ...],
    draft_id: int | None,
    planned_at: float,
    begins: bool,
    reply_to: int | None = None,
) -> tuple[int, ...]:
    """Add one delivery per part and return their ids, which are consecutive.

    The first part goes into the draft, and is marked as being sent if the attempt ``begins`` with this transaction; the
    last one carries the buttons.
    """
    ids = []
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        begun = begins and number == 0
        row = connection.execute(
            "INSERT INTO deliveries (place_no, scope_no, exchange_id, text, buttons, draft_id, planned_at, state, "
            "attempts, reply_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (
                place_no,
                scope_no,
                exchange_id,
                clean(part),
                orjson.dumps([[clean(label), clean(data)] for label, data in buttons] if last else []).decode(),
                draft_id if number == 0 else None,
                planned_at,
                _SENDING if begun else _PLANNED,
                int(begun),
                reply_to,
            ),
        ).fetchone()
        ids.append(int(row[0]))
    return tuple(ids)


def planned_buttons(connection: sqlite3.Connection, deliveries: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    """Return the buttons of a reply that was planned before, as far as it is still to be sent."""
    row = connection.execute("SELECT buttons FROM deliveries WHERE id = ?", deliveries[-1:] or (0,)).fetchone()
    return () if row is None else tuple((label, data) for label, data in orjson.loads(row[0]))


def _settle(
    connection: sqlite3.Connection,
) -> list[tuple[int, str, int, int, int | None, int | None, str, int | None, str]]:
    connection.execute(
        "UPDATE deliveries SET state = ?, text = '', buttons = '[]', reason = 'interrupted while sending' "
        "WHERE state = ? AND draft_id IS NULL",
        (_UNKNOWN, _SENDING),
    )
    connection.execute("UPDATE deliveries SET state = ? WHERE state = ?", (_PLANNED, _SENDING))
    return connection.execute(
        "SELECT id, door, bot_id, chat_id, topic_id, reply_to, text, draft_id, buttons "
        "FROM deliveries JOIN places ON places.no = place_no WHERE state = ? ORDER BY id",
        (_PLANNED,),
    ).fetchall()
