"""What a model said of two messages of one person: whether the later one changed what the earlier one says.

It reads what somebody typed beside the nearest of their other messages, once, in the background, as soon as the
message has a vector; whoever looks at memories afterwards finds the likelihoods and need not read anything.
What is imported is not compared: thousands of messages would be.
"""

from __future__ import annotations

import itertools
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from adapters.sqlite.rows.codec import dump_list, get_id_range
from adapters.sqlite.rows.exchanges import load_parts
from bot.memory.items import name_sentence
from bot.memory.learning.speech_acts import SpeechAct, classify_speech, keep_own_words
from bot.memory.ranking.passages import split_passages
from bot.memory.ranking.vectors import liken, map_later
from bot.ports.embedder import ChangeReader
from bot.turn import Exchange
from language.sentences import split_sentences

_NEWEST: Final = 300
"""Messages of a memory among which the nearest are looked for: 1 ms."""
_LOOKED_AT: Final = 24
"""The likest of these, whoever said them and whatever they are."""
_LEAST_ALIKE: Final = 0.2
"""Likeness from which on two messages are about the same; below it the model, which knows pairs that are, sees changes
where none is (docs/recall.md)."""
_AS_ALIKE: Final = 0.02
"""Below the likeness of the nearest, what is read as well: it was told twice."""
_MOST, _MOST_SENTENCES = 2, 4
"""Messages that one is read beside, and sentences of theirs where they have likely changed: each takes some 2 ms."""
_UNCHANGED: Final = 0.3
"""Of several sentences of a message one alone has changed: those that are as likely as this besides count as unread."""
_WHOLE: Final = -1
"""The number of a message that tells one thing, or of which none has changed."""
_BY_WORD: Final = 0.03
"""Likeness for each shared word, times its rarity (log of messages to messages that have it)."""
_LEAST_AMONG: Final = 50
"""Messages among which a word is taken to be rare, however few there are."""
_SCALE_BYTES: Final = 4
_QUEUE: Final = (
    "INSERT INTO recall_unread SELECT exchanges.id FROM exchanges JOIN places ON places.no = place_no "
    "WHERE exchanges.id = ? AND door <> 'import' ON CONFLICT DO NOTHING"
)
_WAITING: Final = (
    "SELECT waiting.exchange, vectors FROM recall_unread AS waiting JOIN recall_meanings AS known "
    "ON known.exchange = waiting.exchange AND assistant = 0 AND model = ? ORDER BY waiting.exchange LIMIT ?"
)
_VECTORS: Final = (
    "SELECT said.exchange, vectors, passages FROM recall_meanings AS known JOIN recall_utterances AS said "
    "ON said.exchange = known.exchange AND said.assistant = 0 WHERE known.exchange BETWEEN ? AND ? "
    "AND known.assistant = 0 AND model = ? ORDER BY known.exchange DESC LIMIT ?"
)
_TEXTS: Final = (
    "SELECT id, author_id, said_at, user_text, parts FROM exchanges WHERE id IN (SELECT value FROM json_each(?)) "
    "AND replaced_by IS NULL AND synthetic = 0"
)
_CHANGING: Final = (
    "SELECT later, uid, sentence, likelihood FROM recall_changes JOIN exchanges ON id = earlier "
    "WHERE later IN (SELECT value FROM json_each(?))"
)
_STORE: Final = (
    "INSERT INTO recall_changes SELECT later.id, earlier.id, ?, ?, ? FROM exchanges AS later, exchanges AS earlier "
    "WHERE later.id = ? AND later.user_text = ? AND earlier.id = ? AND earlier.user_text = ? "
    "AND later.replaced_by IS NULL AND earlier.replaced_by IS NULL "
    "ON CONFLICT (later, earlier, sentence) DO UPDATE SET likelihood = excluded.likelihood, reader = excluded.reader"
)


