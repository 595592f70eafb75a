"""A session with PostgreSQL that is shaped like a connection of :mod:`sqlite3`, for stores that have both engines.

Its errors are sqlite3's, too, so that whoever expects a refusal meets it.  A session that was lost is made anew at the
next statement outside a transaction; what was under way on it has failed.

Statements of a transaction are sent together, once a result is looked at or with the commit.  So a refusal may show
itself at a later statement; at the latest, nothing is committed.

What SQLite's statements and schemas are in PostgreSQL's dialect, as far as the stores with both engines say them.
"""

import itertools
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, cast

import psycopg
from psycopg import pq
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.types.numeric import Int8Dumper

Values = Sequence[Any] | Mapping[str, Any]  # Any: column values
Translate = Callable[[str, Values], tuple[str, Values]]
"""Says a statement and its values in PostgreSQL's dialect."""
_CONNECT_S: Final = 5
ALIVE: Final = {"tcp_keepalives_idle": 10, "tcp_keepalives_interval": 5, "tcp_keepalives_count": 3}
"""Settings with which a lock of a machine that is gone is free within half a minute."""
_FAILED: Final = (pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.PIPELINE_ABORTED, pq.ExecStatus.BAD_RESPONSE)
_LOST: Final = ("08", "57", "25006", "25P", "40", "53", "58", "XX")
"""Beginnings of the codes for what passes: connection, shutdown, read-only, deadlock, resources, system, damage."""


