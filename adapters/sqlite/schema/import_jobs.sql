-- Imports that were asked for.  The file of each lies below data/imports, under the name of its scope and its own.

CREATE TABLE import_jobs (
    token TEXT PRIMARY KEY,
    scope_no INTEGER NOT NULL,
    asker_id INTEGER NOT NULL,                    -- who may say how it goes on
    name TEXT NOT NULL,                           -- of the file, as it was sent
    state INTEGER NOT NULL,                       -- 0 shown, 1 to be done, 2 done, 3 refused, 4 cancelled
    request TEXT NOT NULL,                        -- JSON: whose words are the user's, and how the file is read
    place TEXT NOT NULL,                          -- JSON: where its end is told, '' for nowhere
    message_id INTEGER,                           -- that shows its progress; 0 while nobody knows whether there is one
    total INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,              -- of this run
    added INTEGER NOT NULL DEFAULT 0,
    forgotten INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    made_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX import_jobs_scope ON import_jobs (scope_no);
CREATE INDEX import_jobs_open ON import_jobs (made_at) WHERE state < 2;
