"""The leases of several workers on one PostgreSQL, and the writes that they fence.

A worker's row says until when it lives; its number is given once, so that it fences: what a lease of another number
stands for is not written.  Signs of life have a thread and a connection of their own: neither a busy event loop nor a
long write may cost a worker its chats.
Only who could itself say for a whole term that it lives declares others gone: after an outage of the database all have
lapsed at once, and the first one back would take everything.  It also ends their sessions: one that is frozen in the
middle of a transaction holds locks that others wait for.
Transactions that touch the same place wait for each other (:meth:`~adapters.postgres.connection.PostgresConnection.
narrow`), so that within a place numbers of journal entries grow in the order of their commits; over places they do not.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import psycopg
import structlog

from adapters.postgres.connection import PostgresConnection, Use, use_schema
from adapters.postgres.database import SCHEMA, PostgresDatabase
from adapters.sqlite.connection import transaction
from adapters.sqlite.conversations.journal import INSERT_ENTRY, SqliteJournal, make_row
from adapters.sqlite.rows.codec import clean_texts, dump_list
from adapters.sqlite.rows.derived import Rooms
from bot.errors import LeaseLost
from bot.messages import Accepted, InboundMessage
from bot.ports.leases import LEADER, LEASE, LeaseCounts, Work
from postgres_session import Values, retype

T = TypeVar("T")
_CHANNEL: Final = "mneme_workers"
_BEATS: Final = 4
"""Signs of life in a term: three may be lost."""
_CONNECT_S: Final = 5
_LOOK_S: Final = 0.05
_TOGETHER_S: Final = 0.005
"""How long word for a worker waits for more: each notice makes its commit wait for every other one's."""
_AT_ONCE: Final = 200
"""Places given away in one transaction."""
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS workers (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    beat_until TIMESTAMPTZ NOT NULL,
    leaving BOOLEAN NOT NULL DEFAULT false,
    gone BOOLEAN NOT NULL DEFAULT false
);
ALTER TABLE workers ADD COLUMN IF NOT EXISTS sessions TEXT;
CREATE TABLE IF NOT EXISTS leases (
    place TEXT COLLATE "C" PRIMARY KEY,
    owner BIGINT REFERENCES workers,
    taken BOOLEAN NOT NULL DEFAULT false
);
CREATE INDEX IF NOT EXISTS leases_owner ON leases (owner);
CREATE INDEX IF NOT EXISTS leases_given ON leases (owner) WHERE NOT taken;
CREATE UNLOGGED TABLE IF NOT EXISTS paces (bot_id BIGINT PRIMARY KEY, slot TIMESTAMPTZ NOT NULL);
ALTER TABLE paces SET UNLOGGED;
CREATE TABLE IF NOT EXISTS changes (number BIGINT NOT NULL);
CREATE OR REPLACE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE changes SET number = number + 1; RETURN NULL;
END $$;
"""
_WATCHED: Final = (
    ("chat_settings", "INSERT OR UPDATE OR DELETE"),
    ("migrated_chats", "INSERT OR UPDATE OR DELETE"),
    ("left_chats", "INSERT OR UPDATE OR DELETE"),
    ("scopes", "UPDATE OF epoch"),
    ("reminders", "INSERT OR UPDATE"),
    ("list_numbers", "INSERT"),
)
"""What workers hold in memory of, and look for when another has changed it: choices, moves, erases, what comes next."""
_MAKE: Final = _TABLES + "".join(
    f"CREATE OR REPLACE TRIGGER {table}_changed AFTER {events} ON {table} "
    "FOR EACH STATEMENT EXECUTE FUNCTION note_change();\n"
    for table, events in _WATCHED
)
_DIGEST: Final = sha256(_MAKE.encode()).hexdigest()
_MADE: Final = (
    "SELECT obj_description(to_regprocedure('note_change()'), 'pg_proc'), "
    "(SELECT count(*) FROM pg_trigger WHERE tgfoid = to_regprocedure('note_change()'))"
)
"""What was made and by how many tables it is used: made again, it waits for all that others do with these tables, and
those for it, in another order (a deadlock that took a sign of life)."""
_LAPSED: Final = "NOT gone AND beat_until < clock_timestamp()"
_CUT: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN workers ON application_name = sessions "  # noqa: S608 - our own
    f"WHERE usename = current_user AND {_LAPSED}"
)
"""Ends what who has lapsed was in the middle of: others wait for its locks, also who is to declare it gone."""
_REAP: Final = f"UPDATE workers SET gone = true WHERE {_LAPSED}"  # noqa: S608 - our own statements
_LIVE: Final = "SELECT id FROM workers WHERE NOT gone"
_OPEN: Final = (
    "SELECT DISTINCT place FROM journal WHERE state = 0 UNION "
    "SELECT key FROM deliveries JOIN places ON places.no = place_no WHERE state < 2 UNION "
    "SELECT key FROM deliveries JOIN places ON places.no = place_no WHERE state = 3 AND offers IS NULL "
    "AND shown_at IS NULL AND doubt IS NULL AND (text <> '' OR file_path IS NOT NULL)"
)
"""Places where something is to be answered, sent or offered."""
_ORPHANS: Final = (
    f"SELECT place FROM ({_OPEN}) AS open WHERE NOT EXISTS "  # noqa: S608 - our own statements
    f"(SELECT 1 FROM leases WHERE leases.place = open.place AND owner IN ({_LIVE})) ORDER BY place LIMIT {_AT_ONCE}"
)
_HOLDER: Final = (
    "SELECT owner, taken FROM leases JOIN workers ON workers.id = owner WHERE leases.place = ? AND NOT gone"
)
_LEADS: Final = _HOLDER.replace("?", f"'{LEADER}'")
_ACCEPT: Final = (
    f"WITH stored AS ({INSERT_ENTRY}) SELECT stored.id, owner, taken, "  # noqa: S608 - our own statements
    f"(SELECT max(id) FROM journal WHERE place = ? AND state = 0) FROM stored LEFT JOIN ({_HOLDER}) AS held ON true"
)
_MANY: Final = 200
_GIVE: Final = (
    "INSERT INTO leases (place, owner) SELECT ?, least.id FROM (SELECT workers.id FROM workers, LATERAL "  # noqa: S608 - our own
    f"(SELECT count(*) AS count FROM (SELECT 1 FROM leases WHERE owner = workers.id AND place <> '{LEADER}' "
    f"LIMIT {_MANY}) AS few) AS held WHERE NOT gone AND NOT leaving AND beat_until > clock_timestamp() "
    "ORDER BY EXISTS (SELECT 1 FROM leases WHERE owner = workers.id AND place >= ? AND place < ?) DESC, count, "
    f"CASE count WHEN {_MANY} THEN random() END, id LIMIT 1) AS least WHERE true "
    "ON CONFLICT (place) DO UPDATE SET owner = excluded.owner, taken = false RETURNING owner"
)
"""To who has another topic of the chat, whose limits one process keeps; else to who has least: of many, any."""


_LATE_S: Final = 0.25
"""How long after it was given a slot may be used; what is slower asks for one that nobody else's follows so long."""
_LONGEST_S: Final = 1.0
_LOST_S: Final = 1.0 + _LATE_S + _LONGEST_S
"""What may have been sent before a crash, or still is by slots that were given before it, is over after so long."""
_SLOT: Final = """
WITH given AS (
    UPDATE paces SET slot = clock_timestamp() + make_interval(secs => %(taken)s) WHERE bot_id = %(bot)s
    AND slot NOT BETWEEN clock_timestamp() AND clock_timestamp() + make_interval(secs => %(most)s) RETURNING true
), begun AS (
    INSERT INTO paces SELECT %(bot)s, clock_timestamp() + make_interval(secs => %(lost)s) ON CONFLICT DO NOTHING
)
SELECT (SELECT * FROM given), CAST(extract(epoch FROM slot - clock_timestamp()) AS DOUBLE PRECISION)
FROM (SELECT) AS always LEFT JOIN paces ON bot_id = %(bot)s
"""
"""Gives the slot of this moment if it is free, or says when it may be.

A crash of the server, and a failover, empty the table: all wait until nothing can come of what it held.  A clock that
was set lets one slot follow the last too early, and none wait for its old time.
"""
_HOLD: Final = (
    "SELECT 1 FROM leases JOIN workers ON workers.id = owner WHERE place = ? AND owner = ? AND NOT gone "
    "FOR UPDATE OF leases"
)
"""Holds a lease until the transaction ends, and gives no row for one that is not ours."""


