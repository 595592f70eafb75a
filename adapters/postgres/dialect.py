"""Says in PostgreSQL's dialect what the stores say in SQLite's: statements, and the schema.

Most statements are right in both as they stand.  What differs is little: placeholders, JSON lists, the search for
words, the names of a few functions and types.  Each statement is translated once.
"""

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import postgres_session
from postgres_session import hide_literals, show_literals

_VALUE: Final = r"(\?\d*|:\w+)"
_LISTED: Final = re.compile(rf"(NOT )?IN \(SELECT value FROM json_each\({_VALUE}\)\)")  # noqa: S608 - a pattern
_EACH: Final = re.compile(rf"json_each\({_VALUE}\)")
_MATCH: Final = re.compile(
    rf"SELECT rowid FROM (\w+) WHERE \1 MATCH {_VALUE} AND rowid BETWEEN {_VALUE} AND {_VALUE}"  # noqa: S608 - a pattern
    rf"(?P<order> ORDER BY rowid *(?:DESC)? LIMIT {_VALUE})?"
)
_PLACEHOLDER: Final = re.compile(r"\?(\d*)(#?)|(?<![:\w]):([a-z]\w*)(#?)")
"""Of a value; "#" stands behind one that is a list."""
_TESTED: Final = re.compile(rf"{_VALUE} IS NULL")
_NUMBERED: Final = re.compile(r"\?\d")
_CHOICE: Final = re.compile(r"\b(max|min)\(")
_RENAMED: Final = (
    (re.compile(r"\binstr\("), "strpos("),
    (re.compile(r"\bchar\("), "chr("),
    (re.compile(r"\bCROSS JOIN\b"), "JOIN"),  # only tells SQLite which table to begin with
    (re.compile(r"\bAS INTEGER\b"), "AS BIGINT"),
    (re.compile(r"\bBEGIN IMMEDIATE\b"), "BEGIN"),
)
_FULL_TEXT: Final = re.compile(r"CREATE VIRTUAL TABLE (\w+) USING fts5 ")


@dataclass(frozen=True, slots=True)
class Statement:
    """A translated statement; of ``lists`` (places or names of its values) the JSON becomes an array.

    Of ``tested`` it asks whether they are NULL: those it takes twice, the second time as ``<name>_``, because what
    has to be a text there may be a number elsewhere.
    ``numbered``: it names its values by number, so that they are given by name (``p1``).
    """

    text: str
    lists: frozenset[int | str] = frozenset()
    tested: frozenset[str] = frozenset()
    numbered: bool = False


@lru_cache(maxsize=2048)
def translate(statement: str) -> Statement:
    """Return what a statement of the stores is in PostgreSQL's dialect."""
    if statement.startswith("PRAGMA optimize"):
        return Statement("SELECT 1 WHERE false")  # autovacuum does it
    text, literals = hide_literals(statement)
    if " MATCH ?" in text and _NUMBERED.search(text) is None:  # its values come more than once
        numbers = itertools.count(1)
        text = re.sub(r"\?", lambda _: f"?{next(numbers)}", text)
    text = _MATCH.sub(_find_rows, text)
    text = _LISTED.sub(lambda found: f"{'<> ALL' if found[1] else '= ANY'} ({found[2]}#)", text)
    text = _EACH.sub(r"unnest(CAST(\1# AS TEXT[])) AS listed (value)", text)
    for pattern, other in _RENAMED:
        text = pattern.sub(other, text)
    text = _rename_choices(text).replace("%", "%%")
    places = itertools.count()
    lists: set[int | str] = set()
    tested: set[str] = set()

    def test(found: re.Match[str]) -> str:
        name = found[1].lstrip(":").replace("?", "p")
        tested.update({name} - {"p"})
        return "CAST(? AS TEXT) IS NULL" if name == "p" else f"CAST(:{name}_ AS TEXT) IS NULL"

    def place(found: re.Match[str]) -> str:
        name = found[3] or (f"p{found[1]}" if found[1] else "")
        key = name or next(places)
        if found[2] or found[4]:
            lists.add(key)
        return f"%({name})s" if name else "%s"

    numbered = _NUMBERED.search(text) is not None
    text = _TESTED.sub(test, text)
    text = show_literals(_PLACEHOLDER.sub(place, text), literals)
    return Statement(text, frozenset(lists), frozenset(tested), numbered)


def _find_rows(found: re.Match[str]) -> str:
    """Return the search for words in the postings of :func:`translate_schema`; the query is read once, not per row."""
    table, words, low, high = found.group(1, 2, 3, 4)
    return (
        f"SELECT rowid FROM {table}_words WHERE word = ANY (CAST((SELECT list_words({words})) AS TEXT[])) "  # noqa: S608 - names of the schema
        f"AND rowid BETWEEN {low} AND {high} AND head >= (SELECT wants_head({words})) "
        f"GROUP BY rowid HAVING count(*) >= (SELECT count_wanted({words}))"
        f"{found['order'] or ''}"
    )


def _rename_choices(text: str) -> str:
    """Call ``max`` and ``min`` of several values by PostgreSQL's names."""

    def rename(found: re.Match[str]) -> str:
        depth, several = 1, False
        for character in text[found.end() :]:
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth == 0:
                break
            several |= character == "," and depth == 1
        return {"max": "GREATEST(", "min": "LEAST("}[found[1]] if several else found[0]

    return _CHOICE.sub(rename, text)


SUPPORT: Final = """
CREATE FUNCTION list_words(query TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE AS
$$ SELECT array(SELECT DISTINCT found[1] FROM regexp_matches(query, '"([^"]+)"', 'g') AS found) $$;
CREATE FUNCTION count_wanted(query TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN query LIKE '%" AND "%' THEN cardinality(list_words(query)) ELSE 1 END $$;
CREATE FUNCTION wants_head(query TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN query LIKE 'head : %' THEN 1 ELSE 0 END $$;
CREATE FUNCTION fold_name(name TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT trim(regexp_replace(lower(name), '\\s+', ' ', 'g')) $$;
"""
"""Functions that translated statements call; the queries of words are those of ``build_match``."""

_WORDS: Final = """
CREATE TABLE {table} (rowid BIGINT PRIMARY KEY, head TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE {table}_words (
    word TEXT COLLATE "C" NOT NULL,
    rowid BIGINT NOT NULL REFERENCES {table} ON DELETE CASCADE,
    head BIGINT NOT NULL,
    PRIMARY KEY (word, rowid)
);
CREATE INDEX {table}_words_rowid ON {table}_words (rowid);
CREATE FUNCTION {table}_index() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO {table}_words SELECT word, NEW.rowid, max(head) FROM (
        SELECT regexp_split_to_table(NEW.head, ' ') AS word, 1 AS head UNION ALL
        SELECT regexp_split_to_table(NEW.body, ' '), 0) AS said WHERE word <> '' GROUP BY word;
    RETURN NULL;
END $$;
CREATE TRIGGER {table}_index AFTER INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_index();
"""
"""What stands in the place of a full-text table: the words by rows, which follow it by themselves."""


def translate_schema(statement: str) -> str:
    """Return one statement of a schema file in PostgreSQL's dialect; it may be several."""
    found = _FULL_TEXT.search(statement)
    return _WORDS.format(table=found[1]) if found else postgres_session.translate_schema(statement)
