"""The conversation store: sessions with their history and chosen skill, and ended ones to be learned from."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final

from adapters.sqlite.chronicle import reword_line
from adapters.sqlite.conversations.deliveries import path_in
from adapters.sqlite.conversations.journal import TurnCommit
from adapters.sqlite.database import Database, Store, TimedStore, reading, writing
from adapters.sqlite.rows.codec import (
    REBUILD_DUE,
    delete_meta,
    find_range,
    find_scope,
    get_id_range,
    join_time,
    list_column,
    load_trace,
    read_meta,
    split_time,
    utc_now,
    write_meta,
)
from adapters.sqlite.rows.derived import list_indexes
from adapters.sqlite.rows.exchanges import (
    list_authors,
    list_told,
    load_exchange,
    load_parts,
    read_before,
    select_exchanges,
)
from adapters.sqlite.rows.items import normalise_item, store_item
from adapters.sqlite.sessions import ensure_place, find_session, find_summary, resolve_key, start_session
from bot.memory.items import Recalled, Trust, merge_forwarded
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.turn_store import (
    AnsweredTurn,
    CommitResult,
    EndedSession,
    Learned,
    RepliedTo,
    SessionListing,
    SessionPage,
    TurnRecord,
)
from bot.turn import Exchange, SaidIn, Session
from language.analyser import Analyser

_CLOSED_AT_ONCE: Final = 500
"""Idle sessions ended in one transaction; the next look ends more."""
_HISTORY: Final = select_exchanges(
    "WHERE session_id = ? AND id BETWEEN ? AND ? AND replaced_by IS NULL ORDER BY id DESC LIMIT ?"
)
_COUNT: Final = "SELECT count(*) FROM exchanges WHERE session_id = ? AND id BETWEEN ? AND ?"
_NTH: Final = "SELECT id FROM exchanges WHERE session_id = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT 1 OFFSET ?"
"""Of all rows, those that an edit replaced as well: both read the index of sessions alone, however long one is."""
_SUMMARISED: Final = select_exchanges(
    "JOIN scopes ON scopes.no = scope_no WHERE session_id = ? AND exchanges.id BETWEEN ? AND ?", "tag"
)
_SUMMING: Final = select_exchanges("WHERE session_id = ? AND id BETWEEN ? AND ? AND replaced_by IS NULL ORDER BY id")
_FOLLOWING: Final = select_exchanges(
    "JOIN scopes ON scopes.no = scope_no WHERE id > ? ORDER BY id LIMIT ?", "scope_no", "tag", "replaced_by"
)
_REBUILD_BATCH: Final = 200
_LAST: Final = (
    "SELECT uid, exchanges.session_id, user_text, assistant_text, said_at, said_offset, trace, parts, "
    "(SELECT coalesce(max(message_id), 0) FROM exchanges WHERE place_no = places.no AND message_id <> 0), scope_no "
    "FROM places JOIN exchanges ON exchanges.id = last_exchange LEFT JOIN traces ON traces.id = exchanges.id "
    "WHERE key = ?"
)
_SAID: Final = "SELECT id, author_id, said_at FROM exchanges WHERE scope_no = ? AND uid = ?"
_ANSWERED: Final = (
    "SELECT exchange_id FROM deliveries WHERE scope_no = ? AND exchange_id IS NOT NULL AND message_id = ? "
    "AND place_no = (SELECT no FROM places WHERE key = ?)"
)
_BY_NUMBER: Final = select_exchanges(
    "WHERE exchanges.id = ?", "(SELECT trace FROM traces WHERE traces.id = exchanges.id)", "replaced_by"
)
_OPENINGS: Final = 5
"""First messages that are read to make a title: the very first may be a greeting."""
_SESSIONS: Final = (
    "SELECT count(*) FROM sessions WHERE place_no = ?1 AND EXISTS (SELECT 1 FROM exchanges "
    "WHERE session_id = sessions.id AND exchanges.id BETWEEN ?2 AND ?3 AND replaced_by IS NULL)"
)
_PAGE: Final = (
    "SELECT sessions.id, started_at, started_offset, count(*), max(said_at), "
    "coalesce((SELECT title FROM session_marks WHERE session_id = sessions.id AND scope_no = ?4), ''), "
    "coalesce((SELECT summary FROM summaries WHERE session_id = sessions.id AND scope_no = ?4), '') "
    "FROM sessions JOIN exchanges ON session_id = sessions.id "
    "WHERE sessions.place_no = ?1 AND exchanges.id BETWEEN ?2 AND ?3 AND replaced_by IS NULL "
    "GROUP BY sessions.id ORDER BY max(said_at) DESC, sessions.id DESC LIMIT ?5 OFFSET ?6"
)
_FIRST_SAID: Final = (
    "SELECT user_text FROM exchanges WHERE session_id = ? AND id BETWEEN ? AND ? AND replaced_by IS NULL "
    "AND user_text <> '' ORDER BY id LIMIT ?"
)
_SKILL_KEY: Final = "skill of session "
_FORGET_ENDED_CHOICES: Final = (
    "DELETE FROM meta WHERE key LIKE ?1 || '%' AND substr(key, length(?1) + 1) NOT IN "
    "(SELECT session_id FROM places WHERE session_id IS NOT NULL)"
)
_CHOICES: Final = (
    "SELECT places.key, session_id, value FROM places JOIN meta ON meta.key = ? || session_id ORDER BY places.no"
)


class SqliteTurns(TimedStore):
    """The ports :class:`~bot.ports.turn_store.TurnStore` and :class:`~bot.ports.turn_store.Sessions`."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(database, now)
        self._indexes = list_indexes(database.rooms)
        self._commit = TurnCommit(Analyser(), database.rooms, lambda file: path_in(database, file))

    async def session(self, address: Address, scope: Scope | None = None) -> Session:
        found = await self.database.read(lambda connection: _find_session(connection, address, scope))
        if found is not None:
            return found
        now = self._now()
        return await self.database.write(
            lambda connection: (
                _find_session(connection, address, scope)
                or _note_state(connection, start_session(connection, ensure_place(connection, address), now), scope)
            ),
            (address.key,),
        )

    @reading
    def history(
        self, connection: sqlite3.Connection, scope: Scope, session_id: int, limit: int, *, step: int = 1
    ) -> tuple[Exchange, ...]:
        _, upto, _ = find_summary(connection, session_id)  # asks who else took part: before the scope is asked for
        low, high = find_range(connection, scope)
        first = max(low, upto + 1)
        if step > 1 and limit > 0:
            (count,) = connection.execute(_COUNT, (session_id, first, high)).fetchone()
            if count > limit:
                beyond = -(-(count - limit) // step) * step
                row = connection.execute(_NTH, (session_id, first, high, beyond)).fetchone()
                first = high + 1 if row is None else row[0]
        rows = connection.execute(_HISTORY, (session_id, first, high, limit)).fetchall()
        return tuple(load_exchange(scope, row) for row in reversed(rows))

    async def commit(self, record: TurnRecord) -> CommitResult:
        now = self._now()
        edits = record.exchange is not None and record.exchange.revises
        touched = () if edits else (record.address.key, record.scope.tag)  # an edit reaches other memories, too
        return await self.database.write(lambda connection: self._commit(connection, record, now), touched)

    @reading
    def last(self, connection: sqlite3.Connection, address: Address) -> AnsweredTurn | None:
        row = connection.execute(_LAST, (resolve_key(connection, address),)).fetchone()
        if row is None:
            return None
        uid, session_id, question, answer, said_at, offset, kept, written, newest, scope_no = row
        typed, parts = load_parts(written, question)
        forwarded = None if typed else merge_forwarded(parts)
        source = None if forwarded is None else forwarded.author
        at = join_time(said_at, offset)
        trace = load_trace(kept)
        trace = trace.using(tuple(_tell_before(connection, scope_no, memory) for memory in trace.memories))
        return AnsweredTurn(uid, session_id, question, answer, at, trace, source, newest)

    @reading
    def find_replied(
        self, connection: sqlite3.Connection, scope: Scope, address: Address, message_id: int
    ) -> RepliedTo | None:
        scope_no = find_scope(connection, scope)
        low, high = get_id_range(scope_no)
        told = [one for one in list_told(connection, address.key, message_id) if low <= one[0] <= high]
        told.sort(key=lambda one: not one[2])  # where none holds, words have put another in its place
        number, answer = (told[0][0] if told else None), False
        if number is None:
            sent = connection.execute(_ANSWERED, (scope_no, message_id, address.key)).fetchone()
            number, answer = (None if sent is None else sent[0]), True
        row = connection.execute(_BY_NUMBER, (number,)).fetchone()
        while row is not None and row[-1] is not None:
            row = connection.execute(_BY_NUMBER, (row[-1],)).fetchone()
        return None if row is None else RepliedTo(load_exchange(scope, row), answer, load_trace(row[-2]))

    @reading
    def list_messages(
        self, connection: sqlite3.Connection, scope: Scope, address: Address, message_id: int
    ) -> tuple[SaidIn, ...]:
        low, high = find_range(connection, scope)
        told = list_told(connection, address.key, message_id)
        return next((said for number, said, current in told if current and low <= number <= high), ())

    @reading
    def list_authors(self, connection: sqlite3.Connection, scope: Scope) -> tuple[tuple[int, str], ...]:
        return list_authors(connection, find_scope(connection, scope))

    async def close(self, address: Address) -> Session:
        now = self._now()  # in the zone of the chat that runs here
        return await self.database.write(
            lambda connection: start_session(connection, ensure_place(connection, address), now)
        )

    async def close_idle(self, before: datetime) -> tuple[tuple[Address, int], ...]:
        return await self._close_idle(before, self._now())

    @writing
    def _close_idle(
        self, connection: sqlite3.Connection, before: datetime, now: datetime
    ) -> tuple[tuple[Address, int], ...]:
        rows = connection.execute(
            "SELECT no, door, bot_id, chat_id, topic_id, sessions.id "
            "FROM sessions JOIN places ON places.session_id = sessions.id "
            "WHERE ended_at IS NULL AND active_at IS NOT NULL AND active_at < ? ORDER BY active_at LIMIT ?",
            (split_time(before)[0], _CLOSED_AT_ONCE),
        ).fetchall()
        for place_no, *_ in rows:
            start_session(connection, place_no, now)
        return tuple((Address(*address), session) for _, *address, session in rows)

    @writing
    def summarise(
        self, connection: sqlite3.Connection, session: Session, summary: str, read: tuple[Exchange, ...]
    ) -> bool:
        """Store a summary, believed no further than what it stands for; of several people's words, as outside text."""
        first, upto, scope = read[0].id, read[-1].id, read[-1].scope
        rows = connection.execute(_SUMMING, (session.id, first, upto)).fetchall()
        unchanged = tuple(load_exchange(scope, row) for row in rows) == read
        if not unchanged or find_summary(connection, session.id)[0] != session.summary:
            return False
        connection.execute(
            "INSERT INTO summaries (session_id, scope_no, summary, upto, trust) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (session_id, scope_no) "
            "DO UPDATE SET summary = excluded.summary, upto = excluded.upto, trust = excluded.trust",
            (session.id, upto >> 32, clean(summary), upto, _find_trust(connection, session.id, upto)),
        )
        return True

    @reading
    def list_sessions(
        self, connection: sqlite3.Connection, address: Address, scope: Scope, *, limit: int, offset: int = 0
    ) -> SessionPage:
        """Return a page of the sessions in which something was said for a scope, the newest first."""
        place = connection.execute(
            "SELECT no, session_id FROM places WHERE key = ?", (resolve_key(connection, address),)
        ).fetchone()
        scope_no = find_scope(connection, scope)
        if place is None:
            return SessionPage((), 0)
        low, high = get_id_range(scope_no)
        (total,) = connection.execute(_SESSIONS, (place[0], low, high)).fetchone()
        rows = connection.execute(_PAGE, (place[0], low, high, scope_no, limit, offset)).fetchall()
        return SessionPage(
            tuple(
                SessionListing(
                    id=session_id,
                    started_at=join_time(started_at, started_offset),
                    active_at=join_time(active_at, started_offset),
                    exchanges=count,
                    title=title,
                    summary=summary,
                    openings=tuple(list_column(connection, _FIRST_SAID, session_id, low, high, _OPENINGS)),
                    current=session_id == place[1],
                )
                for session_id, started_at, started_offset, count, active_at, title, summary in rows
            ),
            total,
        )

    async def rebuild(self) -> int:
        """Derive everything anew if the file was recovered, and return from how many exchanges; 0 if it was not.

        To be awaited at every start.  It is done in pieces, so that messages are accepted meanwhile, and begins anew
        after a crash.
        """
        if await self.database.read(lambda connection: read_meta(connection, REBUILD_DUE)) is None:
            return 0
        done, after = 0, 0
        while rows := await self._rebuild_next(after):
            done, after = done + len(rows), rows[-1]
        await self.database.write(lambda connection: delete_meta(connection, REBUILD_DUE))
        return done

    @writing
    def _rebuild_next(self, connection: sqlite3.Connection, after: int) -> tuple[int, ...]:
        """Index the next exchanges with an id above ``after`` anew and return their ids; () at the end."""
        rows = connection.execute(_FOLLOWING, (after, _REBUILD_BATCH)).fetchall()
        for *columns, scope_no, tag, replaced_by in rows:
            exchange = load_exchange(Scope(tag), tuple(columns))
            for index in self._indexes:
                index.remove(connection, scope_no, (exchange.id,))
                if replaced_by is None and not exchange.synthetic:
                    index.add(connection, scope_no, exchange.id, exchange)
        return tuple(row[0] for row in rows)


def _find_session(connection: sqlite3.Connection, address: Address, scope: Scope | None) -> Session | None:
    found = find_session(connection, address)
    return None if found is None else _note_state(connection, found, scope)


def _note_state(connection: sqlite3.Connection, session: Session, scope: Scope | None) -> Session:
    if scope is None:
        return session
    row = connection.execute("SELECT epoch, exchange_seq FROM scopes WHERE tag = ?", (scope.tag,)).fetchone()
    epoch, heard = row or (0, 0)
    return replace(session, epoch=epoch, heard=heard)


def _find_trust(connection: sqlite3.Connection, session_id: int, upto: int) -> Trust:
    low, _ = get_id_range(upto >> 32)
    rows = connection.execute(_SUMMARISED, (session_id, low, upto)).fetchall()
    said = [load_exchange(Scope(row[-1]), row[:-1]) for row in rows]
    readers = {exchange.author.id for exchange in said}
    return min((exchange.trust_for(reader) for exchange in said for reader in readers), default=Trust.FILE)


def _tell_before(connection: sqlite3.Connection, scope_no: int, memory: Recalled) -> Recalled:
    """Return a memory with what its author said right before it, which was told with it, as far as that is there."""
    found = connection.execute(_SAID, (scope_no, memory.exchange)).fetchone() if memory.role == "user" else None
    if found is None:
        return memory
    number, author_id, said_at = found
    return replace(memory, before=read_before(connection, number, author_id, said_at, memory.text))


class SqliteSkillMemory(Store):
    """Keeps which skill was chosen in a session: a row of ``meta`` per running session with a choice."""

    @writing
    def keep(self, connection: sqlite3.Connection, session_id: int, name: str) -> None:
        """Store the choice, and forget those of sessions that have ended."""
        name = clean(name)
        connection.execute(_FORGET_ENDED_CHOICES, (_SKILL_KEY,))
        write_meta(connection, f"{_SKILL_KEY}{session_id}", name)

    async def list_kept(self) -> tuple[tuple[str, int, str], ...]:
        """Return place, session and skill of every choice that still holds."""
        return tuple(await self.database.fetch(_CHOICES, (_SKILL_KEY,)))


_UNREAD: Final = select_exchanges(
    "WHERE session_id = ? AND id BETWEEN ? AND ? AND replaced_by IS NULL AND synthetic = 0 ORDER BY id LIMIT ?"
)


class SqliteLearningQueue(Store):
    """The port :class:`~bot.ports.turn_store.LearningQueue`."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._words = Analyser()

    async def due(self, now: datetime, limit: int) -> tuple[EndedSession, ...]:
        seconds, _ = split_time(now)
        rows = await self.database.fetch(
            "SELECT session_id, tag, upto, attempts FROM learning JOIN scopes ON scopes.no = scope_no "
            "WHERE next_at <= ? ORDER BY next_at, session_id LIMIT ?",
            (seconds, limit),
        )
        return tuple(EndedSession(session_id, Scope(tag), upto, attempts) for session_id, tag, upto, attempts in rows)

    @reading
    def exchanges(self, connection: sqlite3.Connection, session: EndedSession, limit: int) -> tuple[Exchange, ...]:
        return _read_exchanges(connection, session, limit)

    @writing
    def save_learned(
        self,
        connection: sqlite3.Connection,
        session: EndedSession,
        read: tuple[Exchange, ...],
        learned: Learned,
        at: datetime,
    ) -> EndedSession:
        scope_no = find_scope(connection, session.scope)
        there = _read_exchanges(connection, session, len(read))
        if there != read:
            return session
        for item in learned.items:
            store_item(connection, self._words, scope_no, normalise_item(item, at))
        named = {exchange.uid: exchange for exchange in there}
        for line in learned.lines:
            if line.exchange in named:
                reword_line(connection, named[line.exchange], line.text)
        connection.execute(
            "UPDATE learning SET upto = ?, attempts = 0, reason = '' WHERE session_id = ? AND scope_no = ?",
            (there[-1].id, session.session_id, scope_no),
        )
        return replace(session, upto=there[-1].id, attempts=0)

    async def postpone(self, session: EndedSession, at: datetime, reason: str) -> None:
        seconds, _ = split_time(at)
        await self.database.change(
            "UPDATE learning SET attempts = attempts + 1, next_at = ?, reason = ? "
            "WHERE session_id = ? AND scope_no = (SELECT no FROM scopes WHERE tag = ?)",
            (seconds, clean(reason), session.session_id, session.scope.tag),
        )

    async def finish(self, session: EndedSession) -> None:
        await self.database.change(
            "DELETE FROM learning WHERE session_id = ? AND scope_no = (SELECT no FROM scopes WHERE tag = ?)",
            (session.session_id, session.scope.tag),
        )


def _read_exchanges(connection: sqlite3.Connection, session: EndedSession, limit: int) -> tuple[Exchange, ...]:
    low, high = find_range(connection, session.scope)
    rows = connection.execute(_UNREAD, (session.session_id, max(low, session.upto + 1), high, limit))
    return tuple(load_exchange(session.scope, row) for row in rows)
