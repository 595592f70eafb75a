-- Buttons are bound to who asked and to what they showed; an erase can be taken back for a moment.
-- The texts here go with the scope's: an erase of anything in it clears them, too.

CREATE TABLE buttons (
    token TEXT PRIMARY KEY,                       -- the callback data: says nothing by itself
    delivery_id INTEGER NOT NULL,                 -- buttons under one message are used up together
    scope_no INTEGER NOT NULL,
    place_no INTEGER NOT NULL,
    asker_id INTEGER NOT NULL,                    -- who may press it; 0: everybody in the place
    command TEXT NOT NULL,                        -- what a press says
    about TEXT NOT NULL,                          -- JSON array of what it showed
    version TEXT NOT NULL,                        -- of that, when it was shown; '' where it does not matter
    made_at REAL NOT NULL,
    expires_at REAL NOT NULL,
    pressed_by INTEGER                            -- the update that pressed one of them
) STRICT, WITHOUT ROWID;
CREATE INDEX buttons_delivery ON buttons (delivery_id);
CREATE INDEX buttons_scope ON buttons (scope_no);
CREATE INDEX buttons_expiry ON buttons (expires_at);

CREATE TABLE proposals (                          -- texts that are remembered only if somebody agrees
    token TEXT PRIMARY KEY,
    scope_no INTEGER NOT NULL,
    author_id INTEGER NOT NULL,
    text TEXT NOT NULL,
    trust INTEGER NOT NULL,
    made_at REAL NOT NULL,
    taken_by INTEGER                              -- the update that agreed
) STRICT, WITHOUT ROWID;
CREATE INDEX proposals_scope ON proposals (scope_no);

CREATE TABLE held (                               -- erases that can still be taken back
    uid TEXT PRIMARY KEY,                         -- the tombstone's
    scope_no INTEGER NOT NULL,
    author_id INTEGER NOT NULL,                   -- who may take it back; 0: everybody
    made_at REAL NOT NULL,
    lapses_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX held_scope ON held (scope_no);

CREATE TABLE held_rows (                          -- what such an erase changed, in its order
    uid TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tab TEXT NOT NULL,
    col TEXT NOT NULL,                            -- '': the whole row was deleted
    key INTEGER,                                  -- of a row that was changed
    was TEXT NOT NULL,                            -- as SQL: a value, or columns and values
    PRIMARY KEY (uid, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE held_documents (                     -- what long-term memory is told when the erase lapses
    uid TEXT NOT NULL,
    seq INTEGER NOT NULL,
    scope_no INTEGER NOT NULL,
    source TEXT NOT NULL,
    exchange_id INTEGER,
    text TEXT NOT NULL,
    erase INTEGER NOT NULL,
    PRIMARY KEY (uid, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_documents_scope ON held_documents (scope_no);
