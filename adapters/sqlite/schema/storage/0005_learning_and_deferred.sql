-- What is still to be done when a model, or long-term memory, can be used again.

CREATE TABLE learning (                           -- sessions that have ended and were not learned from to their end
    session_id INTEGER NOT NULL,
    scope_no INTEGER NOT NULL,
    upto INTEGER NOT NULL DEFAULT 0,              -- newest exchange id that was learned from
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at REAL NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (session_id, scope_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX learning_next ON learning (next_at);

CREATE TABLE deferred_documents (                 -- said while long-term memory was switched off
    exchange_id INTEGER PRIMARY KEY
) STRICT;
