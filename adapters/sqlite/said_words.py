"""What people have kept by command, and what they put in another memory's place, as something that they said then.

It is an exchange like any other, so that a question finds it in whatever words.  What an edit replaces is taken out of
the exchanges that said it, and so out of every answer and prompt; they stay behind as earlier versions, for history.
"""

import hashlib
import re
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from adapters.sqlite.rows.codec import clean_texts, dump_list, get_id_range
from adapters.sqlite.rows.exchanges import (
    ExchangeIndex,
    dump_messages,
    dump_parts,
    find_exchange,
    insert_exchange,
    load_exchange,
    select_exchanges,
)
from adapters.sqlite.rows.items import add_source
from adapters.sqlite.rows.outbox import drop_summary, remake_document, withdraw_document
from adapters.sqlite.sessions import ensure_place, find_session, start_session
from bot.memory.document import source_name
from bot.memory.items import MemoryItem, Origin, Part
from bot.memory.learning.retraction import Echo, cut_quotation, echo_of, remove_statement, without
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.turn import Exchange, SaidIn
from language.sentences import split_sentences
from language.words import split_words

_PLACE: Final = "page"
"""Where somebody writes who writes in no chat."""
_DIGITS: Final = 24
_WORD: Final = re.compile(r"[^\W_]+")
_BETWEEN: Final = (
    "SELECT coalesce((SELECT user_text FROM exchanges WHERE id = ?1), ''), coalesce((SELECT min(id) FROM exchanges "
    "WHERE scope_no = ?2 AND uid IN (SELECT value FROM json_each(?3))), ?2 << 32)"
)
_REPEATING: Final = select_exchanges(
    "WHERE id BETWEEN ?1 AND ?2 AND replaced_by IS NULL "
    "AND EXISTS (SELECT 1 FROM json_each(?3) WHERE instr(assistant_text || parts, value) > 0)",
    "place_no",
    "source",
)
_CURRENT: Final = select_exchanges("WHERE scope_no = ? AND uid = ? AND replaced_by IS NULL", "place_no", "source")

_EDITED_FROM: Final = (
    "SELECT id, exchange, refs FROM items WHERE source = 'edit' AND superseded_by IS NULL AND scope_no = ? "
    "AND id IN (SELECT item_id FROM item_sources WHERE exchange IN (SELECT value FROM json_each(?)))"
)
_EDITED_SINCE: Final = (
    "SELECT id, exchange, refs FROM items WHERE source = 'edit' AND superseded_by IS NULL "
    "AND id BETWEEN ? AND ? AND updated_at >= ?"
)
_FORMER: Final = (
    "SELECT content FROM items WHERE id IN (SELECT value FROM json_each(?)) AND superseded_by = ? ORDER BY id"
)
_SAID: Final = (
    "SELECT user_text FROM exchanges WHERE scope_no = ? AND uid IN (SELECT value FROM json_each(?)) ORDER BY id"
)
_SOURCES: Final = "SELECT exchange FROM item_sources WHERE item_id = ?"


@dataclass(frozen=True, slots=True)
class Retracted:
    """Words that an item, ``item_id``, has replaced, and the exchange ``by`` that says what holds instead."""

    item_id: int
    by: str
    words: str
    repeated: bool = False
    """Whether the text that was looked at says them still, word for word."""


def is_by_command(uid: str) -> bool:
    """Return whether an exchange has this name that somebody kept by command: no number of a journal is as long."""
    return len(uid) > _DIGITS


def list_retracted(
    connection: sqlite3.Connection, scope_no: int, uids: Sequence[str], text: str
) -> tuple[Retracted, ...]:
    """Return what edits have taken out of these exchanges, and whether ``text`` says it still."""
    rows = connection.execute(_EDITED_FROM, (scope_no, dump_list(uids))).fetchall() if uids else []
    said = split_sentences(text)
    return tuple(
        replace(each, repeated=any(says_alone(sentence, each.words) for sentence in said))
        for each in _list_former(connection, rows)
    )


def _list_former(connection: sqlite3.Connection, edited: Sequence[tuple[int, str, str]]) -> list[Retracted]:
    """Return what these items (id, exchange and references) have said before."""
    return [
        Retracted(item_id, by, words)
        for item_id, by, references in edited
        for (words,) in connection.execute(_FORMER, (references, item_id)).fetchall()
    ]


def says_alone(sentence: str, words: str) -> bool:
    """Return whether a sentence says these words and no others."""
    one, other = (" ".join(each.split()).strip(" .!").casefold() for each in (sentence, words))
    return one == other


