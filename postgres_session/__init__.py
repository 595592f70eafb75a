"""A session with PostgreSQL that is shaped like a connection of :mod:`sqlite3`, for stores that have both engines.

Its errors are sqlite3's, too, so that whoever expects a refusal meets it.  A session that was lost is made anew at the
next statement outside a transaction; what was under way on it has failed.

Statements of a transaction are sent together, once a result is looked at or with the commit.  So a refusal may show
itself at a later statement; at the latest, nothing is committed.  They go by libpq's pipeline in one packet: psycopg's
own sends each for itself, which costs the client nine times as much, and both sides a wait for each.

What SQLite's statements and schemas are in PostgreSQL's dialect, as far as the stores with both engines say them.
"""

import itertools
import re
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

import psycopg
from psycopg import pq
from psycopg.abc import Buffer
from psycopg.adapt import Loader, PyFormat, Transformer
from psycopg.types.numeric import Int8Dumper
from psycopg.waiting import Ready, Wait

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

    __slots__ = ("_send", "count", "refused", "rows", "status")

    def __init__(self, send: Callable[[], None]) -> None:
        self._send = send
        self.rows: Iterator[Any] | None = None
        self.count = 0
        self.status = b""
        """What PostgreSQL calls what it did."""
        self.refused: sqlite3.Error | None = None
        """Why nothing came of it: told to everybody who asks."""

    def fetchone(self) -> Any:  # Any: column values
        """Return the next row, ``None`` after the last."""
        return next(self._get(), None)

    def fetchall(self) -> list[Any]:  # Any: as above
        """Return the rows that are left."""
        return list(self._get())

    def __iter__(self) -> Iterator[Any]:  # Any: as above
        return self._get()

    @property
    def rowcount(self) -> int:
        """How many rows were written."""
        self._get()
        return self.count

    def _get(self) -> Iterator[Any]:
        if self.rows is None and self.refused is None:
            self._send()
        if self.refused is not None:
            raise self.refused
        if self.rows is None:
            raise sqlite3.OperationalError("what was to be sent before was refused")
        return self.rows


class Said(NamedTuple):
    """A statement in PostgreSQL's dialect, as psycopg writes placeholders."""

    text: str
    values: Values = ()
    binary: bool = False


_PLACE: Final = re.compile(r"%(?:\((\w+)\))?s|%%")
_KNOWN: Final = 2000
"""So many statements are remembered: those that come only once are no use, and what is prepared takes memory."""
_Key = tuple[bytes, tuple[int, ...]]
"""A statement, and the types of its values."""
_Waiting = list[tuple[Result, Sequence[Said]]]


