"""The tables of the search over verbatim turns, written inside the transaction that stores or removes exchanges.

Words are indexed at once, so that a turn is found the moment it is committed; embedding is slower and only noted here.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from adapters.sqlite.rows.codec import Row, get_id_range, list_column, read_seconds
from adapters.sqlite.rows.derived import ALL_ROWS, Owner, Room, Table
from adapters.sqlite.rows.exchanges import load_parts
from adapters.sqlite.turn_search.changes import drop_changes, queue_unread
from adapters.sqlite.turn_search.layouts import drop_layout, read_generation
from adapters.sqlite.turn_search.passages import keep_questions, read_passage
from bot.memory.items import Part, merge_forwarded
from bot.memory.ranking.passages import split_passages
from bot.memory.ranking.transcript import Meaning, Passage, Utterance
from bot.memory.ranking.vectors import CODE_WORDS
from bot.turn import Exchange
from language.analyser import Analyser

_DELETE: Final = (
    "DELETE FROM recall_utterances WHERE exchange = ?",
    "DELETE FROM recall_meanings WHERE exchange = ?",
    "DELETE FROM recall_backlog WHERE exchange = ?",
)
_STORE_UTTERANCES: Final = (
    "INSERT INTO recall_utterances VALUES {} ON CONFLICT (exchange, assistant) "
    "DO UPDATE SET analysis = excluded.analysis, passages = excluded.passages"
)
_QUEUE: Final = "INSERT INTO recall_backlog {} ON CONFLICT DO NOTHING"
_STORE_MEANINGS: Final = (
    "INSERT INTO recall_meanings SELECT exchange, assistant, ?, ?, ?, ? FROM recall_utterances "
    "WHERE exchange = ? AND assistant = ? ON CONFLICT (exchange, assistant) DO UPDATE SET model = excluded.model, "
    "vectors = excluded.vectors, sizes = excluded.sizes, codes = excluded.codes"
)
ANALYSIS: Final = 5
"""Grows with every change of how a text becomes passages; rows of another version are made again when they are read."""

_SCALE_BYTES: Final = 4


def answer_as_evidence(exchange: Exchange) -> str:
    """Return the answer as far as it can be evidence: one that only repeats memory is none."""
    return "" if exchange.echo else exchange.assistant_text


class RecallIndex:
    """The hook :class:`~adapters.sqlite.rows.exchanges.ExchangeIndex` for the local channel."""

    def __init__(self) -> None:
        self._words = Analyser()

    def add(self, connection: sqlite3.Connection, scope_no: int, exchange_id: int, exchange: Exchange) -> None:
        """Index both utterances of an exchange, whoever's words the first is, and put them on the backlog."""
        index_texts(connection, self._words, exchange_id, exchange.said, answer_as_evidence(exchange))
        queue_unread(connection, exchange, exchange_id)

    def remove(self, connection: sqlite3.Connection, scope_no: int, exchange_ids: tuple[int, ...]) -> None:
        """Forget exchanges and what their successors' meanings hold of them; void what memory holds of the scope."""
        requeue_following(connection, exchange_ids)
        drop_changes(connection, exchange_ids)
        for statement in _DELETE:
            connection.executemany(statement, [(exchange_id,) for exchange_id in exchange_ids])
        void_transcripts(connection, scope_no)

    def reword(self, connection: sqlite3.Connection, scope_no: int, was: Exchange, now: Exchange) -> None:
        """Index what is said otherwise; where that is the answer alone, no other text is embedded again."""
        if now.said != was.said:
            self.remove(connection, scope_no, (was.id,))
            self.add(connection, scope_no, was.id, now)
            return
        before, answer = answer_as_evidence(was), answer_as_evidence(now)
        if answer == before:
            return
        if _find_asked(answer) != _find_asked(before):
            requeue_following(connection, (was.id,))
        for statement in _DELETE:
            connection.execute(f"{statement} AND assistant = 1", (was.id,))
        void_transcripts(connection, scope_no)
        index_texts(connection, self._words, was.id, "", answer)


