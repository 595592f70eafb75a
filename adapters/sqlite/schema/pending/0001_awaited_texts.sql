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
