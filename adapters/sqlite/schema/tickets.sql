-- Tickets: what waits for one press or text of whoever was asked, in one place, for a while, and is used up by it.
-- Their texts go with the scope's: an erase of anything in it clears them, too.

CREATE TABLE tickets (
    token TEXT PRIMARY KEY,                       -- nobody can guess it, and it says nothing by itself
    kind TEXT NOT NULL,                           -- button, proposal, call, text, question, orders, undone
    scope_no INTEGER NOT NULL,
    place_no INTEGER,                             -- where it was shown; NULL: of a version that did not note it
    asker_id INTEGER NOT NULL,                    -- who may use it; 0: everybody in the place
    delivery_id INTEGER,                          -- the message of a button: all under it are used up together
    content TEXT NOT NULL,                        -- JSON array of what the kind holds, as it was shown
    about TEXT NOT NULL DEFAULT '[]',             -- JSON array of what it showed
    version TEXT NOT NULL DEFAULT '',             -- of that, when it was shown; '' where it does not matter
    made_at REAL NOT NULL,
    expires_at REAL NOT NULL,
    used_by INTEGER,                              -- the update that used it up
    outcome TEXT                                  -- JSON array of what came of a call, NULL while nobody knows
) STRICT, WITHOUT ROWID;
CREATE INDEX tickets_delivery ON tickets (delivery_id) WHERE delivery_id IS NOT NULL;
CREATE INDEX tickets_scope ON tickets (scope_no);
CREATE INDEX tickets_expiry ON tickets (expires_at);
CREATE INDEX tickets_open ON tickets (place_no, asker_id) WHERE kind IN ('text', 'question');

CREATE TABLE approved_tools (                     -- the versions of tools that somebody agreed to
    origin TEXT NOT NULL,                         -- a server and how it is reached
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (origin, tool)
) STRICT, WITHOUT ROWID;
