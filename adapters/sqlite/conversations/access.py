"""Pairing: one-time codes, kept as salted hashes, and the users who redeemed one.

A code is burnt after a few wrong tries, so that guessing is hopeless; the tries are counted at the codes, so that
nothing about a stranger is ever stored.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import sqlite3
from datetime import datetime
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import split_time

_TRIES: Final = 100
"""Wrong tries that a code survives, less one."""
_CODES: Final = 5
"""Open codes of a bot: an older one gives way."""


class SqliteAccess:
    """The port :class:`~bot.ports.access.Access`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def is_paired(self, bot_id: int, user_id: int) -> bool:
        """Whether this user redeemed a code of this bot."""
        return await self._database.read(
            lambda connection: (
                connection.execute(
                    "SELECT 1 FROM pairings WHERE bot_id = ? AND user_id = ?", (bot_id, user_id)
                ).fetchone()
                is not None
            )
        )

    async def issue(self, bot_id: int, code: str, expires_at: datetime) -> None:
        """Store a code's hash; the bot's newest five count."""
        salt = os.urandom(16)
        digest = await asyncio.to_thread(_hash, code, salt)
        await self._database.write(
            lambda connection: _issue(connection, (bot_id, salt, digest, split_time(expires_at)[0]))
        )

    async def redeem(self, bot_id: int, user_id: int, code: str, now: datetime) -> bool:
        """Pair the user if the code is good; it is used up by that, also when two redeem it at once."""
        seconds, _ = split_time(now)
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT id, salt, hash FROM pairing_codes WHERE bot_id = ? AND expires_at > ?", (bot_id, seconds)
            ).fetchall()
        )
        if not rows:
            return False
        match = await asyncio.to_thread(_match, code, rows)
        if match is None:
            await self._database.write(lambda connection: _count_wrong_try(connection, bot_id))
            return False
        return await self._database.write(lambda connection: _pair(connection, match, bot_id, user_id, seconds))

    async def unpair(self, bot_id: int, user_id: int) -> bool:
        """Take a user's pairing back; ``False`` if there was none."""
        return await self._database.write(
            lambda connection: (
                connection.execute("DELETE FROM pairings WHERE bot_id = ? AND user_id = ?", (bot_id, user_id)).rowcount
                == 1
            )
        )

    async def list_paired(self, bot_id: int) -> tuple[int, ...]:
        """Return the users paired with this bot, by id."""
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT user_id FROM pairings WHERE bot_id = ? ORDER BY user_id", (bot_id,)
            ).fetchall()
        )
        return tuple(row[0] for row in rows)


def _hash(code: str, salt: bytes) -> bytes:
    """Return a slow hash (RFC 7914, 8 MiB), so that a stolen file does not give away an open code."""
    return hashlib.scrypt(code.strip().encode(errors="replace"), salt=salt, n=2**13, r=8, p=1)


def _match(code: str, rows: list[tuple[int, bytes, bytes]]) -> int | None:
    found = None
    for code_id, salt, digest in rows:
        if hmac.compare_digest(_hash(code, salt), digest):
            found = code_id
    return found


def _issue(connection: sqlite3.Connection, values: tuple[int, bytes, bytes, float]) -> None:
    connection.execute("INSERT INTO pairing_codes (bot_id, salt, hash, expires_at) VALUES (?, ?, ?, ?)", values)
    connection.execute(
        "DELETE FROM pairing_codes WHERE bot_id = ?1 AND id NOT IN "
        "(SELECT id FROM pairing_codes WHERE bot_id = ?1 ORDER BY id DESC LIMIT ?2)",
        (values[0], _CODES),
    )


def _count_wrong_try(connection: sqlite3.Connection, bot_id: int) -> None:
    connection.execute("UPDATE pairing_codes SET tries = tries + 1 WHERE bot_id = ?", (bot_id,))
    connection.execute("DELETE FROM pairing_codes WHERE bot_id = ? AND tries >= ?", (bot_id, _TRIES))


def _pair(connection: sqlite3.Connection, code_id: int, bot_id: int, user_id: int, seconds: float) -> bool:
    if connection.execute("DELETE FROM pairing_codes WHERE id = ?", (code_id,)).rowcount != 1:
        return False
    connection.execute("INSERT INTO pairings VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (bot_id, user_id, seconds))
    return True
