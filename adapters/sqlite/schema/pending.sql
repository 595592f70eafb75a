-- The next message of a person in a place that becomes the end of a command.  Commands hold no words of people.

CREATE TABLE awaited_texts (
    place TEXT NOT NULL,                          -- its key
    author_id INTEGER NOT NULL,
    scope_no INTEGER NOT NULL,
    command TEXT NOT NULL,
    asked_at REAL NOT NULL,
    expires_at REAL NOT NULL,
    taken_by INTEGER,                             -- the update that answered
    PRIMARY KEY (place, author_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX awaited_texts_scope ON awaited_texts (scope_no);

-- Calls of tools that wait for consent, and the versions of tools that were approved.

CREATE TABLE pending_calls (
    token TEXT PRIMARY KEY,
    scope_no INTEGER NOT NULL,
    author_id INTEGER NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    arguments TEXT NOT NULL,                      -- JSON, byte for byte as it was shown
    made_at REAL NOT NULL,
    taken_by INTEGER,                             -- the update that agreed: the call is begun, and never again
    outcome TEXT,                                 -- what came of it, NULL while nobody knows
    failed INTEGER NOT NULL DEFAULT 0,
    unsure INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_calls_scope ON pending_calls (scope_no);

CREATE TABLE approved_tools (
    origin TEXT NOT NULL,                         -- a server and how it is reached
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (origin, tool)
) STRICT, WITHOUT ROWID;
