"""Looks through everything that is kept of a scope for words: memories first, then whatever else holds a text.

Words are compared whole, in any of their inflections.  A stemmer alone takes "university" for "universe" and
"Александра" for "Александр"; so two words are one only if their stems are equal and both are what they share plus an
ending of the same language.
"""

from __future__ import annotations

import itertools
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final
from unicodedata import normalize

from adapters.sqlite.database import Database, Store, reading
from adapters.sqlite.erasure.erasure_rows import belongs_to_scope, list_items, list_sources, list_versions
from adapters.sqlite.rows.codec import dump_list, find_scope, get_id_range, join_time, load_message, load_trace
from adapters.sqlite.rows.derived import Rooms
from adapters.sqlite.rows.documents import load_headings
from adapters.sqlite.rows.exchanges import load_parts
from adapters.sqlite.rows.items import load_items, select_items
from adapters.sqlite.rows.outbox import expand_text, withdraw_document
from bot.errors import Corrupt
from bot.memory.items import PASSED_ON, Origin, merge_forwarded
from bot.memory.learning.retraction import echo_of, without
from bot.memory.scope import Scope
from bot.ports.eraser import ErasureTarget, KeptText
from language import Language, languages
from language.analyser import Stemmer
from language.words import fold

_TYPED: Final = "typed:lines"
_FILE_BYTES: Final = 4 << 20
_DROPPED: Final = {
    "summary": "DELETE FROM summaries WHERE scope_no = ?1 AND session_id = CAST(?2 AS INTEGER)",
    "trace": "DELETE FROM traces WHERE id = CAST(?2 AS INTEGER) AND id >> 32 = ?1",
    "reply": "DELETE FROM deliveries WHERE scope_no = ?1 AND id = CAST(?2 AS INTEGER)",
}
_ENTRY: Final = (
    (
        "INSERT INTO journal_erased SELECT id, ?1 FROM journal WHERE id = CAST(?2 AS INTEGER) AND state = 0 "
        "ON CONFLICT DO NOTHING"
    ),
    "UPDATE journal SET payload = NULL WHERE id = CAST(?2 AS INTEGER) AND state = 2",
)
_TITLE: Final = (
    "DELETE FROM session_marks WHERE scope_no = ?1 AND session_id = CAST(?2 AS INTEGER) AND learned_upto = 0",
    "UPDATE session_marks SET title = '' WHERE scope_no = ?1 AND session_id = CAST(?2 AS INTEGER) AND title <> ''",
)
_COPIES: Final = (
    ("summary", "SELECT session_id, summary FROM summaries WHERE scope_no = ?"),
    ("reply", "SELECT id, text FROM deliveries WHERE scope_no = ? AND text <> ''"),
)
_ITEMS: Final = select_items("WHERE id BETWEEN ? AND ?")
_SAID: Final = "SELECT user_text FROM exchanges WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
_NOTED: Final = "SELECT content FROM items WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"


class SqliteKeptTexts(Store):
    """The port :class:`~bot.ports.eraser.KeptTexts`.

    ``files`` returns what is looked through line by line for a scope, besides the database.
    """

    def __init__(self, database: Database, *, files: Callable[[Scope], tuple[Path, ...]] = lambda _: ()) -> None:
        super().__init__(database)
        self._files = files

    async def find(self, scope: Scope, words: tuple[str, ...]) -> tuple[KeptText, ...]:
        matcher = WordMatcher(words)
        files = self._files(scope)
        found = await self.database.read(
            lambda connection: _find_texts(connection, self.database.rooms, scope, matcher, files)
        )
        return tuple(sorted(found, key=lambda one: (-one.share, one.role == "assistant", not one.certain)))

    @reading
    def list_texts(self, connection: sqlite3.Connection, scope: Scope, named: ErasureTarget) -> tuple[str, ...]:
        scope_no = find_scope(connection, scope)
        own = tuple(item_id for item_id in named.items if item_id >> 32 == scope_no)
        rows = list_versions(connection, scope_no, (*named.exchanges, *list_sources(connection, own)))
        item_ids = (*list_items(connection, scope_no, [row[1] for row in rows]), *own)
        said: list[str] = []
        for query, ids in ((_SAID, [row[0] for row in rows]), (_NOTED, item_ids)):
            texts = connection.execute(query, (dump_list(ids),)).fetchall()
            said += [text for (text,) in texts if not any(text in shown for shown in said)]
        return tuple(text for text in said if text.strip())


@dataclass(slots=True)
class _Search:
    """One reading; ``by_exchange`` keeps the best of each exchange, ``covered`` those that an item stands for."""

    matcher: WordMatcher
    by_exchange: dict[str, KeptText] = field(default_factory=dict)
    covered: set[str] = field(default_factory=set)

    def note(self, key: str, found: KeptText) -> None:
        best = self.by_exchange.get(key)
        if best is None or found.share > best.share:
            self.by_exchange[key] = found


