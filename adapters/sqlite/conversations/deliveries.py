"""The log of replies that keeps one from being sent twice: marked before the attempt, settled after it.

A reply of unknown fate keeps its text, without secrets, and its chat is offered to see it again.
Files that go with replies lie below the database's folder.  A trigger writes down every path that a row lets go of,
until the file is off the disk, so that neither a crash nor an erase leaves one behind.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import orjson
import structlog

from adapters.sqlite.database import Database, TimedStore, writing
from adapters.sqlite.rows.codec import Row, clean_texts, dump_list, split_time
from adapters.sqlite.tickets import ANYBODY, make_tokens, store_buttons
from bot.files import OutboundFile
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import Source, redact
from bot.messages import LOST_DRAFT, Address
from bot.ports.messenger import Delivery, DeliveryOutcome, Fate, OfferWords, Undelivered
from bot.turn import Reply, ReplyKind

_PLANNED: Final = 0
_SENDING: Final = 1
_SENT: Final = 2
_UNKNOWN: Final = 3
_REFUSED: Final = 4
_STATES: Final = {Fate.SENT: _SENT, Fate.UNKNOWN: _UNKNOWN, Fate.REFUSED: _REFUSED}
_FATES: Final = {state: fate for fate, state in _STATES.items()}
_OFFERS: Final = 3
"""An offer is made so often at most, when nobody knows whether the ones before arrived."""

_OFFER_S: Final = 3 * 86_400.0
"""How long an offer's button may be pressed: as long as the text is kept."""

_PLANNED_REPLIES: Final = (
    "SELECT deliveries.id, door, bot_id, chat_id, topic_id, reply_to, text, draft_id, buttons, file_path, file_name "
    "FROM deliveries JOIN places ON places.no = place_no WHERE state = ?2 AND (?1 IS NULL OR places.key = ?1) "
    "ORDER BY deliveries.id"
)
_THERE: Final = "(?1 IS NULL OR place_no = (SELECT no FROM places WHERE key = ?1))"
_IN_DOUBT: Final = (
    "SELECT deliveries.id, door, bot_id, chat_id, topic_id, reply_to, text, draft_id, buttons, file_path, file_name "
    "FROM deliveries JOIN places ON places.no = place_no "
    "WHERE places.key = ?1 AND state = 3 AND offers IS NULL AND (text <> '' OR file_path IS NOT NULL) "
    "AND ((?2 IS NULL AND shown_at IS NULL) OR doubt = ?2) ORDER BY deliveries.id"
)
"""Replies of unknown fate in a place that were not shown again, or those of one offer."""
_SAID_LAST: Final = (
    "SELECT user_text FROM places JOIN exchanges ON exchanges.id = last_exchange WHERE places.no = ? "
    "AND user_text <> ''"
)
_UNOFFERED: Final = (
    "SELECT deliveries.id, place_no, scope_no, doubt, text, door, bot_id, chat_id, topic_id "
    "FROM deliveries JOIN places ON places.no = place_no "
    "WHERE (?1 IS NULL OR places.key = ?1) "
    "AND state = 3 AND offers IS NULL AND shown_at IS NULL AND (text <> '' OR file_path IS NOT NULL) "
    "AND (doubt IS NULL OR NOT EXISTS "
    "(SELECT 1 FROM deliveries AS made WHERE made.offers = deliveries.doubt AND made.state <> 3) "
    "AND (SELECT count(*) FROM deliveries AS made WHERE made.offers = deliveries.doubt) < ?2) ORDER BY deliveries.id"
)
"""Replies in doubt whose chat was not told, or may not have been."""


