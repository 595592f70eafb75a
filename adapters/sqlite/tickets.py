"""Tickets in the database: one table for buttons, for what waits for consent, and for texts that were asked for.

A restart does not forget what was asked, an erase does; that something is used up is written before it is done.
What a token does, for whom, where and until when stands here alone: the token says nothing, and nobody can guess it.
"""

import hashlib
import json
import re
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

import orjson

from adapters.sqlite.database import Store, reading, writing
from adapters.sqlite.rows.codec import Row, dump_list, ensure_scope, find_scope, get_id_range, split_time
from adapters.sqlite.rows.derived import Room, Table
from adapters.sqlite.sessions import ensure_place, resolve_key
from bot.memory.sanitise import clean
from bot.messages import Address, InboundMessage
from bot.ports.eraser import KeptText
from bot.ports.tickets import Asked, Keyboard, PressRefusal, TicketKind, UsedTicket
from bot.turn import EVERYTHING, Reply

ANYBODY: Final = 0
"""Stands for the asker where whoever reads along may press."""
_TOKEN_BYTES: Final = 18
_MOST: Final = 100
"""Open tickets of a kind kept per scope; the oldest is closed by the next.  Buttons go with their message."""
_KEPT_S: Final = 86_400.0
"""How long a used ticket is kept at least: a turn that a crash interrupted is run again much sooner."""
_UNDO: Final = "/undo"
"""Buttons with this command outlive an erase: they are what takes it back."""
_VIEW: Final = "(?:[a-eg-z][a-z]+|kind:[a-z_]+|(?:by|about):[0-9]+)(?: [0-9]+)?"
_WORDLESS: Final = re.compile(f"/memory (?:show {_VIEW}|open [0-9]+(?: {_VIEW})?|said [a-z0-9]+(?: {_VIEW})?)")
"""Buttons that only look at memory and name nothing but numbers outlive it, too: who presses one is told what is there
now, not that the button has expired.  Those of a search (the one view that begins with an f) hold its words."""
_TEXTS: Final = {
    "item": "SELECT content FROM items WHERE scope_no = ? AND id = ?",
    "turn": "SELECT user_text, assistant_text FROM exchanges WHERE scope_no = ? AND uid = ?",
}
_INSERT: Final = (
    "INSERT INTO tickets (token, kind, scope_no, place_no, asker_id, content, made_at, expires_at, delivery_id, about, "
    "version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_IN_PLACE: Final = "kind = ? AND asker_id = ? AND place_no IN (SELECT no FROM places WHERE key = ?)"
_FIND: Final = (
    # A clock that was set back must not keep a ticket open longer than it was meant to be.
    "SELECT token, content, used_by, outcome, ? BETWEEN 2 * made_at - expires_at AND expires_at FROM tickets "
    "WHERE scope_no = ? AND "
)
_NAMED: Final = (
    "kind = ? AND asker_id = ? AND token = ? AND (place_no IS NULL OR place_no IN "
    "(SELECT no FROM places WHERE door = ? AND bot_id = ? AND chat_id = ?))"
)


class SqliteTickets(Store):
    """The ports :class:`~bot.ports.tickets.Tickets` and :class:`~bot.ports.tickets.Buttons`."""

    @writing
    def issue(
        self,
        connection: sqlite3.Connection,
        kind: TicketKind,
        asked: Asked,
        content: tuple[str, ...],
        now: datetime,
        lasts_s: float,
    ) -> str:
        """Keep a ticket; the newest of a person in a place takes the place of an open one."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        seconds, _ = split_time(now)
        scope_no, place_no = ensure_scope(connection, asked.scope), ensure_place(connection, asked.address)
        connection.execute(
            "DELETE FROM tickets WHERE expires_at < ?1 AND kind <> 'button' AND (used_by IS NULL OR made_at < ?2)",
            (seconds, seconds - _KEPT_S),
        )
        if not _is_named(kind):
            _withdraw(connection, kind, asked)
        connection.execute(
            "DELETE FROM tickets WHERE scope_no = ?1 AND kind = ?2 AND token NOT IN (SELECT token FROM tickets "
            "WHERE scope_no = ?1 AND kind = ?2 ORDER BY made_at DESC LIMIT ?3)",
            (scope_no, kind, _MOST - 1),
        )
        kept = (token, kind, scope_no, place_no, asked.person_id, _dump(content), seconds, seconds + lasts_s)
        connection.execute(_INSERT, (*kept, None, "[]", ""))
        return token

    @reading
    def find(
        self, connection: sqlite3.Connection, kind: TicketKind, asked: Asked, now: datetime, token: str = ""
    ) -> tuple[str, ...] | None:
        row = _find(connection, kind, asked, now, token)
        return None if row is None or row[2] is not None or not row[4] else _load(row[1])

    async def use(
        self, kind: TicketKind, asked: Asked, update_id: int, now: datetime, token: str = ""
    ) -> UsedTicket | None:
        """Use a ticket up; most messages find none, and write nothing."""
        if await self.database.read(lambda connection: _find(connection, kind, asked, now, token)) is None:
            return None
        return await self._use(kind, asked, update_id, now, token)

    @writing
    def _use(
        self, connection: sqlite3.Connection, kind: TicketKind, asked: Asked, update_id: int, now: datetime, token: str
    ) -> UsedTicket | None:
        row = _find(connection, kind, asked, now, token)
        if row is None:
            return None
        found, content, used_by, outcome, open_ = row
        if used_by == update_id:
            return UsedTicket(_load(content), False, None if outcome is None else _load(outcome))
        if used_by is not None or not open_:
            return None
        connection.execute("UPDATE tickets SET used_by = ? WHERE token = ?", (update_id, found))
        return UsedTicket(_load(content), True)

    async def settle(self, token: str, outcome: tuple[str, ...]) -> None:
        await self.database.change("UPDATE tickets SET outcome = ? WHERE token = ?", (_dump(outcome), token))

    async def withdraw(self, kind: TicketKind, asked: Asked) -> None:
        """Wait no longer; most messages find nothing that waits, and write nothing."""
        values = (kind, asked.person_id)

        def waits(connection: sqlite3.Connection) -> bool:
            query = f"SELECT 1 FROM tickets WHERE {_IN_PLACE}"  # noqa: S608 - our own text
            return connection.execute(query, (*values, resolve_key(connection, asked.address))).fetchone() is not None

        if await self.database.read(waits):
            await self.database.write(lambda connection: _withdraw(connection, kind, asked))

    @writing
    def press(
        self, connection: sqlite3.Connection, message: InboundMessage, now: datetime
    ) -> InboundMessage | PressRefusal:
        seconds, _ = split_time(now)
        address = message.address
        row = connection.execute(
            "SELECT delivery_id, scope_no, asker_id, content, about, version, made_at, expires_at, used_by, topic_id "
            "FROM tickets JOIN places ON places.no = place_no "
            "WHERE token = ? AND kind = 'button' AND door = ? AND bot_id = ? AND chat_id = ?",
            (message.text, address.platform, address.bot_id, address.chat_id),
        ).fetchone()
        if row is None:
            return PressRefusal.EXPIRED
        delivery_id, scope_no, asker_id, content, about, version, made_at, expires_at, used_by, topic_id = row
        (command,) = _load(content)
        pressed = replace(message, text=command, address=replace(address, topic_id=topic_id))
        if asker_id not in (ANYBODY, message.author.id):
            return PressRefusal.NOT_YOURS
        if used_by == message.update_id:
            return pressed
        # A clock that was set back must not make a button live longer than it was meant to.
        if used_by is not None or not 2 * made_at - expires_at <= seconds <= expires_at:
            return PressRefusal.EXPIRED
        if _fingerprint_of(connection, scope_no, tuple(orjson.loads(about)), asker_id) != version:
            return PressRefusal.CHANGED
        connection.execute("UPDATE tickets SET used_by = ? WHERE delivery_id = ?", (message.update_id, delivery_id))
        return pressed

    @reading
    def list_open(
        self, connection: sqlite3.Connection, asked: Asked, message_id: int, now: datetime
    ) -> tuple[str, ...]:
        scope_no, seconds = find_scope(connection, asked.scope), split_time(now)[0]
        rows = connection.execute(
            "SELECT content FROM tickets JOIN deliveries ON deliveries.id = delivery_id WHERE tickets.scope_no = ? "
            "AND kind = 'button' AND asker_id IN (?, ?) AND used_by IS NULL AND message_id = ? AND tickets.place_no IN "
            "(SELECT no FROM places WHERE key = ?) AND ? BETWEEN 2 * made_at - expires_at AND expires_at",
            (scope_no, ANYBODY, asked.person_id, message_id, resolve_key(connection, asked.address), seconds),
        ).fetchall()
        return tuple(command for row in rows for command in _load(row[0]))

    async def list_expired(self, now: datetime, limit: int) -> tuple[Keyboard, ...]:
        seconds, _ = split_time(now)
        rows = await self.database.fetch(
            "SELECT delivery_id, door, bot_id, chat_id, topic_id, message_id FROM tickets "
            "JOIN deliveries ON deliveries.id = delivery_id JOIN places ON places.no = tickets.place_no "
            "WHERE kind = 'button' AND expires_at < ? AND used_by IS NULL AND message_id IS NOT NULL "
            "GROUP BY delivery_id, door, bot_id, chat_id, topic_id, message_id ORDER BY min(expires_at) LIMIT ?",
            (seconds, limit),
        )
        return tuple(Keyboard(row[0], Address(*row[1:5]), row[5]) for row in rows)

    async def drop(self, keyboards: tuple[Keyboard, ...], now: datetime) -> None:
        seconds, _ = split_time(now)
        ids = dump_list([keyboard.delivery_id for keyboard in keyboards])
        await self.database.change(
            "DELETE FROM tickets WHERE kind = 'button' AND (delivery_id IN (SELECT value FROM json_each(?)) OR "
            "(expires_at < ? AND (used_by IS NOT NULL OR delivery_id NOT IN (SELECT id FROM deliveries "
            "WHERE state < 2 OR message_id IS NOT NULL))))",
            (ids, seconds),
        )


def make_tokens(reply: Reply) -> tuple[tuple[str, str], ...]:
    """Return label and a new token for each button of a reply."""
    return tuple((clean(label), secrets.token_urlsafe(_TOKEN_BYTES)) for label, _ in reply.buttons)


def store_buttons(
    connection: sqlite3.Connection,
    reply: Reply,
    tokens: tuple[tuple[str, str], ...],
    *,
    delivery_id: int,
    place_no: int,
    scope_no: int,
    asker_id: int,
    made_at: float,
) -> None:
    """Store what each token means: the command of the button in the same place of the reply."""
    shown = (orjson.dumps(reply.about).decode(), _fingerprint_of(connection, scope_no, reply.about, asker_id))
    for (_, token), (_, command) in zip(tokens, reply.buttons, strict=True):
        kept = (token, TicketKind.BUTTON, scope_no, place_no, asker_id, _dump((command,)))
        connection.execute(_INSERT, (*kept, made_at, made_at + reply.buttons_last_s, delivery_id, *shown))


def _dump(content: tuple[str, ...]) -> str:
    return json.dumps(content)  # in ASCII: whatever a text holds is kept letter by letter


def _load(content: str) -> tuple[str, ...]:
    return tuple(json.loads(content))


def _is_named(kind: TicketKind) -> bool:
    return kind in (TicketKind.PROPOSAL, TicketKind.CALL)


def _find(connection: sqlite3.Connection, kind: TicketKind, asked: Asked, now: datetime, token: str) -> Row | None:
    address, scope_no = asked.address, find_scope(connection, asked.scope)
    values = (split_time(now)[0], scope_no, kind, asked.person_id)
    row: Row | None
    if _is_named(kind):
        where = (token, address.platform, address.bot_id, address.chat_id)
        row = connection.execute(_FIND + _NAMED, (*values, *where)).fetchone()
    else:
        row = connection.execute(_FIND + _IN_PLACE, (*values, resolve_key(connection, address))).fetchone()
    return row


def _withdraw(connection: sqlite3.Connection, kind: TicketKind, asked: Asked) -> None:
    connection.execute(
        f"DELETE FROM tickets WHERE {_IN_PLACE}",  # noqa: S608 - our own text
        (kind, asked.person_id, resolve_key(connection, asked.address)),
    )


def _fingerprint_of(connection: sqlite3.Connection, scope_no: int, about: tuple[str, ...], asker_id: int) -> str:
    """Return a fingerprint of what a button is about, as it is now: of everything, what the asker said last."""
    # What others say meanwhile in a group must not keep its admin from what they asked for.
    if not about:
        return ""
    seen = hashlib.sha256()
    for name in about:
        kind, _, key = name.partition(":")
        query = (
            "SELECT epoch, (SELECT id FROM exchanges WHERE id BETWEEN ? AND ? AND author_id = ? ORDER BY id DESC "
            "LIMIT 1) FROM scopes WHERE no = ?"
        )
        values: tuple[int | str, ...] = (*get_id_range(scope_no), asker_id, scope_no)
        if name != EVERYTHING:
            query = _TEXTS[kind]
            values = (scope_no, get_id_range(scope_no)[0] | int(key)) if kind == "item" else (scope_no, key)
        row = connection.execute(query, values).fetchone()
        shown = "\0".join(map(str, row or ("",)))
        seen.update(f"{name}\0{shown}\0".encode())
    return seen.hexdigest()


def _forget(connection: sqlite3.Connection, scope_no: int, _: object) -> None:
    """Forget a scope's tickets, which may hold words of what is erased, but buttons that undo or only look.

    What was taken back is known by names alone.
    """
    rows = connection.execute("SELECT token, kind, content FROM tickets WHERE scope_no = ?", (scope_no,)).fetchall()
    gone = [token for token, kind, content in rows if not _outlives(kind, _load(content))]
    connection.execute("DELETE FROM tickets WHERE token IN (SELECT value FROM json_each(?))", (dump_list(gone),))


def _outlives(kind: str, content: tuple[str, ...]) -> bool:
    """Whether a ticket stays when something of its scope is erased."""
    if kind != TicketKind.BUTTON:
        return kind == TicketKind.UNDONE
    return content[0].startswith(f"{_UNDO} ") or _WORDLESS.fullmatch(content[0]) is not None


def _look(connection: sqlite3.Connection, scope_no: int) -> Iterator[KeptText]:
    """Yield texts that nobody has agreed to remember yet."""
    rows = connection.execute(
        "SELECT token, content FROM tickets WHERE scope_no = ? AND kind = ?", (scope_no, TicketKind.PROPOSAL)
    )
    for token, content in rows:
        yield KeptText(f"{_ROOM}:{token}", _load(content)[0], 0.0, False)


def _drop(connection: sqlite3.Connection, scope_no: int, key: str) -> int:
    statement = "DELETE FROM tickets WHERE scope_no = ? AND token = ? AND kind = ?"
    return connection.execute(statement, (scope_no, key, TicketKind.PROPOSAL)).rowcount


_APPROVE: Final = (
    "INSERT INTO approved_tools VALUES (?, ?, ?) ON CONFLICT (origin, tool) DO UPDATE SET version = excluded.version"
)


class SqliteToolApprovals(Store):
    """The port :class:`~bot.ports.tool.ToolApprovals`."""

    @writing
    def check(self, connection: sqlite3.Connection, origin: str, versions: Mapping[str, str]) -> frozenset[str]:
        known = dict(
            connection.execute("SELECT tool, version FROM approved_tools WHERE origin = ?", (origin,)).fetchall()
        )
        if not known:
            connection.executemany(_APPROVE, [(origin, *approved) for approved in versions.items()])
            return frozenset(versions)
        return frozenset(tool for tool, version in versions.items() if known.get(tool) == version)

    async def approve(self, origin: str, tool: str, version: str) -> None:
        await self.database.change(_APPROVE, (origin, tool, version))


_ROOM: Final = "pending"
ROOM: Final = Room(
    _ROOM,
    (
        Table("tickets", numbered="scope_no", place="place_no"),
        Table("approved_tools", why="names and versions of tools"),
    ),
    version=3,
    file="tickets",
    forget=_forget,
    look=_look,
    drop=_drop,
    dropped=("buttons", "proposals", "pending_calls", "awaited_texts", "reminder_questions"),
)