def _find_texts(
    connection: sqlite3.Connection, rooms: Rooms, scope: Scope, matcher: WordMatcher, files: tuple[Path, ...]
) -> list[KeptText]:
    scope_no = find_scope(connection, scope)
    if scope_no < 0:
        return [*_search_typed_lines(files, matcher)]
    search = _Search(matcher)
    _search_items(connection, scope_no, search)
    repeated = _search_exchanges(connection, scope_no, search)
    echo = echo_of("\n".join(found.text for found in search.by_exchange.values()))
    for found in repeated:
        # What only repeats what was found goes with it.
        left = without(found.text, echo, near=False, quoted=True) if search.by_exchange else found.text
        if matcher.match(left).share == found.share:
            search.note(found.ref.removeprefix("turn:"), found)
    memories = [*search.by_exchange.values(), *_search_files(connection, scope_no, matcher)]
    waiting = [found for found in _search_waiting(connection, rooms, scope, scope_no, matcher) if found.share == 1]
    if any(found.share == 1 for found in (*memories, *waiting)):
        return [*memories, *waiting]
    copies = [*_search_copies(connection, scope_no, matcher), *_search_typed_lines(files, matcher)]
    return [*memories, *(found for found in copies if found.share == 1)]


def _search_items(connection: sqlite3.Connection, scope_no: int, search: _Search) -> None:
    rows = connection.execute(_ITEMS, get_id_range(scope_no))
    for item in load_items(rows):
        hit = search.matcher.match(f"{item.title} {item.content} {item.subject} {' '.join(item.tags)}")
        if not hit.share:
            continue
        origin = item.provenance
        sources = connection.execute("SELECT exchange FROM item_sources WHERE item_id = ?", (item.id,)).fetchall()
        if hit.share == 1:
            search.covered |= {row[0] for row in sources}
        role = "assistant" if origin.author_id == 0 else "user"
        whose = (origin.author_id, origin.author_name, role, origin.said_at)
        found = KeptText(f"item:{item.id}", item.content, hit.share, hit.certain, *whose)
        search.note(origin.exchange or found.ref, found)


def _search_files(connection: sqlite3.Connection, scope_no: int, matcher: WordMatcher) -> Iterator[KeptText]:
    """Yield a result for each document that was sent with the chunk that has most of the words."""
    rows = connection.execute(
        "SELECT uid, name, title, author_id, author_name, added_at, added_offset, headings, text FROM document_chunks "
        "JOIN documents ON documents.id = document WHERE document_chunks.id BETWEEN ? AND ? "
        "ORDER BY document_chunks.id",
        get_id_range(scope_no),
    )
    best: dict[str, KeptText] = {}
    for uid, name, title, author_id, author, added_at, offset, headings, text in rows:
        called = name if title in {"", name, name.rpartition(".")[0]} else f"{name} ({title})"
        hit = matcher.match(f"{called} {' '.join(load_headings(headings))} {text}")
        known = best.get(uid)
        if hit.share and (known is None or hit.share > known.share):
            shown = f"{called}: {text}"
            # Never beyond doubt: a whole document is not forgotten for a word without being asked about.
            at = join_time(added_at, offset)
            best[uid] = KeptText(
                f"file:{uid}", shown, hit.share, certain=False, author_id=author_id, author=author, said_at=at
            )
    yield from best.values()


def _search_exchanges(connection: sqlite3.Connection, scope_no: int, search: _Search) -> list[KeptText]:
    """Note exchanges, also synthetic and replaced ones; return what only repeats the words: answers, quotations."""
    rows = connection.execute(
        "SELECT uid, author_id, author_name, user_text, assistant_text, said_at, said_offset, echo, parts "
        "FROM exchanges WHERE id BETWEEN ? AND ? ORDER BY id",
        get_id_range(scope_no),
    )
    repeated = []
    for uid, author_id, author, said, answer, said_at, offset, echo, parts in rows:
        typed, foreign = load_parts(parts, said)
        passed_on = merge_forwarded(foreign)
        whose = ("user", author_id, author)
        if passed_on is not None and search.matcher.match(typed).share < search.matcher.match(said).share:
            whose = ("forwarded", passed_on.author_id, passed_on.author)
        texts = [(said, *whose, False), (answer, "assistant", 0, "", bool(echo))]
        for part in foreign:
            role = "forwarded" if part.origin in PASSED_ON else "user"
            texts.append((part.text, role, part.author_id, part.author, part.origin is Origin.QUOTED))
        for text, role, by_id, by, repeats in texts:
            hit = search.matcher.match(f"{by}: {text}" if role == "forwarded" else text)
            if not hit.share:
                continue
            found = KeptText(f"turn:{uid}", text, hit.share, hit.certain, by_id, by, role, join_time(said_at, offset))
            if repeats:
                repeated.append(found)
            elif uid not in search.covered:
                search.note(uid, found)
    return repeated