class SqliteDeliveries(TimedStore):
    """The ports :class:`~bot.ports.messenger.Deliveries` and :class:`~bot.ports.messenger.UncertainDeliveries`.

    Text and file are dropped when their reply was sent or refused.
    """

    async def begin_attempt(self, delivery_id: int) -> bool:
        begin = "UPDATE deliveries SET state = ?, attempts = attempts + 1 WHERE id = ? AND state = ?"
        return await self.database.change(begin, (_SENDING, delivery_id, _PLANNED), _name(delivery_id)) == 1

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        row = await self.database.write(
            lambda connection: _record_outcome(connection, delivery_id, outcome, self._seconds()), _name(delivery_id)
        )
        await self._settle_files([row] if outcome.fate is Fate.UNKNOWN else [], dropped=row is not None)

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        await self.database.change(
            "UPDATE deliveries SET state = ?, reason = ?, "
            "draft_id = CASE WHEN ? = 1 THEN NULL ELSE draft_id END WHERE id = ? AND state = ?",
            (_PLANNED, clean(reason), draft_gone, delivery_id, _SENDING),
            _name(delivery_id),
        )

    async def list_unsent(self, address: Address | None = None) -> tuple[Delivery, ...]:
        key = None if address is None else address.key
        interrupted, rows = await self.database.write(
            lambda connection: _end_interrupted(connection, self._seconds(), key)
        )
        await self._settle_files(interrupted)
        if address is None:
            await remove_unclaimed_files(self.database, older_than_s=0.0)  # nothing is at work yet
        return tuple(map(self._load, rows))

    async def draft(self, entry_id: int, message_id: int | None) -> None:
        touched = (f"entry {entry_id}",)
        await self.database.change("UPDATE journal SET draft_id = ? WHERE id = ?", (message_id, entry_id), touched)

    async def find_draft(self, entry_id: int) -> int | None:
        row = await self.database.fetch_one("SELECT draft_id FROM journal WHERE id = ?", (entry_id,))
        return None if row is None or row[0] is None else int(row[0])

    async def find_answer(self, address: Address, message_id: int) -> int | None:
        rows = await self.database.fetch(
            "SELECT deliveries.message_id, state, file_name FROM deliveries WHERE exchange_id = "
            "(SELECT id FROM exchanges WHERE place_no = (SELECT no FROM places WHERE key = ?) "
            "AND message_id = ? AND message_id <> 0 "
            "ORDER BY id DESC LIMIT 1) AND offers IS NULL",
            (address.key, message_id),
        )
        return rows[0][0] if len(rows) == 1 and rows[0][1:] == (_SENT, None) else None

    async def list_uncertain_chats(self, address: Address | None = None) -> tuple[Address, ...]:
        key = None if address is None else address.key
        rows = await self.database.fetch(_UNOFFERED, (key, _OFFERS))
        return tuple(dict.fromkeys(Address(*row[5:]) for row in rows))

    @writing
    def offer(
        self, connection: sqlite3.Connection, address: Address, words: Callable[[str], OfferWords]
    ) -> Delivery | None:
        rows = connection.execute(_UNOFFERED, (address.key, _OFFERS)).fetchall()
        if not rows:
            return None
        first, place_no, scope_no, doubt, text, *_ = rows[0]
        together = [row[0] for row in rows if row[2:4] == (scope_no, doubt)]
        doubt = first if doubt is None else doubt
        (said_last,) = connection.execute(_SAID_LAST, (place_no,)).fetchone() or ("",)
        said = words(said_last or text)
        shown = said.tell(len(together))
        offer = Reply(shown, ReplyKind.NOTICE, ((said.show, f"/again {doubt}"),), buttons_last_s=_OFFER_S)
        (offer_id,), buttons = plan_deliveries(
            connection, place_no, scope_no, offer, (shown,), planned_at=self._seconds(), asker_id=ANYBODY
        )
        connection.execute("UPDATE deliveries SET offers = ? WHERE id = ?", (doubt, offer_id))
        connection.executemany("UPDATE deliveries SET doubt = ? WHERE id = ?", [(doubt, one) for one in together])
        return Delivery(offer_id, address, shown, buttons=buttons)

    @writing
    def list_for_repetition(
        self, connection: sqlite3.Connection, address: Address, doubt: int | None = None
    ) -> tuple[Delivery, ...]:
        rows = connection.execute(_IN_DOUBT, (address.key, doubt)).fetchall()
        shown = [(self._seconds(), row[0]) for row in rows]
        connection.executemany("UPDATE deliveries SET shown_at = ? WHERE id = ?", shown)
        return tuple(map(self._load, rows))

    async def list_undelivered(self, address: Address | None = None) -> tuple[Undelivered, ...]:
        rows = await self.database.fetch(
            "SELECT door, bot_id, chat_id, topic_id, state, replies, reason FROM (SELECT count(*) AS replies, "
            "max(id) AS newest FROM deliveries WHERE state > 2 AND offers IS NULL AND shown_at IS NULL "
            "GROUP BY place_no, state) AS counted JOIN deliveries ON deliveries.id = newest "
            "JOIN places ON places.no = place_no WHERE ?1 IS NULL OR places.key = ?1 ORDER BY newest DESC",
            (address.key if address is not None else None,),
        )
        return tuple(Undelivered(Address(*row[:4]), _FATES[row[4]], row[5], row[6]) for row in rows)

    def _seconds(self) -> float:
        return split_time(self._now())[0]

    def _load(self, row: Row) -> Delivery:
        buttons = tuple((label, data) for label, data in orjson.loads(row[8]))
        file = file_at(self.database, row[9], row[10])
        return Delivery(row[0], Address(*row[1:6]), row[6], draft_id=row[7], buttons=buttons, file=file)

    async def _settle_files(self, kept: list[_File | None], *, dropped: bool = True) -> None:
        """Take the secrets out of files that are kept to be shown again; delete those that nothing is kept of."""
        for file in [file_at(self.database, *row) for row in kept if row is not None]:
            if file is not None:
                await asyncio.to_thread(mask_secrets, file)
        if dropped:
            await remove_dropped_files(self.database)