def now_s() -> float:
    """Return the seconds of a clock that goes on while this process, or its machine, is asleep."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class WorkerDatabase(PostgresDatabase):
    """The database as a worker of several has it; each of the others waits for ``term_s`` before it takes over.

    What is written under a lease raises :class:`~bot.errors.LeaseLost`, and nothing was stored, where it is not ours.
    """

    def __init__(self, url: str, path: Path, rooms: Rooms, *, term_s: float) -> None:
        super().__init__(url, path, rooms)
        self.sessions = f"mneme {os.getpid()} {secrets.token_hex(8)}"
        """What its sessions are called."""
        self._use = Use(name=self.sessions)
        self.term_s = term_s
        self.shared = True
        self.me = 0
        """Its number, once it has joined."""
        self.refused = 0
        """Writes that were not made because another worker had the lease."""

    async def write(self, work: Callable[[sqlite3.Connection], T], touches: tuple[str, ...] = ()) -> T:
        """Write, under the lease of this context if there is one."""
        lease = LEASE.get()
        if lease is None:
            return await super().write(work, touches)

        def fenced(opened: sqlite3.Connection) -> T:
            held = opened.execute(_HOLD, (lease, self.me))
            try:
                return work(opened)
            finally:
                if held.fetchone() is None:
                    raise LeaseLost("another worker has this lease now")

        try:
            return await super().write(fenced, (*touches, lease) if touches else ())
        except LeaseLost:
            self.refused += 1
            raise

    def open_session(self) -> psycopg.Connection[Any]:  # Any: rows
        """Return a session apart from those that read and write, which ends a statement well within a term (blocks)."""
        session = psycopg.connect(self._url, autocommit=True, connect_timeout=_CONNECT_S)
        try:
            use_schema(session, SCHEMA, self.sessions)
            session.execute("SELECT set_config('statement_timeout', %s, false)", (f"{round(self.term_s * 500)}ms",))
        except BaseException:
            session.close()
            raise
        return session

    async def close(self) -> None:
        with self.cutting():
            await super().close()

    def _prepare(self) -> None:
        with self.cutting():
            super()._prepare()

    @contextmanager
    def cutting(self) -> Iterator[None]:
        """End meanwhile what may hold us up: a transaction of one that froze, where nobody else lives to do it."""
        done = threading.Event()
        cutting = threading.Thread(target=self._cut_lapsed, args=(done,), name="mneme cutting", daemon=True)
        cutting.start()
        try:
            yield
        finally:
            done.set()
            cutting.join()

    def _cut_lapsed(self, done: threading.Event) -> None:
        while not done.wait(self.term_s / _BEATS):
            with suppress(psycopg.Error), closing(self.open_session()) as session:
                session.execute(_CUT.encode())

    def _add(self, opened: PostgresConnection) -> None:
        super()._add(opened)
        with transaction(opened.as_sqlite()):
            if opened.execute(_MADE).fetchone() != (_DIGEST, len(_WATCHED)):
                opened.run(f"{_MAKE}COMMENT ON FUNCTION note_change() IS '{_DIGEST}'")
            opened.execute("INSERT INTO changes SELECT 0 WHERE NOT EXISTS (SELECT FROM changes)")


class Heartbeat:
    """Says that a worker lives, in a thread; leads when nobody does; hears what others have for it.

    ``changed`` is called in the thread whenever there may be news.
    """

    def __init__(self, database: WorkerDatabase, changed: Callable[[], None]) -> None:
        self._database = database
        self._changed = changed
        self._until = 0.0
        self._since: float | None = None
        self._stopping = threading.Event()
        self._resigned = False
        self.gone = False
        self.leads = False
        self.reaped = 0
        """How many others it has declared gone."""
        self._thread = threading.Thread(target=self._work, name="mneme heartbeat", daemon=True)

    @property
    def holds(self) -> bool:
        """Whether nobody can have declared us gone yet, as the last sign that was heard goes."""
        return not self.gone and now_s() < self._until

    @property
    def age_s(self) -> float:
        """Seconds since the last sign that was heard."""
        return now_s() - (self._until - self._database.term_s)

    def start(self) -> None:
        self._thread.start()

    def resign(self) -> None:
        self._resigned = True
        self.leads = False

    def end(self) -> None:
        """Let the thread end with the next thing that it hears; :meth:`wait` until it has."""
        self.resign()
        self._stopping.set()

    def wait(self) -> None:
        """Return once the thread has ended (blocks)."""
        self._thread.join()

    def _work(self) -> None:
        try:
            self._live()
        except Exception:  # noqa: BLE001 - the thread's edge: who gives no sign any more must not go on either
            structlog.get_logger().exception("heartbeat broke")
            self.gone, self.leads = True, False
            self._changed()

    def _live(self) -> None:
        session: psycopg.Connection[Any] | None = None  # Any: rows
        pause_s = self._database.term_s / _BEATS
        while not self._stopping.is_set():
            began = now_s()
            try:
                if session is None:
                    session = self._database.open_session()
                    session.execute(f"LISTEN {_CHANNEL}".encode())
                if self.gone:  # we only end, which others that are frozen may hold up
                    session.execute(_CUT.encode())
                else:
                    self.beat(session, began)
                while not self._stopping.is_set() and (left := began + pause_s - now_s()) > 0:
                    heard = {each.payload for each in session.notifies(timeout=left, stop_after=1)}
                    if "" in heard:
                        self._lead(session)
                    if heard & {"", str(self._database.me)}:
                        self._changed()
            except psycopg.Error as error:
                structlog.get_logger().warning("sign of life not given", cause=type(error).__name__)
                self._since = None
                if session is not None:
                    session.close()
                session = None
                self._stopping.wait(min(1.0, pause_s))
        if session is not None:
            session.close()

    def beat(self, session: psycopg.Connection[Any], began: float) -> bool:  # Any: rows
        """Say that we live, and declare who does not; ``False`` once others have declared us gone."""
        me, term_s = self._database.me, self._database.term_s
        lives = session.execute(
            "UPDATE workers SET beat_until = clock_timestamp() + make_interval(secs => %s) "
            "WHERE id = %s AND NOT gone RETURNING 1",
            (term_s, me),
        ).fetchone()
        if lives is None:
            self.gone, self.leads = True, False
            self._changed()
            return False
        self._until = began + term_s
        since = self._since = began if self._since is None else self._since
        if began - since >= term_s:
            session.execute(_CUT.encode())
            if count := session.execute(_REAP.encode()).rowcount:
                self.reaped += count
                structlog.get_logger().warning("worker declared gone", count=count)
                session.execute("SELECT pg_notify(%s, '')", (_CHANNEL,))
        self._lead(session)
        return True

    def _lead(self, session: psycopg.Connection[Any]) -> None:  # Any: rows
        """Take the lead if nobody has it who lives; whoever has it may be frozen and hold the row: it is only read."""
        if self._resigned:
            return
        me = self._database.me
        row = (
            session.execute(_LEADS.encode()).fetchone()
            or session.execute(
                f"INSERT INTO leases (place, owner, taken) SELECT '{LEADER}', id, true FROM workers "  # noqa: S608 - our own
                "WHERE id = %s AND NOT gone FOR SHARE "
                "ON CONFLICT (place) DO UPDATE SET owner = excluded.owner, taken = true "
                f"WHERE leases.owner IS NULL OR leases.owner NOT IN ({_LIVE}) RETURNING owner",
                (me,),
            ).fetchone()
        )
        leads = row is not None and row[0] == me
        if self.leads is not leads:
            self.leads = leads
            structlog.get_logger().info("leads" if leads else "does not lead", worker=me)
            self._changed()


class PostgresLeases:
    """The port :class:`~bot.ports.leases.Leases`; :meth:`join` before use, :meth:`leave` after it."""

    def __init__(self, database: WorkerDatabase) -> None:
        self.database = database
        self.news = asyncio.Event()
        self.is_next: Callable[[str, int, int], bool] = lambda *_: False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._heart = Heartbeat(database, self._tell)
        self._beside: psycopg.Connection[Any] | None = None  # Any: rows
        self._woken: set[str] = set()
        self._waking: asyncio.Task[None] | None = None
        self._asking = threading.Lock()
        self._line = asyncio.Lock()
        self._taken = 0

    def make_journal(self, now: Callable[[], datetime]) -> SharedJournal:
        return SharedJournal(self.database, self, now)

    async def join(self) -> None:
        """Become one of the workers.  Raises :class:`~bot.errors.StorageUnavailable`."""
        self._loop = asyncio.get_running_loop()
        try:
            self.database.me = await asyncio.to_thread(self._enter)
        except psycopg.Error as error:
            raise self.database.explain(retype(error)) from error
        self._heart.start()

    def _enter(self) -> int:
        add = (
            "INSERT INTO workers (beat_until, sessions) "
            "VALUES (clock_timestamp() + make_interval(secs => %s), %s) RETURNING id"
        )
        with closing(self.database.open_session()) as session:  # which waits for nobody's writing
            row = session.execute(add, (self.database.term_s, self.database.sessions)).fetchone()
        assert row is not None  # noqa: S101 - what was inserted is returned
        return int(row[0])

    async def leave(self) -> None:
        self._heart.end()
        with suppress(Exception), self.database.cutting():  # then the others wait for the end of our term
            await self.database.write(
                lambda opened: _change(opened, "UPDATE workers SET gone = true WHERE id = ?", (self.database.me,))
            )
        await asyncio.to_thread(self._heart.wait)
        if self._beside is not None:
            self._beside.close()

    @property
    def gone(self) -> bool:
        return self._heart.gone

    @property
    def leads(self) -> bool:
        return self._heart.leads

    async def look(self) -> Work:
        return await self.database.read(lambda opened: _look(opened, self.database.me))

    async def keep(self, place: str) -> None:
        """Note that a place was taken up."""
        note = "UPDATE leases SET taken = true WHERE place = ? AND owner = ? AND NOT taken"
        self._taken += await self.database.change(note, (place, self.database.me), (place,))

    async def count(self) -> LeaseCounts:
        held = "SELECT count(*) FROM leases WHERE owner = ? AND taken"
        (count,) = await self.database.fetch_one(held, (self.database.me,))
        return LeaseCounts(count, self._taken, self.database.refused, self._heart.reaped, self._heart.age_s)

    async def assign(self) -> None:
        """Give away what is open; forget workers that are gone and the leases that nothing is open of."""
        orphans, gone = await self.database.read(
            lambda opened: (
                [place for (place,) in opened.execute(_ORPHANS)],
                opened.execute("SELECT 1 FROM workers WHERE gone").fetchone(),
            )
        )
        if orphans or gone:
            await self.database.write(lambda opened: _assign(opened, orphans))

    async def hand_over(self) -> None:
        """Have places with open deliveries taken up anew."""
        given = (
            "UPDATE leases SET taken = false WHERE place IN "
            "(SELECT key FROM deliveries JOIN places ON places.no = place_no WHERE state < 2)"
        )
        await self.database.write(lambda opened: _change(opened, given))

    async def release(self, busy: frozenset[str]) -> None:
        """Give back all but some places, and lead no more."""
        self._heart.resign()
        me, kept = self.database.me, dump_list(sorted(busy))

        def give_back(opened: sqlite3.Connection) -> None:
            opened.execute("UPDATE workers SET leaving = true WHERE id = ?", (me,))
            _change(
                opened,
                "UPDATE leases SET owner = NULL, taken = false WHERE owner = ? "
                "AND place NOT IN (SELECT value FROM json_each(?))",
                (me, kept),
            )

        await self.database.write(give_back)

    async def hold(self) -> None:
        """Return while we surely live."""
        while not self._heart.holds:
            if self._heart.gone:
                raise LeaseLost("this worker was silent for longer than its term: others have its chats now")
            await asyncio.sleep(_LOOK_S)

    async def take_slot(self, bot_id: int, interval_s: float, ready: Callable[[], Awaitable[None]]) -> None:
        """Return when it is our turn; whoever is late for it takes another one, which lasts longer."""
        last_s, alone_s = await self._wait_for_slot(bot_id, interval_s, 0.0), _LATE_S
        await ready()
        await self.hold()
        while now_s() > last_s:
            last_s = await self._wait_for_slot(bot_id, interval_s, alone_s)
            alone_s = min(2 * alone_s, _LONGEST_S)
            await self.hold()

    async def _wait_for_slot(self, bot_id: int, interval_s: float, alone_s: float) -> float:
        """Return until when a slot lasts that no other begins in before ``alone_s`` are over.

        In order of arrival; who was late for one, and may have marked what it sends, waits behind nobody.
        """
        values = {"bot": bot_id, "taken": interval_s + alone_s, "lost": _LOST_S, "most": interval_s + _LOST_S}
        async with nullcontext() if alone_s else self._line:
            while True:
                await self.hold()
                asked = now_s()
                try:
                    given, wait_s = await asyncio.to_thread(self._ask, _SLOT, values) or (None, None)
                except psycopg.Error as error:
                    structlog.get_logger().warning("pace not asked", cause=type(error).__name__)
                    wait_s = given = None
                if given:
                    return asked + _LATE_S + alone_s
                await asyncio.sleep(max(_LOOK_S / 10, 1.0 if wait_s is None else wait_s))

    def wake(self, worker: int) -> None:
        """Have a worker look, soon; word that is lost costs a second."""
        self._woken.add(str(worker))
        if self._waking is None or self._waking.done():
            self._waking = asyncio.create_task(self._wake())

    async def _wake(self) -> None:
        await asyncio.sleep(_TOGETHER_S)
        woken, self._woken = self._woken, set()
        with suppress(psycopg.Error):
            await asyncio.to_thread(self._ask, f"SELECT pg_notify('{_CHANNEL}', unnest(%s))", (list(woken),))

    def _ask(self, statement: str, values: Values) -> tuple[Any, ...] | None:  # Any: column values
        with self._asking:
            if self._beside is None or self._beside.closed:
                self._beside = self.database.open_session()
                self._beside.execute("SET synchronous_commit = off")  # a crash of the server forgets a moment
            return self._beside.execute(statement.encode(), values).fetchone()

    def _tell(self) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(self.news.set)


class _Entry(NamedTuple):
    number: int
    owner: int | None
    taken: bool
    """Whether its owner has taken the place up."""
    before: int | None
    """The entry before it that waits in its place."""


class SharedJournal(SqliteJournal):
    """The journal of several workers: who accepts a message also says whose it is, in the same transaction."""

    def __init__(self, database: WorkerDatabase, leases: PostgresLeases, now: Callable[[], datetime]) -> None:
        super().__init__(database, now=now)
        self._shared = database
        self._leases = leases

    async def accept(self, message: InboundMessage) -> Accepted | None:
        """Store the message durably, and give its place to somebody if it is nobody's."""
        stored = clean_texts(message)
        row, me = make_row(stored), self._shared.me
        place = stored.address.key
        entry = await self._shared.write(lambda opened: _accept(opened, row), (place, name_chat(place)))
        if entry is None:
            return None
        if entry.owner != me and entry.owner is not None:
            self._leases.wake(entry.owner)
        here = entry.owner == me and entry.taken and self._leases.is_next(place, entry.number, entry.before or 0)
        return Accepted(entry.number, stored, begun=True, elsewhere=not here)


