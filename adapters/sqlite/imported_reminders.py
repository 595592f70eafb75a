"""Stores imported reminders: those that are still to come, once."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import datetime
from typing import Final

from adapters.sqlite.reminders.rows import load_reminder, select_reminders
from adapters.sqlite.reminders.store import keep_reminder
from adapters.sqlite.rows.scopes import ensure_scope
from adapters.sqlite.rows.sessions import ensure_place
from bot.memory.sanitise import clean
from bot.ports.reminders import Reminder, advance

_ALIKE: Final = select_reminders(
    "WHERE reminders.scope_no = ? AND place_no = ? AND asker_id = ? AND text = ? AND wake_at IS NOT NULL"
)


def add_reminder(connection: sqlite3.Connection, reminder: Reminder, now: datetime) -> bool:
    """Keep a reminder and return whether it is new; one whose time has passed comes at its next, or not at all.

    One of the same words in the same place that comes next at the same time is there already.
    """
    coming = _bring_forward(reminder, now)
    if coming.due_at is None:
        return False
    place_no = ensure_place(connection, reminder.address)
    of = (ensure_scope(connection, reminder.scope), place_no, reminder.asker_id, clean(reminder.text))
    for row in connection.execute(_ALIKE, of):
        there = load_reminder(row)
        if coming.due_at in {there.wake_at, _bring_forward(there, now).due_at}:
            return False
    return keep_reminder(connection, replace(coming, made_at=now)) is not None


def _bring_forward(reminder: Reminder, now: datetime) -> Reminder:
    if reminder.due_at is None or reminder.due_at > now:
        return reminder
    return replace(advance(reminder, now), fired_at=None, fired_due=None)
