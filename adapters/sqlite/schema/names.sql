-- Who and what exchanges name.  Derived: everything here can be made again from them.

CREATE TABLE names (
    id INTEGER PRIMARY KEY,                       -- scope_no << 32 | seq; gone with the last message that names it
    key TEXT NOT NULL                             -- what the forms of the name have in common
) STRICT;
CREATE UNIQUE INDEX names_key ON names (key, id);

CREATE TABLE mentions (
    name INTEGER NOT NULL,
    exchange INTEGER NOT NULL,                    -- the exchange's id
    said_at REAL NOT NULL,
    kind INTEGER NOT NULL,
    sure INTEGER NOT NULL,                        -- a name beyond doubt
    own INTEGER NOT NULL,                         -- the author's own: "my sister"
    relation TEXT NOT NULL,                       -- a concept, '' for none
    shown TEXT NOT NULL,                          -- the form that stands there
    PRIMARY KEY (name, exchange)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_exchange ON mentions (exchange);

CREATE TABLE names_backlog (
    exchange INTEGER PRIMARY KEY                  -- the model was not asked yet whom it names
) STRICT;