def _search_waiting(
    connection: sqlite3.Connection, rooms: Rooms, scope: Scope, scope_no: int, matcher: WordMatcher
) -> Iterator[KeptText]:
    """Yield what was said and is not remembered yet, or never will be: messages, questions, reminders, titles."""
    rows = connection.execute(
        "SELECT id, payload FROM journal WHERE state IN (0, 2) AND payload IS NOT NULL"
    ).fetchall()
    for entry_id, payload in rows:
        try:
            message = load_message(payload)
        except Corrupt:
            continue
        text = "\n".join(filter(None, (message.quote.text if message.quote else "", message.text, message.file_name)))
        hit = matcher.match(text)
        if hit.share == 1 and not message.text.lstrip().startswith("/") and belongs_to_scope(payload, scope):
            author = message.author
            yield KeptText(f"entry:{entry_id}", text, 1.0, hit.certain, author.id, author.name, "user", message.sent_at)
    titles = connection.execute("SELECT session_id, title FROM session_marks WHERE scope_no = ?", (scope_no,))
    for session, title in titles:
        hit = matcher.match(title)
        yield KeptText(f"title:{session}", title, hit.share, hit.certain)
    for found in (each for room in rooms if room.look is not None for each in room.look(connection, scope_no)):
        hit = matcher.match(found.text)
        yield replace(found, share=hit.share, certain=hit.certain)


def _search_copies(connection: sqlite3.Connection, scope_no: int, matcher: WordMatcher) -> Iterator[KeptText]:
    """Yield texts that stand for others: they are looked at where none of those holds the words any more."""
    rows: list[tuple[str, str]] = [
        (f"{kind}:{key}", text) for kind, query in _COPIES for key, text in connection.execute(query, (scope_no,))
    ]
    rows += [
        (f"document:{source}", expand_text(*texts))
        for source, *texts in connection.execute(
            "SELECT outbox.source, text, user_text, assistant_text FROM outbox LEFT JOIN exchanges "
            "ON exchanges.id = exchange_id WHERE outbox.scope_no = ? AND erase = 0",
            (scope_no,),
        )
    ]
    for trace_id, payload in connection.execute(
        "SELECT id, trace FROM traces WHERE id BETWEEN ? AND ?", get_id_range(scope_no)
    ):
        rows += [(f"trace:{trace_id}", memory.text) for memory in load_trace(payload).memories]
    seen = set()
    for ref, text in rows:
        hit = matcher.match(text)
        if hit.share == 1 and ref not in seen:
            seen.add(ref)
            yield KeptText(ref, text, 1.0, hit.certain, role="assistant")


def _search_typed_lines(files: tuple[Path, ...], matcher: WordMatcher) -> Iterator[KeptText]:
    """Yield one result for all lines that were typed: they are erased together, with the first erase."""
    for file in files:
        try:
            with file.open("rb") as opened:
                lines = opened.read(_FILE_BYTES).decode(errors="replace").splitlines()
        except OSError:
            continue
        for line in lines:
            said = line.removeprefix("+")
            hit = matcher.match(said)
            if hit.share == 1 and not said.startswith("/forget"):
                yield KeptText(_TYPED, said, 1.0, hit.certain)
                return


def erase_copies(connection: sqlite3.Connection, rooms: Rooms, scope: Scope, scope_no: int, refs: Sequence[str]) -> int:
    """Erase a scope's copies by their names and return how many there were; typed lines go with every erase."""
    done = 0
    drops = {room.name: room.drop for room in rooms if room.drop is not None}
    for ref in refs:
        kind, _, key = ref.partition(":")
        if kind == "document":
            done += connection.execute(
                "SELECT count(*) FROM outbox WHERE scope_no = ? AND source = ? AND erase = 0", (scope_no, key)
            ).fetchone()[0]
            withdraw_document(connection, scope_no, key)
        elif kind == "entry":
            row = connection.execute("SELECT payload FROM journal WHERE id = CAST(? AS INTEGER)", (key,)).fetchone()
            if row is None or row[0] is None or not belongs_to_scope(row[0], scope):
                continue
            done += sum(connection.execute(query, (scope_no, key)).rowcount for query in _ENTRY)
        elif kind == "title":
            done += sum(connection.execute(query, (scope_no, key)).rowcount for query in _TITLE)
        elif kind in drops:
            done += drops[kind](connection, scope_no, key)
        elif kind in _DROPPED:
            done += connection.execute(_DROPPED[kind], (scope_no, key)).rowcount
        else:
            done += ref == _TYPED
    return done