class PostgresSession:
    """One session at ``url``; ``prepare`` is run on every new one, ``begin`` is how its transactions begin.

    ``renewed`` is called when it was made anew.
    """

    def __init__(
        self,
        url: str,
        prepare: Callable[[psycopg.Connection[Any]], None],
        translate: Translate,
        *,
        begin: str = "BEGIN",
        renewed: Callable[[], None] = lambda: None,
    ) -> None:
        self._url, self._prepare, self._translate = url, prepare, translate
        self._begin, self._renewed = begin, renewed
        self._waiting: _Waiting = []
        self._within = False
        """Whether a transaction was begun and not ended; then a lost session is not made anew unnoticed."""
        self._sent = False
        """Whether anything of it was sent."""
        self._session = self._connect()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, also a failed one; a lost session has none."""
        return bool(self._waiting) or self._session.pgconn.transaction_status in (
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
        result = self._add(Said(*self._translate(statement, values), binary))
        if statement.startswith("ROLLBACK"):
            self._send()
            self._within = " TO " in statement
        return result

    def executemany(self, statement: str, rows: Iterable[Values]) -> Result:
        """Run a statement once per row of values."""
        return self._add(*(Said(*self._translate(statement, values)) for values in rows))

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
            session = psycopg.connect(self._url, autocommit=True, connect_timeout=_CONNECT_S, prepare_threshold=None)
            try:
                _adapt(session)
                self._prepare(session)
            except BaseException:
                session.close()
                raise
        except psycopg.Error as error:
            raise retype(error) from None
        self._values = Transformer.from_context(session)
        self._known: dict[_Key, bytes] = {}
        """What prepared statements are called; b"" for those that came once."""
        self._numbers = itertools.count()
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
        self._waiting.append((begun, [Said(self._begin)]))
        return begun

    def _add(self, *said: Said) -> Result:
        """Let a statement of a transaction wait until something is to be known."""
        self._ensure()
        result, inside = Result(self._send), self.in_transaction
        self._waiting.append((result, said))
        if not inside:
            self._send()
        return result

    def _send(self) -> None:
        """Send what waits, all at once, and wait until it is done."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        first, self._sent = not (self._within and self._sent), True
        try:
            try:
                self._send_all(waiting)
            except psycopg.Error:
                if not (first and self._session.closed):
                    raise
                for result, _ in waiting:
                    result.rows, result.count = None, 0
                self._reconnect()  # it was lost while nothing was asked, which only asking shows
                self._send_all(waiting)
        except (psycopg.Error, sqlite3.Error) as error:  # the latter of a server that lets nobody in again
            refused = retype(error) if isinstance(error, psycopg.Error) else error
            for result, _ in waiting:  # those before the refused one have what they asked for
                if result.rows is None:
                    result.refused = refused
            raise refused from None

    def _send_all(self, waiting: _Waiting) -> None:
        pg, asked, refused = self._session.pgconn, list[Result | _Key](), None
        pg.enter_pipeline_mode()
        try:
            for result, each in waiting:
                result.rows = None if each else iter(())
                for said in each:
                    asked += self._put(said)
                    asked.append(result)
        except psycopg.Error as error:  # of a value that PostgreSQL cannot hold: what comes before it is sent
            refused = error
        pg.pipeline_sync()
        answers = self._session.wait(_exchange(pg))
        if pg.status == pq.ConnStatus.OK:
            pg.exit_pipeline_mode()
        self._settle(asked, answers)
        if refused is not None:
            result.rows = None
            raise refused

    def _settle(self, asked: Sequence[Result | _Key], answers: Sequence[pq.abc.PGresult]) -> None:
        """Give results what was answered, and raise what was refused first; forget what could not be prepared."""
        for asking, answer in itertools.zip_longest(asked, answers):
            done = answer is not None and answer.status not in _FAILED
            if isinstance(asking, Result) and done:
                self._values.set_pgresult(answer)
                asking.rows = iter(self._values.load_rows(0, answer.ntuples, tuple))
                asking.count += answer.command_tuples or 0
                asking.status = answer.command_status or b""
            elif isinstance(asking, Result):
                asking.rows = None
            elif not done:
                del self._known[asking]
        failed = next((answer for answer in answers if answer.status in _FAILED), None)
        if failed is not None:
            raise psycopg.errors.error_from_result(failed)

    def _put(self, said: Said) -> Iterator[_Key]:
        """Have a statement sent, and yield it where it is prepared for that: when it comes for the second time."""
        pg = self._session.pgconn
        text, names = number_places(said.text)
        values = [said.values[name] for name in names] if isinstance(said.values, Mapping) else said.values
        told = self._values.dump_sequence(values, [PyFormat.AUTO] * len(values))
        types, formats = self._values.types or (), self._values.formats
        key, how = (text, types), pq.Format.BINARY if said.binary else pq.Format.TEXT
        name = self._known.get(key)
        if not name:
            if name is None:
                if len(self._known) < _KNOWN:
                    self._known[key] = b""
                pg.send_query_params(text, told, types, formats, how)
                return
            name = self._known[key] = b"mneme%d" % next(self._numbers)
            pg.send_prepare(name, text, types)
            yield key
        pg.send_query_prepared(name, told, formats, how)

    def _commit(self) -> Result:
        if not self._sent:  # what goes in the first trip is sent again where a session was lost
            self._send()
        done = self._add(Said("COMMIT"))
        self._send()
        self._within = False
        if done.status != b"COMMIT":
            raise sqlite3.OperationalError("something was refused, and somebody went on all the same")
        return done


def _exchange(pg: pq.abc.PGconn) -> Generator[Wait, Ready | int, list[pq.abc.PGresult]]:
    """Yield what to wait for until all is sent and answered; return the answers."""
    answers = list[pq.abc.PGresult]()
    unsent = pg.flush()
    while True:
        while unsent or pg.is_busy():
            ready = yield Wait.RW if unsent else Wait.R
            if ready & Ready.R:
                pg.consume_input()
            unsent = unsent and pg.flush()
        answer = pg.get_result()
        if answer is not None and answer.status == pq.ExecStatus.PIPELINE_SYNC:
            return answers
        if answer is not None:
            answers.append(answer)
        elif pg.status != pq.ConnStatus.OK:
            if answers and answers[-1].status in _FAILED:  # which says why
                return answers
            raise psycopg.OperationalError(CUT)


@lru_cache(maxsize=2048)
def number_places(text: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a statement with numbers in place of psycopg's placeholders, and their names in this order."""
    names = list[str]()

    def number(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        if not found[1] or found[1] not in names:
            names.append(found[1] or "")
        return f"${names.index(found[1]) + 1 if found[1] else len(names)}"

    return _PLACE.sub(number, text).encode(), tuple(names)


def retype(error: psycopg.Error) -> sqlite3.Error:
    """Return sqlite3's error of the same kind; PostgreSQL's own words may hold values, but where our SQL is wrong."""
    code = error.sqlstate or ""
    if isinstance(error, psycopg.OperationalError) and not code:
        return LostConnection(_explain_refusal(str(error)))
    if code.startswith(_LOST) or isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return LostConnection(f"{type(error).__name__} {code}".strip())
    if code == "42501":  # insufficient privilege
        return LostConnection("its role owns neither the database nor what is in it")
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
        "invalid": "a part of its address, such as the port, makes no sense",
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
