"""Buttons in the database: made by the commit of the turn that shows them, used up by a press, gone with their scope.

The data of a button is a token that nobody can guess and that says nothing: what it does, for whom and until when
stands here alone.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import sqlite3
from datetime import datetime
from typing import Final

import orjson

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import dump_list, split_time
from adapters.sqlite.rows.scopes import get_id_range
from bot.memory.sanitise import clean
from bot.messages import Address, InboundMessage
from bot.ports.tickets import Keyboard, PressRefusal
from bot.turn import EVERYTHING, Reply

ANYBODY: Final = 0
"""Stands for the asker where whoever reads along may press."""
_TOKEN_BYTES: Final = 18
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


class SqliteButtons:
    """The port :class:`~bot.ports.tickets.Buttons`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def press(self, message: InboundMessage, now: datetime) -> str | PressRefusal:
        """Use up the buttons under a message and return the pressed one's command, or why nothing is done."""
        seconds, _ = split_time(now)
        return await self._database.write(lambda connection: _press(connection, message, seconds))

    async def list_expired(self, now: datetime, limit: int) -> tuple[Keyboard, ...]:
        """Return keyboards in sight that have expired unused."""
        seconds, _ = split_time(now)
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT delivery_id, door, bot_id, chat_id, topic_id, message_id FROM buttons "
                "JOIN deliveries ON deliveries.id = delivery_id JOIN places ON places.no = buttons.place_no "
                "WHERE expires_at < ? AND pressed_by IS NULL AND message_id IS NOT NULL "
                "GROUP BY delivery_id, door, bot_id, chat_id, topic_id, message_id ORDER BY min(expires_at) LIMIT ?",
                (seconds, limit),
            ).fetchall()
        )
        return tuple(Keyboard(row[0], Address(*row[1:5]), row[5]) for row in rows)

    async def drop(self, keyboards: tuple[Keyboard, ...], now: datetime) -> None:
        """Forget keyboards that were taken away, and what has expired and cannot be seen."""
        seconds, _ = split_time(now)
        ids = dump_list([keyboard.delivery_id for keyboard in keyboards])
        await self._database.write(
            lambda connection: (
                connection.execute(
                    "DELETE FROM buttons WHERE delivery_id IN (SELECT value FROM json_each(?)) OR (expires_at < ? AND "
                    "(pressed_by IS NOT NULL OR delivery_id NOT IN (SELECT id FROM deliveries WHERE state < 2 "
                    "OR message_id IS NOT NULL)))",
                    (ids, seconds),
                ).rowcount
            )
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
    version = _fingerprint_of(connection, scope_no, reply.about, asker_id)
    for (_, token), (_, command) in zip(tokens, reply.buttons, strict=True):
        connection.execute(
            "INSERT INTO buttons (token, delivery_id, scope_no, place_no, asker_id, command, about, version, made_at, "
            "expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                token,
                delivery_id,
                scope_no,
                place_no,
                asker_id,
                clean(command),
                orjson.dumps(reply.about).decode(),
                version,
                made_at,
                made_at + reply.buttons_last_s,
            ),
        )


def forget_buttons(connection: sqlite3.Connection, scope_no: int) -> None:
    """Forget a scope's buttons, which may hold words of what is erased, but those that undo or only look."""
    rows = connection.execute("SELECT token, command FROM buttons WHERE scope_no = ?", (scope_no,)).fetchall()
    gone = [token for token, command in rows if not _outlives(command)]
    connection.execute("DELETE FROM buttons WHERE token IN (SELECT value FROM json_each(?))", (dump_list(gone),))


def _outlives(command: str) -> bool:
    """Whether a button stays when something of its scope is erased."""
    return command.startswith(f"{_UNDO} ") or _WORDLESS.fullmatch(command) is not None


def _press(connection: sqlite3.Connection, message: InboundMessage, seconds: float) -> str | PressRefusal:
    address = message.address
    row = connection.execute(
        "SELECT delivery_id, scope_no, asker_id, command, about, version, made_at, expires_at, pressed_by FROM buttons "
        "JOIN places ON places.no = place_no WHERE token = ? AND door = ? AND bot_id = ? AND chat_id = ?",
        (message.text, address.platform, address.bot_id, address.chat_id),
    ).fetchone()
    if row is None:
        return PressRefusal.EXPIRED
    delivery_id, scope_no, asker_id, command, about, version, made_at, expires_at, pressed_by = row
    if asker_id not in (ANYBODY, message.author.id):
        return PressRefusal.NOT_YOURS
    if pressed_by == message.update_id:
        return str(command)
    # A clock that was set back must not make a button live longer than it was meant to.
    if pressed_by is not None or not 2 * made_at - expires_at <= seconds <= expires_at:
        return PressRefusal.EXPIRED
    if _fingerprint_of(connection, scope_no, tuple(orjson.loads(about)), asker_id) != version:
        return PressRefusal.CHANGED
    connection.execute("UPDATE buttons SET pressed_by = ? WHERE delivery_id = ?", (message.update_id, delivery_id))
    return str(command)


def _fingerprint_of(connection: sqlite3.Connection, scope_no: int, about: tuple[str, ...], asker_id: int) -> str:
    """Return a fingerprint of what a button is about, as it is now: of everything, what the asker said last.

    What others say meanwhile in a group must not keep its admin from what they asked for.
    """
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
