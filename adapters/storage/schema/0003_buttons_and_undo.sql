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