def name_chat(place: str) -> str:
    """Return what the keys of all places of a chat begin with."""
    return f"{place.rpartition(':')[0]}:"


def _accept(opened: sqlite3.Connection, row: tuple[Any, ...]) -> _Entry | None:  # Any: column values
    place = row[3]
    stored = opened.execute(_ACCEPT, (*row, place, place)).fetchone()
    if stored is None:
        return None
    entry = _Entry(*stored)
    return entry if entry.owner is not None else entry._replace(owner=_give(opened, place), taken=False)


def _give(opened: sqlite3.Connection, place: str) -> int | None:
    """Give a place to who has least; return to whom, ``None`` while nobody surely lives."""
    after = f"{(chat := name_chat(place))[:-1]};"  # what begins like the chat comes before that
    row = opened.execute(_GIVE, (place, chat, after)).fetchone()
    return None if row is None else int(row[0])


def _assign(opened: sqlite3.Connection, orphans: list[str]) -> None:
    for place in orphans:
        if opened.execute(_HOLDER, (place,)).fetchone() is None:
            _give(opened, place)
    if len(orphans) < _AT_ONCE:
        opened.execute(
            f"DELETE FROM leases WHERE place <> ? AND (owner IS NULL OR owner NOT IN ({_LIVE})) "  # noqa: S608 - our own
            f"AND place NOT IN ({_OPEN})",
            (LEADER,),
        )
    _change(opened, "DELETE FROM workers WHERE gone AND NOT EXISTS (SELECT 1 FROM leases WHERE owner = workers.id)")


def _look(opened: sqlite3.Connection, me: int) -> Work:
    given = opened.execute("SELECT place FROM leases WHERE owner = ? AND NOT taken", (me,))
    waiting = opened.execute(
        "SELECT journal.place, max(id) FROM journal JOIN leases ON leases.place = journal.place "
        "WHERE state = 0 AND owner = ? GROUP BY journal.place",
        (me,),
    )
    newest = opened.execute("SELECT coalesce(max(id), 0), (SELECT number FROM changes) FROM journal").fetchone()
    return Work(tuple(row[0] for row in given), tuple(waiting), *newest)


def _change(opened: sqlite3.Connection, statement: str, values: tuple[Any, ...] = ()) -> None:  # Any: column values
    """Change leases and have everybody look when this is committed."""
    opened.execute(statement, values)
    opened.execute(f"SELECT pg_notify('{_CHANNEL}', '')")