@dataclass(frozen=True, slots=True)
class _Typed:
    """What somebody typed, and when, in seconds since 1970; ``id`` is the exchange's, ``author`` theirs."""

    id: int
    author: int
    said_at: float
    text: str

    def __lt__(self, other: _Typed) -> bool:
        return (self.said_at, self.id) < (other.said_at, other.id)

    def list_told(self) -> list[tuple[int, str]]:
        own = split_sentences(keep_own_words(self.text))
        return [
            (number if len(own) > 1 else _WHOLE, sentence)
            for number, sentence in enumerate(own)
            if classify_speech(sentence) is SpeechAct.STATEMENT
        ]


@dataclass(frozen=True, slots=True)
class UnreadMessage:
    """A message that is to be read beside others of its author, the nearest first."""

    said: _Typed
    others: tuple[_Typed, ...]


@dataclass(frozen=True, slots=True)
class _Likelihood:
    """How likely ``later`` changed what a sentence of ``earlier`` says."""

    later: _Typed
    earlier: _Typed
    sentence: int
    rate: float


def queue_unread(connection: sqlite3.Connection, exchange: Exchange, exchange_id: int) -> None:
    """Note that an exchange is to be compared, if its author typed it, here, and does not merely ask."""
    if exchange.user_text.strip() and exchange.forwarded is None and not exchange.user_text.rstrip().endswith("?"):
        connection.execute(_QUEUE, (exchange_id,))


def queue_other_readers(connection: sqlite3.Connection, reader: ChangeReader | None) -> None:
    """Have read anew what another version of the model read."""
    if reader is not None:
        connection.execute(
            "INSERT INTO recall_unread SELECT DISTINCT later FROM recall_changes WHERE reader <> ? "
            "ON CONFLICT DO NOTHING",
            (reader.reader,),
        )


def drop_changes(connection: sqlite3.Connection, exchange_ids: Iterable[int]) -> None:
    """Forget what was read of exchanges, whichever of the two they are."""
    for exchange_id in exchange_ids:
        connection.execute("DELETE FROM recall_changes WHERE later = ?", (exchange_id,))
        connection.execute("DELETE FROM recall_changes WHERE earlier = ?", (exchange_id,))
        connection.execute("DELETE FROM recall_unread WHERE exchange = ?", (exchange_id,))


def list_unread(connection: sqlite3.Connection, model: str, limit: int) -> list[UnreadMessage]:
    """Return up to ``limit`` messages that were embedded by ``model`` and not compared, with what to read beside."""
    waiting = connection.execute(_WAITING, (model, limit)).fetchall()
    return [_find_nearest(connection, model, exchange, vectors) for exchange, vectors in waiting]


def _find_nearest(connection: sqlite3.Connection, model: str, exchange_id: int, vectors: bytes) -> UnreadMessage:
    """Return a message with the nearest that its author told before it, and after it: what came back, or was edited."""
    own = _read_texts(connection, [exchange_id]).get(exchange_id)
    if own is None or not own.list_told():
        return UnreadMessage(own or _Typed(exchange_id, 0, 0.0, ""), ())
    later = map_later(vectors[_SCALE_BYTES:])
    near = connection.execute(_VECTORS, (*get_id_range(exchange_id >> 32), model, _NEWEST)).fetchall()
    alike = {each: rate for each, rate in _liken(exchange_id, later, near).items() if rate >= _LEAST_ALIKE}
    order = sorted(alike, key=lambda each: -alike[each])[:_LOOKED_AT]
    typed = _read_texts(connection, order)
    theirs = [said for each in order if (said := typed.get(each)) and said.author == own.author]
    sides = ([each for each in theirs if (each < own) is before] for before in (True, False))
    return UnreadMessage(own, tuple(each for side in sides for each in _keep_nearest(side, alike)))


def _keep_nearest(theirs: Sequence[_Typed], alike: Mapping[int, float]) -> Iterator[_Typed]:
    """Yield of messages, the likest first, the first that tells anything, and what is as alike."""
    told = (each for each in theirs if each.list_told())
    nearest = next(told, None)
    if nearest is not None:
        yield nearest
        as_alike = itertools.takewhile(lambda each: alike[each.id] >= alike[nearest.id] - _AS_ALIKE, told)
        yield from itertools.islice(as_alike, _MOST - 1)


