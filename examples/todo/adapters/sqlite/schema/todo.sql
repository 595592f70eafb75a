CREATE TABLE todos (
    scope_no INTEGER NOT NULL REFERENCES scopes (no),
    number   INTEGER NOT NULL,
    text     TEXT NOT NULL,
    done     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (scope_no, number)
) WITHOUT ROWID;