_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
_LONGEST: Final = 64
_MARKED: Final = re.compile("([a-z])[\u0300-\u036f]+")
_LATIN_ENDS: Final = "\u0250"
_LEAST: Final = 3
"""Letters that two inflections share at least; one less where each has an ending of one letter: "Оля", "Олю"."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The share of a name's words that stand in a text, and whether there can be no doubt about them.

    A name in another form than was asked for leaves a doubt: "Александра" may be a woman, or "of Александр".  So does
    what is one word by German endings alone, as nobody knows the language ("Kind" and "Kinder", but "car" and "care"),
    and what differs by an accent ("Jose" and "José").
    """

    share: float = 0.0
    certain: bool = False


class WordMatcher:
    """Looks for words in texts."""

    def __init__(self, words: Iterable[str]) -> None:
        self._wanted = tuple(dict.fromkeys(fold_text(word) for word in words))
        self._beginnings = tuple(strip_accents(_common_beginning(word)) for word in self._wanted)

    def match(self, text: str) -> Hit:
        """Return how much of the words stands in the text."""
        text = normalize("NFKC", text)
        plain = fold_text(text)
        plain += f"\n{strip_accents(plain)}"
        if not any(beginning in plain for beginning in self._beginnings):
            return Hit()
        written = _WORD.findall(text)
        folded = fold_text("\n".join(written)).split("\n")
        forms = set(folded)
        names = {form for form, word in zip(folded, written, strict=True) if word[:1].isupper()}
        found, doubt = 0, False
        for wanted in self._wanted:
            if wanted in forms:
                found += 1
                continue
            inflected = {form for form in forms if is_same_word(wanted, form)}
            alike = inflected or {form for form in forms if is_same_word(strip_accents(wanted), strip_accents(form))}
            found += bool(alike)
            doubt = doubt or not alike.isdisjoint(names) or not any(_is_certain(wanted, form) for form in inflected)
        whole = found == len(self._wanted)
        return Hit(found / len(self._wanted), whole and not doubt) if self._wanted else Hit()


def fold_text(text: str) -> str:
    """Return a text as it is compared."""
    return fold(normalize("NFKC", text))


def strip_accents(text: str) -> str:
    """Return a folded text without the marks on its Latin letters."""
    if text.isascii():
        return text
    return "".join(_MARKED.sub(r"\1", normalize("NFD", letter)) if letter < _LATIN_ENDS else letter for letter in text)


def is_same_word(one: str, other: str) -> bool:
    """Whether two folded words are one word, perhaps in different forms."""
    if one == other:
        return True
    shared = _common_prefix(one, other)
    ends = (one[len(shared) :], other[len(shared) :])
    least = _LEAST - all(len(end) == 1 for end in ends)
    if len(shared) < least or max(len(one), len(other)) > _LONGEST:
        return False
    named = _stemmer().stem_name(one) == _stemmer().stem_name(other)  # Snowball takes "Артём" for a verb
    return any(
        all(_is_ending(end, shared, language) for end in ends)
        and (named or _stemmer().stem_in(language.code, one) == _stemmer().stem_in(language.code, other))
        for language in _candidate_languages(one)
    )


def _is_certain(one: str, other: str) -> bool:
    """Whether two words that are the same are so beyond doubt: not by German endings alone, nor by a silent e."""
    shared = _common_prefix(one, other)
    ends = (one[len(shared) :], other[len(shared) :])
    language = _candidate_languages(one)[0]
    doubtful = all(not end or end in language.inflection.doubtful_endings for end in ends)
    return not doubtful and all(_is_ending(end, shared, language) for end in ends)


def _is_ending(end: str, shared: str, language: Language) -> bool:
    known = language.inflection
    return not end or end in known.erasable_endings or (end[0] == shared[-1:] and end[1:] in known.doubling_endings)


@lru_cache(maxsize=4096)
def _candidate_languages(word: str) -> tuple[Language, ...]:
    """Return the languages whose endings a folded word can have: the one whose own letters it mostly has, else all."""
    letters = sum(character.isalpha() for character in word)
    inflected = tuple(each for each in languages() if each.stemmer and each.inflection.erasable_endings)
    own = (each for each in inflected if each.letters and 2 * len(re.findall(f"[{each.letters}]", word)) > letters)
    decided = next(own, None)
    return inflected if decided is None else (decided,)


def _common_beginning(word: str) -> str:
    """Return what every form of a word begins with."""
    candidates = _candidate_languages(word) if len(word) <= _LONGEST else ()
    for stem in [_stemmer().stem_in(language.code, word) for language in candidates]:
        word = _common_prefix(word, stem) or word
    return word


def _common_prefix(one: str, other: str) -> str:
    same_letters = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(letter for letter, _ in same_letters)


@cache
def _stemmer() -> Stemmer:
    return Stemmer()