def requeue_following(connection: sqlite3.Connection, exchange_ids: Iterable[int]) -> None:
    """Put the exchange after each of these back on the backlog: a text is embedded with the one before it."""
    for exchange_id in exchange_ids:
        row = connection.execute(
            "SELECT id FROM exchanges WHERE session_id = (SELECT session_id FROM exchanges WHERE id = ?1) AND id > ?1 "
            "AND replaced_by IS NULL AND synthetic = 0 ORDER BY id LIMIT 1",
            (exchange_id,),
        ).fetchone()
        if row is not None:
            connection.execute("DELETE FROM recall_meanings WHERE exchange = ?", row)
            told = "SELECT exchange, assistant FROM recall_utterances WHERE exchange = ?"
            connection.execute(_QUEUE.format(told), row)


def void_transcripts(connection: sqlite3.Connection, scope_no: int) -> None:
    """Make everybody who holds the scope's utterances in memory read them again, and delete their file."""
    connection.execute(
        "INSERT INTO recall_scopes VALUES (?, 1, '') "
        "ON CONFLICT (scope_no) DO UPDATE SET generation = recall_scopes.generation + 1, layout = ''",
        (scope_no,),
    )
    drop_layout(connection, scope_no)


def index_texts(
    connection: sqlite3.Connection, words: Analyser, exchange_id: int, user_text: str, assistant_text: str
) -> None:
    """Index the texts of an exchange that hold anything, and have them embedded."""
    rows = [
        (exchange_id, assistant, ANALYSIS, dump_passages(analyse_passages(words, text)))
        for assistant, text in ((0, user_text), (1, assistant_text))
        if text.strip()
    ]
    if rows:
        statement = _STORE_UTTERANCES.format(", ".join(["(?, ?, ?, ?)"] * len(rows)))
        connection.execute(statement, tuple(chain.from_iterable(rows)))
        waiting = _QUEUE.format(f"VALUES {', '.join(['(?, ?)'] * len(rows))}")
        connection.execute(waiting, tuple(chain.from_iterable(row[:2] for row in rows)))


def analyse_passages(analyser: Analyser, text: str) -> tuple[Passage, ...]:
    """Return the passages of a message, ready for the index."""
    return tuple(read_passage(analyser, piece) for piece in split_passages(text))


def dump_passages(pieces: Sequence[Passage]) -> str:
    """Return passages as text, one line each; index keys hold no white space."""
    return "\n".join(" ".join((str(piece.cues), str(piece.words), *piece.keys)) for piece in pieces)


def load_passages(text: str) -> tuple[Passage, ...]:
    """Return what :func:`dump_passages` wrote."""
    lines = (line.split(" ") for line in text.split("\n"))
    return tuple(Passage(tuple(keys), int(cues), int(words)) for cues, words, *keys in lines)


def dump_meanings(meanings: Sequence[Meaning]) -> tuple[bytes, bytes, bytes]:
    """Return vectors with their scales, numbers of words and sentences, and the codes of words, then of sentences."""
    vectors = b"".join(np.float32(meaning.scale).tobytes() + meaning.vector.tobytes() for meaning in meanings)
    sizes = np.array([(len(meaning.words), len(meaning.sentences)) for meaning in meanings], dtype="<u2").tobytes()
    codes = b"".join(meaning.words.tobytes() + meaning.sentences.tobytes() for meaning in meanings)
    return vectors, sizes, codes


def load_meanings(vectors: bytes, sizes: bytes, codes: bytes) -> tuple[Meaning, ...]:
    """Return what :func:`dump_meanings` wrote."""
    counts = np.frombuffer(sizes, dtype="<u2").reshape(-1, 2)
    parts = np.frombuffer(codes, dtype=np.uint64).reshape(-1, CODE_WORDS)
    width = len(vectors) // len(counts)
    found: list[Meaning] = []
    start = 0
    for place, (words, spans) in enumerate(counts.tolist()):
        row = vectors[place * width : (place + 1) * width]
        scale = float(np.frombuffer(row[:_SCALE_BYTES], dtype=np.float32)[0])
        vector = np.frombuffer(row[_SCALE_BYTES:], dtype=np.int8)
        middle = start + words
        found.append(Meaning(vector, scale, parts[start:middle], parts[middle : middle + spans]))
        start = middle + spans
    return tuple(found)


UtteranceKey = tuple[int, bool]
"""An utterance: the id of its exchange, and whether it is the assistant's."""