class LostConnection(sqlite3.OperationalError):
    """What was asked could not be done now; ``reason`` is PostgreSQL's code, without a value.

    ``unsure``: nobody could say whether it was.
    """

    def __init__(self, reason: str, *, unsure: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.unsure = unsure


class Result:
    """What a statement returns; to ask is to have it sent, with all that was to be sent before, and to wait."""

    __slots__ = ("_send", "cursor", "refused")

    def __init__(self, send: Callable[[], None]) -> None:
        self._send = send
        self.cursor: psycopg.Cursor[Any] | None = None
        self.refused: sqlite3.Error | None = None
        """Why nothing came of it: told to everybody who asks."""

    def fetchone(self) -> Any:  # Any: column values
        """Return the next row, ``None`` after the last."""
        return self._get().fetchone()

    def fetchall(self) -> list[Any]:  # Any: as above
        """Return the rows that are left."""
        return self._get().fetchall()

    def __iter__(self) -> Iterator[Any]:  # Any: as above
        return iter(self.fetchall())

    @property
    def rowcount(self) -> int:
        """How many rows were written."""
        return self._get().rowcount

    def _get(self) -> psycopg.Cursor[Any]:
        if self.cursor is None and self.refused is None:
            self._send()
        if self.refused is not None:
            raise self.refused
        if self.cursor is None:
            raise sqlite3.OperationalError("what was to be sent before was refused")
        return self.cursor


class PostgresSession:
    """One session at ``url``; ``prepare`` is run on every new one, ``begin`` is how its transactions begin.

    ``reads``: it writes nothing.  ``renewed`` is called when it was made anew.
    """

    def __init__(
        self,
        url: str,
        prepare: Callable[[psycopg.Connection[Any]], None],
        translate: Translate,
        *,
        begin: str = "BEGIN",
        reads: bool = False,
        renewed: Callable[[], None] = lambda: None,
    ) -> None:
        self._url, self._prepare, self._translate = url, prepare, translate
        self._begin, self._reads, self._renewed = begin, reads, renewed
        self._waiting: list[tuple[Result, Callable[[], psycopg.Cursor[Any]]]] = []
        self._within = False
        """Whether a transaction was begun and not ended; then a lost session is not made anew unnoticed."""
        self._sent = False
        """Whether anything of it was sent."""
        self._session = self._connect()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, also a failed one; a lost session has none."""
        return bool(self._waiting) or self._session.info.transaction_status in (
            pq.TransactionStatus.INTRANS,
            pq.TransactionStatus.INERROR,
        )

    def execute(self, statement: str, values: Values = (), *, binary: bool = False) -> Result:
        """Run a statement of the stores and return what it returns; ``binary``: not by way of texts, for many bytes."""
        if statement.startswith("BEGIN"):
            return self._start()
        if statement == "COMMIT":
            return self._commit()
        if statement.startswith("RELEASE"):
            self._send()  # or else the next one to ask would be told
        elif statement.startswith("ROLLBACK"):
            with suppress(sqlite3.Error):  # that is why
                self._send()
        if statement == "ROLLBACK" and self._reads:
            statement = "COMMIT"  # psycopg forgets every prepared statement with a rollback
        wanted, fitted = self._translate(statement, values)
        result = self._add(lambda: self._session.execute(wanted.encode(), fitted, binary=binary))
        if statement.startswith("ROLLBACK") or statement == "COMMIT":
            self._send()
            self._within = " TO " in statement
        return result

    def executemany(self, statement: str, rows: Iterable[Values]) -> Result:
        """Run a statement once per row of values."""
        told = [self._translate(statement, values) for values in rows]

        def run() -> psycopg.Cursor[Any]:
            cursor = self._session.cursor()
            if told:
                cursor.executemany(told[0][0].encode(), [fitted for _, fitted in told])
            return cursor

        return self._add(run)

    def run(self, script: str) -> None:
        """Run statements that are PostgreSQL's own, without values."""
        self._send()
        try:
            self._ensure()
            self._session.execute(script.encode(), prepare=False)
        except psycopg.Error as error:
            raise retype(error) from None

    def as_sqlite(self) -> sqlite3.Connection:
        """Return itself as what stores and threads call it: of sqlite3's methods it has those that they use."""
        return cast("sqlite3.Connection", self)

    def close(self) -> None:
        """End the session."""
        self._session.close()

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            session = psycopg.connect(self._url, autocommit=True, connect_timeout=_CONNECT_S, prepare_threshold=1)
            try:
                _adapt(session)
                self._prepare(session)
            except BaseException:
                session.close()
                raise
        except psycopg.Error as error:
            raise retype(error) from None
        return session

    def _ensure(self) -> None:
        """Make a session that was lost anew, unless that would go on in the middle of a transaction."""
        if self.in_transaction or not self._session.closed:
            return
        if self._within:
            self._within = False
            raise LostConnection(CUT)
        self._reconnect()

    def _reconnect(self) -> None:
        self._session = self._connect()
        self._renewed()

    def _start(self) -> Result:
        self._waiting.clear()
        self._within = False
        self._ensure()
        self._within, self._sent = True, False
        begun = Result(self._send)
        self._waiting.append((begun, lambda: self._session.execute(self._begin.encode())))
        return begun

    def _add(self, run: Callable[[], psycopg.Cursor[Any]]) -> Result:
        """Let a statement of a transaction wait until something is to be known."""
        self._ensure()
        result, inside = Result(self._send), self.in_transaction
        self._waiting.append((result, run))
        if not inside:
            self._send()
        return result

    def _send(self) -> None:
        """Send what waits, all at once, and wait until it is done."""
        waiting, self._waiting = self._waiting, []
        first, self._sent = not (self._within and self._sent), True
        try:
            try:
                self._send_all(waiting)
            except psycopg.Error:
                if not (first and self._session.closed):
                    raise
                for result, _ in waiting:
                    result.cursor = None
                self._reconnect()  # it was lost while nothing was asked, which only asking shows
                self._send_all(waiting)
        except psycopg.Error as error:
            refused = retype(error)
            for result, _ in waiting:  # those before the refused one have what they asked for
                if result.cursor is None or result.cursor.pgresult is None or result.cursor.pgresult.status in _FAILED:
                    result.cursor, result.refused = None, refused
            raise refused from None

    def _send_all(self, waiting: list[tuple[Result, Callable[[], psycopg.Cursor[Any]]]]) -> None:
        if len(waiting) == 1:
            waiting[0][0].cursor = waiting[0][1]()
        elif waiting:
            with self._session.pipeline():
                for result, run in waiting:
                    result.cursor = run()

    def _commit(self) -> Result:
        if not self._sent:  # what goes in the first trip is sent again where a session was lost
            self._send()
        done = self._add(lambda: self._session.execute("COMMIT"))
        self._send()
        self._within = False
        if done.cursor is None or done.cursor.statusmessage != "COMMIT":
            raise sqlite3.OperationalError("something was refused, and somebody went on all the same")
        return done


def retype(error: psycopg.Error) -> sqlite3.Error:
    """Return sqlite3's error of the same kind; PostgreSQL's own words may hold values, but where our SQL is wrong."""
    code = error.sqlstate or ""
    if isinstance(error, psycopg.OperationalError) and not code:
        return LostConnection(_explain_refusal(str(error)))
    if code.startswith(_LOST) or isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return LostConnection(f"{type(error).__name__} {code}".strip())
    kind = sqlite3.IntegrityError if code.startswith("23") else sqlite3.OperationalError
    told = error.diag.message_primary if code.startswith("42") else type(error).__name__
    return kind(f"{told} ({code})" if code else told)


_NOBODY: Final = "nothing answers there"
_STARTING: Final = "it is starting"
_ENDING: Final = "it is ending"
_SILENT: Final = "no answer in time"
CUT: Final = "the connection was lost"
PASSING: Final = (_NOBODY, _STARTING, _ENDING, _SILENT, CUT)
"""Reasons that a restart of the server has."""


def _explain_refusal(told: str) -> str:
    """Return why a connection could not be made, in our own words: libpq's may hold the user's name and the address."""
    reasons = {
        "password authentication failed": "the password is wrong",
        "no password supplied": "it wants a password",
        "does not exist": "there is no such database or user",
        "refused": _NOBODY,
        "No such file": _NOBODY,
        "starting up": _STARTING,
        "not yet accepting": _STARTING,
        "shutting down": _ENDING,
        "resolve": "there is no such host",
        "timeout": _SILENT,
        "pg_hba.conf": "its pg_hba.conf lets nobody in from here",
        "SSL": "it cannot agree on TLS",
    }
    return next((why for words, why in reasons.items() if words in told), CUT)


class _BoolDumper(Int8Dumper):
    """A truth as SQLite has it: 1 or 0."""

    def dump(self, obj: Any) -> Buffer | None:  # Any: psycopg's hint
        return b"1" if obj else b"0"


class _BoolLoader(Loader):
    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


class _SumLoader(Loader):
    """Sums of whole numbers are ``numeric``; there are no others."""

    def load(self, data: Buffer) -> int | float:
        told = bytes(data)
        return int(told) if told.lstrip(b"-").isdigit() else float(told)


def _adapt(session: psycopg.Connection[Any]) -> None:
    session.adapters.register_dumper(int, Int8Dumper)  # by their size no statement would stay prepared
    session.adapters.register_dumper(bool, _BoolDumper)
    session.adapters.register_loader("bool", _BoolLoader)
    session.adapters.register_loader("numeric", _SumLoader)


_LITERAL: Final = re.compile(r"'(?:[^']|'')*'")
_HIDDEN: Final = re.compile("\x00(\\d+)\x00")
_COMMENT: Final = re.compile(r"--[^\n]*")
_TYPES: Final = (
    (re.compile(r"\b(?:INTEGER PRIMARY KEY AUTOINCREMENT|(?<=\bno )INTEGER PRIMARY KEY)"), "{identity}"),
    (re.compile(r"\bINTEGER\b"), "BIGINT"),
    (re.compile(r"\{identity\}"), "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"),
    (re.compile(r"\bREAL\b"), "DOUBLE PRECISION"),
    (re.compile(r"\bBLOB\b"), "BYTEA"),
    (re.compile(r"\bTEXT\b"), 'TEXT COLLATE "C"'),  # sorted by code points, as in SQLite
    (re.compile(r"\)(?:\s*(?:STRICT|,|WITHOUT ROWID))+;"), ");"),
    (re.compile(r"\bIS NOT (?!NULL)"), "IS DISTINCT FROM "),
    (re.compile(r"INSERT OR IGNORE INTO ([^;]{1,300});"), r"INSERT INTO \1 ON CONFLICT DO NOTHING;"),
)
_TRIGGER: Final = re.compile(
    r"CREATE TRIGGER (?P<name>\w+)\s(?P<when>.+?)\s(?:WHEN\s(?P<condition>.+?)\s)?BEGIN\s(?P<body>.+)END;", re.DOTALL
)

NO_STATISTICS: Final = """
DO $$ DECLARE kept RECORD; BEGIN
    FOR kept IN SELECT attrelid::regclass AS named, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relkind = 'r' AND relnamespace = quote_ident(current_schema())::regnamespace AND attnum > 0
        AND NOT attisdropped AND atttypid IN ('text'::regtype, 'bytea'::regtype)
    LOOP EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', kept.named, kept.attname); END LOOP;
END $$
"""
"""What people said is not to be sampled: an erase does not reach the catalogues that samples are kept in."""


def hide_literals(statement: str) -> tuple[str, list[str]]:
    """Return a statement with marks in place of its literals, and these."""
    places = itertools.count()
    return _LITERAL.sub(lambda _: f"\x00{next(places)}\x00", statement), _LITERAL.findall(statement)


def show_literals(text: str, literals: list[str]) -> str:
    """Return a statement with its literals in their places, for psycopg: their "%" is doubled."""
    return _HIDDEN.sub(lambda found: literals[int(found[1])].replace("%", "%%"), text)


def translate_schema(statement: str) -> str:
    """Return one statement of a schema file in PostgreSQL's dialect; a trigger becomes two."""
    text = _COMMENT.sub("", statement).strip()
    for pattern, other in _TYPES:
        text = pattern.sub(other, text)
    found = _TRIGGER.fullmatch(text)
    if found is None:
        return text
    name, condition = found["name"], f" WHEN ({found['condition']})" if found["condition"] else ""
    return (
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {found['body'].strip()} "
        "RETURN coalesce(NEW, OLD); END $$;\n"
        f"CREATE TRIGGER {name} {found['when']} FOR EACH ROW{condition} EXECUTE FUNCTION {name}();"
    )