def _name(delivery_id: int) -> tuple[str]:
    """Return what a write touches that changes nothing but this delivery."""
    return (f"delivery {delivery_id}",)


def ask_numbers(connection: sqlite3.Connection, count: int) -> Sequence[sqlite3.Cursor | None]:
    """Ask for numbers of deliveries, together with what is asked before they are planned; SQLite needs none."""
    ask = getattr(connection, "ask_number", None)
    return [None if ask is None else ask("deliveries") for _ in range(count)]


def plan_deliveries(
    connection: sqlite3.Connection,
    place_no: int,
    scope_no: int,
    reply: Reply,
    parts: tuple[str, ...],
    *,
    planned_at: float,
    asker_id: int | None,
    numbers: Sequence[sqlite3.Cursor | None] = (),
    exchange_id: int | None = None,
    draft_id: int | None = None,
    begins: bool = False,
    reply_to: int | None = None,
    file: tuple[str, str] | None = None,
) -> tuple[tuple[int, ...], tuple[tuple[str, str], ...]]:
    """Add one delivery per part and return their ids, which ascend, and the buttons as they are shown.

    The first part goes into the draft, and is marked as being sent if the attempt ``begins`` with this transaction; the
    last one carries the buttons, which ``asker_id`` alone may press (``None``: they are no tickets), and the ``file``,
    its path and its name, which no draft can become.  If nobody knows whether the draft is there, nobody knows what the
    chat shows: no part of the answer is sent, and all of it is in doubt.
    """
    lost = draft_id == LOST_DRAFT
    buttons = reply.buttons if asker_id is None else make_tokens(reply)
    ids, shown = [], clean_texts(tuple(buttons))
    asked = numbers or ask_numbers(connection, len(parts))
    known = [None if each is None else int(each.fetchone()[0]) for each in asked]
    for number, (part, own) in enumerate(zip(clean_texts(tuple(parts)), known, strict=True)):
        last = number == len(parts) - 1
        begun = begins and number == 0 and not lost
        row = connection.execute(
            "INSERT INTO deliveries (id, place_no, scope_no, exchange_id, text, buttons, draft_id, planned_at, state, "
            "attempts, reason, ended_at, reply_to, file_path, file_name) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (
                own,
                place_no,
                scope_no,
                exchange_id,
                redact(part).text if lost else part,
                orjson.dumps(shown if last else ()).decode(),
                draft_id if number == 0 and not lost and not (last and file) else None,
                planned_at,
                _UNKNOWN if lost else _SENDING if begun else _PLANNED,
                int(begun or lost),
                "nobody knows whether its beginning was shown" if lost else "",
                planned_at if lost else None,
                reply_to,
                *(file if file is not None and last else (None, None)),
            ),
        )
        ids.append(int(row.fetchone()[0]) if own is None else own)
    if asker_id is not None and ids:
        store_buttons(
            connection,
            reply,
            buttons,
            delivery_id=ids[-1],
            place_no=place_no,
            scope_no=scope_no,
            asker_id=asker_id,
            made_at=planned_at,
        )
    return tuple(ids), buttons