def find_said(connection: sqlite3.Connection, scope: Scope, scope_no: int, uid: str, author_id: int) -> Exchange | None:
    """Return an author's exchange as it holds now, ``None`` if there is none."""
    row = connection.execute(_CURRENT, (scope_no, uid)).fetchone()
    was = None if row is None else load_exchange(scope, tuple(row[:-2]))
    return was if was is not None and was.author.id == author_id else None


@dataclass(frozen=True, slots=True)
class SaidWords:
    """Stores and takes back what items say, inside of a transaction; ``indexes`` are kept exact, ``stem`` analyses."""

    connection: sqlite3.Connection
    indexes: Sequence[ExchangeIndex]
    stem: Callable[[str], tuple[str, ...]]
    scope: Scope
    scope_no: int

    def store(self, item: MemoryItem, at: Address | None, message_id: int) -> str:
        """Store the words of an item as said by its author at its time, and return the exchange's uid.

        One that is there already stays as it is: a command is run again after a crash.
        """
        said = item.provenance
        key = f"{said.author_id} {said.said_at.timestamp():f} {item.content}"
        uid = f"k{hashlib.sha256(key.encode()).hexdigest()[:_DIGITS]}"
        while find_exchange(self.connection, self.scope_no, uid) is not None:
            if self.connection.execute(_CURRENT, (self.scope_no, uid)).fetchone() is not None:
                return uid
            uid = f"{uid}n"  # what was replaced since is said anew
        address = at or Address(_PLACE, 0, said.author_id)
        place_no = ensure_place(self.connection, address)
        session = find_session(self.connection, address) or start_session(self.connection, place_no, said.said_at)
        author = Author(said.author_id, said.author_name, said.trust)
        exchange = clean_texts(
            Exchange(
                self.scope, uid, session.id, author, item.content, "", said.said_at, echo=True, message_id=message_id
            )
        )
        source = source_name(said.said_at, self.scope.tag, uid)
        exchange_id = insert_exchange(self.connection, self.scope_no, place_no, exchange, source)
        for index in self.indexes:
            index.add(self.connection, self.scope_no, exchange_id, replace(exchange, id=exchange_id))
        self.connection.execute("INSERT INTO deferred_documents VALUES (?) ON CONFLICT DO NOTHING", (exchange_id,))
        return uid

    def retract(self, uids: Sequence[str], words: str, by: str) -> None:
        """Take ``words`` out of exchanges because another, ``by``, says what holds instead; its uid is left alone.

        An exchange of which nothing is left gives way to ``by`` as to an edit of it; of any other, what it said first
        is kept as its earlier version.
        """
        successor = find_exchange(self.connection, self.scope_no, by)
        placed = False
        for uid in uids:
            row = self.connection.execute(_CURRENT, (self.scope_no, uid)).fetchone()
            if row is None or uid == by:
                continue
            *columns, place_no, source = row
            was = load_exchange(self.scope, tuple(columns))
            left = remove_statement(was.user_text, words, self.stem)
            if left == was.user_text:
                continue
            drop_summary(self.connection, self.scope_no, was.id)
            if left or was.parts:
                answer = remove_statement(was.assistant_text, words, self.stem) if was.echo else was.assistant_text
                self._keep_earlier(place_no, was, successor)
                said = self._take_out(was.messages, words)
                self._reword(was, replace(was, user_text=left, assistant_text=answer, messages=said), source)
            else:
                for index in self.indexes:
                    index.remove(self.connection, self.scope_no, (was.id,))
                self.connection.execute("UPDATE exchanges SET replaced_by = ? WHERE id = ?", (successor, was.id))
                placed = True
                if source:
                    withdraw_document(self.connection, self.scope_no, source)
        if placed and (row := self.connection.execute(_CURRENT, (self.scope_no, by)).fetchone()) is not None:
            now = load_exchange(self.scope, tuple(row[:-2]))  # who it is about stands before what it replaces
            for index in self.indexes:
                index.remove(self.connection, self.scope_no, (now.id,))
                index.add(self.connection, self.scope_no, now.id, now)
        self._retract_repeated(uids, words, successor)

    def _take_out(self, messages: tuple[SaidIn, ...], words: str) -> tuple[SaidIn, ...]:
        """Return what each message says without ``words``; () where they stand in none of them as a whole."""
        left = tuple(
            replace(
                each,
                text=remove_statement(each.text, words, self.stem),
                heard=remove_statement(each.heard, words, self.stem),
            )
            for each in messages
        )
        return left if left != messages else ()

    def keep_retracted(self, retracted: Sequence[Retracted], uid: str) -> None:
        """Take out of a new version of a message what was taken out of the one before, and of the next ones."""
        for each in retracted:
            if each.repeated:
                self.retract((uid,), each.words, each.by)
            add_source(self.connection, each.item_id, uid)

    def retract_told(self, uids: Sequence[str], now: Exchange) -> None:
        """Take out of answers what they told of earlier versions of a message, ``uids``, that it says no more."""
        rows = self.connection.execute(_SAID, (self.scope_no, dump_list(uids))).fetchall() if uids else []
        kept = {each.strip() for each in split_sentences(now.said)}
        gone = [each for (text,) in rows for each in split_sentences(text) if each.strip() not in kept]
        if gone:
            successor = find_exchange(self.connection, self.scope_no, now.uid)
            self._retract_repeated(uids, "\n".join(gone), successor)

    def retract_again(self, since: float) -> None:
        """Take out what edits since a moment, in seconds, have replaced and an undone erase has brought back."""
        rows = self.connection.execute(_EDITED_SINCE, (*get_id_range(self.scope_no), since)).fetchall()
        for each in _list_former(self.connection, rows):
            for (uid,) in self.connection.execute(_SOURCES, (each.item_id,)).fetchall():
                there = self.connection.execute(_CURRENT, (self.scope_no, uid)).fetchone()
                text = "" if there is None else load_exchange(self.scope, tuple(there[:-2])).user_text
                if any(says_alone(sentence, each.words) for sentence in split_sentences(text)):
                    self.retract((uid,), each.words, each.by)
                else:
                    by = find_exchange(self.connection, self.scope_no, each.by)
                    self._retract_repeated((uid,), each.words, by)

    def _retract_repeated(self, uids: Sequence[str], words: str, successor: int | None) -> None:
        """Take ``words`` out of answers and quotations: a prompt would repeat them, a search would find them.

        What the successor says as well holds still: an answer that repeats no more than that stays as it is.
        """
        new, first = self.connection.execute(_BETWEEN, (successor, self.scope_no, dump_list(uids))).fetchone()
        known, kept = set(split_words(new)), set(split_sentences(new))
        words = "\n".join(each for each in split_sentences(words) if each not in kept)
        told = [word for word in _WORD.findall(words) if not known.issuperset(split_words(word))]
        echo = echo_of(words, told)
        _, last = get_id_range(self.scope_no)
        rows = self.connection.execute(_REPEATING, (first, last, dump_list(told))).fetchall()
        for *columns, place_no, source in rows:
            was = load_exchange(self.scope, tuple(columns))
            answer, parts = (
                without(was.assistant_text, echo, near=True, quoted=False),
                _cut_parts(was.parts, echo, told),
            )
            if (answer, parts) != (was.assistant_text, was.parts):
                drop_summary(self.connection, self.scope_no, was.id)
                self._keep_earlier(place_no, was, successor)
                self._reword(was, replace(was, assistant_text=answer, parts=parts), source)

    def _keep_earlier(self, place_no: int, was: Exchange, successor: int | None) -> None:
        """Store what an exchange says until now as its earlier version; one is enough for what gives way to one."""
        uid = f"{was.uid}w{successor}"
        if find_exchange(self.connection, self.scope_no, uid) is not None:
            return
        earlier = insert_exchange(self.connection, self.scope_no, place_no, replace(was, uid=uid, messages=()), "")
        self.connection.execute("UPDATE exchanges SET replaced_by = ? WHERE id = ?", (was.id, earlier))

    def _reword(self, was: Exchange, now: Exchange, source: str) -> None:
        """Give a stored exchange the texts of ``now``, and so all that was derived from it."""
        self.connection.execute(
            "UPDATE exchanges SET user_text = ?, parts = ?, assistant_text = ?, messages = ? WHERE id = ?",
            (now.said, dump_parts(now), now.assistant_text, dump_messages(now.messages), was.id),
        )
        if source:
            remake_document(self.connection, self.scope_no, source, now)
        if not now.synthetic:
            for index in self.indexes:
                index.reword(self.connection, self.scope_no, was, now)


def _cut_parts(parts: tuple[Part, ...], echo: Echo, told: Collection[str]) -> tuple[Part, ...]:
    """Return the parts of an exchange, its quotations without what was replaced: Telegram shows them as edited, too."""
    left = (
        replace(part, text=cut_quotation(part.text, echo, told)) if part.origin is Origin.QUOTED else part
        for part in parts
    )
    return tuple(part for part in left if part.text or part.origin is not Origin.QUOTED)