@dataclass(frozen=True, slots=True)
class UnembeddedUtterance:
    """An utterance to embed, what was said before it ("" at the beginning), and the names of its scope's authors.

    ``generation`` is the scope's when it was read: what is made of it counts only while nothing was removed.
    """

    exchange: int
    assistant: bool
    text: str
    before: str
    names: tuple[str, ...]
    generation: int


def read_utterances(
    connection: sqlite3.Connection, words: Analyser, scope_no: int, after: int, limit: int
) -> tuple[list[Utterance], bool]:
    """Return utterances of the scope's exchanges newer than id ``after``, oldest first, and whether there are more.

    Those of about ``limit`` exchanges (at least 2), never half of one.
    """
    low, high = get_id_range(scope_no)
    rows = connection.execute(
        "SELECT exchange, assistant, passages, author_id, author_name, session_id, said_at, "
        "CASE WHEN assistant = 1 THEN assistant_text ELSE user_text END, analysis = ?, parts "
        "FROM recall_utterances JOIN exchanges ON exchanges.id = exchange "
        "WHERE exchange BETWEEN ? AND ? ORDER BY exchange, assistant LIMIT ?",
        (ANALYSIS, max(low, after + 1), high, 2 * limit),
    ).fetchall()
    more = len(rows) == 2 * limit
    whole = [row for row in rows if row[0] != rows[-1][0]] if more else rows
    return [_build_utterance(words, row) for row in whole], more


def read_meanings(
    connection: sqlite3.Connection, model: str, first: int, last: int
) -> list[tuple[int, bool, tuple[Meaning, ...]]]:
    """Return the meanings made by ``model`` of the exchanges with ids from ``first`` to ``last``."""
    rows = connection.execute(
        "SELECT exchange, assistant, vectors, sizes, codes FROM recall_meanings "
        "WHERE exchange BETWEEN ? AND ? AND model = ? ORDER BY exchange, assistant",
        (first, last, model),
    )
    return [
        (exchange, bool(assistant), load_meanings(vectors, sizes, codes))
        for exchange, assistant, vectors, sizes, codes in rows
    ]


def list_unembedded(connection: sqlite3.Connection, limit: int) -> list[UnembeddedUtterance]:
    """Return utterances of the embedding backlog, oldest of the first scopes first."""
    rows = connection.execute(
        "SELECT exchange, assistant FROM recall_backlog ORDER BY exchange LIMIT ?", (limit,)
    ).fetchall()
    return read_unembedded(connection, [(exchange, bool(assistant)) for exchange, assistant in rows])


def read_unembedded(connection: sqlite3.Connection, places: Sequence[UtteranceKey]) -> list[UnembeddedUtterance]:
    """Return the texts of utterances that still exist."""
    found: list[UnembeddedUtterance] = []
    names: dict[int, tuple[str, ...]] = {}
    for exchange, assistant in places:
        row = connection.execute(
            "SELECT scope_no, session_id, author_id, user_text, assistant_text FROM exchanges WHERE id = ?", (exchange,)
        ).fetchone()
        if row is not None:
            scope_no, session, author, *texts = row
            if scope_no not in names:
                names[scope_no] = list_author_names(connection, scope_no)
            own = texts[0] if assistant else ""
            before = own if own.strip() else _read_text_before(connection, session, exchange, author)
            seen = read_generation(connection, scope_no)
            found.append(UnembeddedUtterance(exchange, assistant, texts[assistant], before, names[scope_no], seen))
    return found


def _read_text_before(connection: sqlite3.Connection, session: int, exchange: int, author: int) -> str:
    """Return what somebody else said last before an exchange in its session: of an assistant only its questions."""
    # "" where the author goes on; requeue_following must find this exchange from that one.
    row = connection.execute(
        "SELECT author_id, user_text, CASE WHEN echo = 1 THEN '' ELSE assistant_text END FROM exchanges "
        "WHERE session_id = ? AND id < ? AND replaced_by IS NULL AND synthetic = 0 ORDER BY id DESC LIMIT 1",
        (session, exchange),
    ).fetchone()
    before, user, assistant = row or (author, "", "")
    if (asked := _find_asked(assistant)) is not None:
        return asked
    return str(user) if before != author else ""


def _find_asked(answer: str) -> str | None:
    """Return the questions of an answer, which the next text is embedded with; ``None`` where there is no answer."""
    return keep_questions(answer) if answer.strip() else None


