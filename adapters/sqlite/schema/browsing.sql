-- For looking at memory: conversations in the order of time, whenever they were stored, and receipts of erases.

CREATE INDEX exchanges_said ON exchanges (scope_no, said_at, id) WHERE replaced_by IS NULL;

CREATE TABLE receipts (                           -- what was forgotten, without a word of it
    uid TEXT PRIMARY KEY,                         -- the tombstone's
    scope_no INTEGER NOT NULL,
    erased_at REAL NOT NULL,
    everything INTEGER NOT NULL,                  -- the whole scope
    exchanges INTEGER NOT NULL,
    items INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    files INTEGER NOT NULL DEFAULT 0              -- documents that somebody had sent
) STRICT, WITHOUT ROWID;
CREATE INDEX receipts_scope ON receipts (scope_no, erased_at);