def read_buttons(connection: sqlite3.Connection, deliveries: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    """Return the buttons of a reply that was planned before, as far as it is still to be sent."""
    row = connection.execute("SELECT buttons FROM deliveries WHERE id = ?", deliveries[-1:] or (0,)).fetchone()
    return () if row is None else tuple((label, data) for label, data in orjson.loads(row[0]))


_File = tuple[str, str]
"""Path and name of a delivery's file."""


def _record_outcome(
    connection: sqlite3.Connection, delivery_id: int, outcome: DeliveryOutcome, now: float
) -> _File | None:
    row = connection.execute(
        "SELECT text, file_path, file_name FROM deliveries WHERE id = ?", (delivery_id,)
    ).fetchone()
    kept = redact(row[0]).text if row is not None and outcome.fate is Fate.UNKNOWN else None
    connection.execute(
        "UPDATE deliveries SET state = ?1, message_id = ?2, reason = ?3, ended_at = ?4, text = coalesce(?5, ''), "
        "buttons = CASE WHEN ?6 = 1 THEN buttons ELSE '[]' END, "
        "file_path = CASE WHEN ?6 = 1 THEN file_path END WHERE id = ?7",
        (_STATES[outcome.fate], outcome.message_id, clean(outcome.reason), now, kept, kept is not None, delivery_id),
    )
    return (row[1], row[2]) if row is not None and row[1] is not None else None


def _end_interrupted(
    connection: sqlite3.Connection, now: float, key: str | None
) -> tuple[list[_File | None], list[Row]]:
    """Return the files of what was interrupted, everywhere or in one place, and the rows that are to be sent."""
    interrupted = connection.execute(
        f"SELECT id FROM deliveries WHERE state = ?2 AND draft_id IS NULL AND {_THERE}",  # noqa: S608 - our own
        (key, _SENDING),
    ).fetchall()
    unknown = DeliveryOutcome(Fate.UNKNOWN, reason="interrupted while sending")
    files = [_record_outcome(connection, delivery_id, unknown, now) for (delivery_id,) in interrupted]
    connection.execute(
        f"UPDATE deliveries SET state = ?3 WHERE state = ?2 AND {_THERE}",  # noqa: S608 - our own
        (key, _SENDING, _PLANNED),
    )
    return files, connection.execute(_PLANNED_REPLIES, (key, _PLANNED)).fetchall()


OUTGOING: Final = "outgoing"
"""The folder beside the database in which files lie that are made for a reply."""
_UNCLAIMED_S: Final = 3600.0
"""A file that no reply refers to yet is left alone so long: its turn may still be at work."""
_TEXTS: Final = (".md", ".txt")
_DROPPED: Final = "SELECT path FROM dropped_files WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE file_path = path)"


def path_in(database: Database, file: OutboundFile) -> str:
    """Return where a file lies below the database's folder.  Raises ``ValueError`` for one that lies elsewhere."""
    return file.path.resolve().relative_to(database.path.parent.resolve()).as_posix()


def file_at(database: Database, path: str | None, name: str | None) -> OutboundFile | None:
    """Return the file of a row, ``None`` if it has none."""
    return None if path is None else OutboundFile(database.path.parent / path, name or "")


async def remove_dropped_files(database: Database) -> None:
    """Delete the files that rows let go of and no other row refers to."""
    paths = [path for (path,) in await database.fetch(_DROPPED)]
    if not paths:
        return
    folder = database.path.parent
    gone = await asyncio.to_thread(lambda: [path for path in paths if _unlink(folder / path)])
    await database.change(
        "DELETE FROM dropped_files WHERE path IN (SELECT value FROM json_each(?))", (dump_list(gone),)
    )


async def remove_unclaimed_files(database: Database, *, older_than_s: float = _UNCLAIMED_S) -> None:
    """Delete what was made for a reply that was never planned: the turn failed, or the process died before."""
    await remove_dropped_files(database)
    kept = await database.fetch("SELECT file_path FROM deliveries WHERE file_path IS NOT NULL")
    needed = {path for (path,) in kept}
    await asyncio.to_thread(_remove_others, database.path.parent, needed, time.time() - older_than_s)


def mask_secrets(file: OutboundFile) -> None:
    """Rewrite a text without its secrets: it is kept for longer than the moment in which it was sent."""
    if not file.name.casefold().endswith(_TEXTS):
        return
    with suppress(OSError, UnicodeDecodeError):
        text = file.path.read_text(encoding="utf-8")
        if (masked := redact(text, Source.DOCUMENT)).kinds:
            file.path.write_text(masked.text, encoding="utf-8")


def _unlink(path: Path) -> bool:
    """Return whether a file is off the disk now."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        structlog.get_logger().error("outgoing file not deleted", cause=error.strerror)
        return False
    return True


def _remove_others(folder: Path, needed: set[str], made_before: float) -> None:
    outgoing = folder / OUTGOING
    if not outgoing.is_dir():
        return
    for path in outgoing.iterdir():
        with suppress(OSError):  # gone meanwhile
            if f"{OUTGOING}/{path.name}" not in needed and path.stat().st_mtime < made_before:
                path.unlink()