def list_author_names(connection: sqlite3.Connection, scope_no: int) -> tuple[str, ...]:
    """Return the names of who speaks in the scope, of its newest exchanges."""
    newest = (
        "SELECT DISTINCT author_name FROM (SELECT author_name FROM exchanges WHERE id BETWEEN ? AND ? "
        "ORDER BY id DESC LIMIT 500) AS newest"
    )
    return tuple(list_column(connection, newest, *get_id_range(scope_no)))


def store_meanings(
    connection: sqlite3.Connection,
    model: str,
    made: Iterable[tuple[int, bool, tuple[Meaning, ...]]],
    seen: Mapping[int, int],
) -> None:
    """Store meanings and take their utterances off the backlog; utterances erased meanwhile stay erased.

    ``seen`` is the generation of each scope number when the texts were read: where something was removed since, it may
    have been a text before these, so that they wait to be embedded again.
    """
    current = {scope_no: read_generation(connection, scope_no) for scope_no in seen}
    for exchange, assistant, found in made:
        if current[exchange >> 32] != seen[exchange >> 32]:
            continue
        connection.execute(_STORE_MEANINGS, (model, *dump_meanings(found), exchange, int(assistant)))
        connection.execute(
            "DELETE FROM recall_backlog WHERE exchange = ? AND assistant = ?", (exchange, int(assistant))
        )


def index_missed(connection: sqlite3.Connection, words: Analyser, after: int, limit: int) -> int | None:
    """Index up to ``limit`` exchanges with ids above ``after`` that the index has missed.

    Returns the last id looked at, ``None`` when there was none.
    """
    missed = connection.execute(
        "SELECT id, user_text, CASE WHEN echo = 1 THEN '' ELSE assistant_text END FROM exchanges "
        "WHERE id > ? AND synthetic = 0 AND replaced_by IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM recall_utterances WHERE exchange = id) ORDER BY id LIMIT ?",
        (after, limit),
    ).fetchall()
    for exchange_id, user_text, assistant_text in missed:
        index_texts(connection, words, exchange_id, user_text, assistant_text)
        void_transcripts(connection, exchange_id >> 32)
    return missed[-1][0] if missed else None


def queue_other_models(connection: sqlite3.Connection, model: str) -> None:
    """Put utterances on the backlog that another model has embedded."""
    connection.execute(_QUEUE.format("SELECT exchange, assistant FROM recall_meanings WHERE model <> ?"), (model,))


def parse_forward(parts: str, text: str) -> Part | None:
    """Return what of a row's ``text`` is another's, ``None`` when its author typed it; then its list may be "[]"."""
    if parts == "[]":
        return None
    typed, found = load_parts(parts, text)
    return None if typed == text else merge_forwarded(found)


def _number_stranger(part: Part) -> int:
    """Return a number for whoever wrote a forward: below zero where only a name is known, so that it is no user's."""
    return part.author_id or -1 - zlib.crc32(part.author.encode())


def _build_utterance(words: Analyser, row: Row) -> Utterance:
    exchange, assistant, written, author_id, author_name, session, said_at, text, current, parts = row
    if (forwarded := parse_forward(parts, text)) is not None:
        author_id, author_name = _number_stranger(forwarded), forwarded.author
    return Utterance(
        exchange=exchange,
        assistant=bool(assistant),
        author_id=author_id,
        author_name=author_name,
        session=session,
        said_at=read_seconds(said_at),
        passages=load_passages(written) if current else analyse_passages(words, text),
        text=text,
    )


_OWN: Final = {Owner.EXCHANGE: "exchange"}
ROOM: Final = Room(
    "recall",
    (
        Table("recall_scopes", why="counts changes, names files that go with them", remade=True),
        Table("recall_utterances", ranged="exchange", owners=_OWN, remade=True),
        Table("recall_meanings", ranged="exchange", owners=_OWN, remade=True),
        Table("recall_backlog", ranged="exchange", owners=_OWN, remade=True),
        Table("recall_unread", ranged="exchange", owners=_OWN, spare=ALL_ROWS),
        Table("recall_changes", ranged="later", owners={Owner.EXCHANGE: "later"}, spare=ALL_ROWS),
    ),
    version=3,
    file="turn_search",
    index=RecallIndex(),
    forget_scope=void_transcripts,
)