def _read_texts(connection: sqlite3.Connection, exchange_ids: Sequence[int]) -> dict[int, _Typed]:
    rows = connection.execute(_TEXTS, (dump_list(exchange_ids),)).fetchall()
    return {row[0]: said for row in rows if (said := _read_typed(row)) is not None}


def _liken(exchange_id: int, vector: bytes, near: Sequence[tuple[int, bytes, str]]) -> dict[int, float]:
    """Return how alike what an exchange may have changed is to the others: by vectors, and words that few share.

    The vector of a message about two things is like neither.
    """
    alike = liken(vector, [row[1][_SCALE_BYTES:] for row in near])
    rates = {row[0]: rate for row, rate in zip(near, alike, strict=True)}
    said = [(exchange, f"{passages} ") for exchange, _, passages in near]
    own = next((passages.split()[2:] for exchange, passages in said if exchange == exchange_id), [])
    for key in (f" {each} " for each in frozenset(own)):
        sharing = [exchange for exchange, passages in said if key in passages]
        rate = _BY_WORD * math.log(max(len(near), _LEAST_AMONG) / max(1, len(sharing) - 1))
        for exchange in sharing:
            rates[exchange] += rate
    rates.pop(exchange_id, None)
    return rates


def _read_typed(row: tuple[int, int, float, str, str]) -> _Typed | None:
    """Return what an author typed, ``None`` where it is others', and where it is long, and read by passages."""
    exchange, author, said_at, text, parts = row
    whole = load_parts(parts, text)[0] == text and len(split_passages(text)) == 1
    return _Typed(exchange, author, said_at, text) if whole and text.strip() else None


async def read_unread(reader: ChangeReader, unread: Sequence[UnreadMessage]) -> list[_Likelihood]:
    """Read messages beside their others, patiently.  Raises :class:`~bot.errors.EmbeddingUnavailable`.

    Of an earlier one that tells several things, and was likely changed, each is read: one alone has changed.
    """
    read: list[_Likelihood] = []
    for one in unread:
        for other in one.others:
            earlier, later = sorted((one.said, other))

            async def rate(text: str, later: _Typed = later) -> float:
                (rate,) = await reader.rate_changes("", text, (later.text,), patient=True)
                return rate

            whole = await rate(earlier.text)
            told = earlier.list_told()[:_MOST_SENTENCES] if whole >= _UNCHANGED else []
            if len(told) <= 1:
                read.append(_Likelihood(later, earlier, _WHOLE, whole))
                continue
            rates = {number: await rate(sentence) for number, sentence in told}
            best = max(rates, key=lambda number: rates[number])
            read += [
                _Likelihood(later, earlier, number, max(whole, each) if number == best else each)
                for number, each in rates.items()
                if number == best or each < _UNCHANGED
            ]
    return read


def store_changes(
    connection: sqlite3.Connection, reader: str, unread: Sequence[UnreadMessage], read: Sequence[_Likelihood]
) -> None:
    """Store what was read of messages that still say the same, and take them off the backlog."""
    for one in unread:
        connection.execute("DELETE FROM recall_changes WHERE later = ? AND reader <> ?", (one.said.id, reader))
    for each in read:
        pair = (each.later.id, each.later.text, each.earlier.id, each.earlier.text)
        connection.execute(_STORE, (each.sentence, each.rate, reader, *pair))
    for one in unread:
        connection.execute("DELETE FROM recall_unread WHERE exchange = ?", (one.said.id,))


def read_changes(connection: sqlite3.Connection, exchange_ids: Iterable[int]) -> dict[int, Mapping[str, float]]:
    """Return by exchange how likely it changed what others say, by their sentences' keys; only those that were read."""
    found: dict[int, dict[str, float]] = {}
    for later, uid, sentence, rate in connection.execute(_CHANGING, (dump_list(sorted(exchange_ids)),)):
        found.setdefault(later, {})[name_sentence(uid, sentence)] = rate
    return dict(found)
