-- Lists.  Numbered like the tables of memory: scope_no << 32 | seq, so that a scope is one range.
-- Times are REAL seconds since 1970 (UTC).

CREATE TABLE list_numbers (
    scope_no INTEGER PRIMARY KEY,
    last INTEGER NOT NULL                         -- never given again, also not after an erase
) STRICT;

CREATE TABLE list_items (
    id INTEGER PRIMARY KEY,
    scope_no INTEGER NOT NULL,
    list TEXT NOT NULL,                           -- what names of lists are compared by
    title TEXT NOT NULL,                          -- what people call it, '' where that says it
    text TEXT NOT NULL,
    state INTEGER NOT NULL,                       -- 0 open, 1 done, 2 taken off
    added_by INTEGER NOT NULL,
    added_name TEXT NOT NULL,
    added_at REAL NOT NULL,
    exchange TEXT NOT NULL,                       -- uid of the exchange that put it there, '' without one
    origin TEXT NOT NULL,                         -- the message that did, and what it named
    closed_by INTEGER NOT NULL,
    closed_name TEXT NOT NULL,
    closed_at REAL,                               -- NULL: it is open
    closed_exchange TEXT NOT NULL,
    closed_origin TEXT NOT NULL,
    CHECK (id >> 32 = scope_no)
) STRICT;
CREATE INDEX list_items_state ON list_items (scope_no, state, closed_at);
CREATE INDEX list_items_exchange ON list_items (scope_no, exchange) WHERE exchange <> '';
CREATE INDEX list_items_closed ON list_items (scope_no, closed_exchange) WHERE closed_exchange <> '';
CREATE UNIQUE INDEX list_items_origin ON list_items (scope_no, origin) WHERE origin <> '';
