-- Reminders.  Numbered like the tables of memory: scope_no << 32 | seq, so that a scope is one range.
-- Times are REAL seconds since 1970 (UTC); what the wall clock says stands beside them as text.

CREATE TABLE reminder_numbers (
    scope_no INTEGER PRIMARY KEY,
    last INTEGER NOT NULL                         -- never given again, also not after an erase
) STRICT;

CREATE TABLE reminders (
    id INTEGER PRIMARY KEY,
    scope_no INTEGER NOT NULL,
    place_no INTEGER NOT NULL,
    door TEXT NOT NULL,                           -- the place's, for the index below
    asker_id INTEGER NOT NULL,
    asker_name TEXT NOT NULL,
    language TEXT NOT NULL,
    direct INTEGER NOT NULL,
    text TEXT NOT NULL,
    start TEXT NOT NULL,                          -- naive local time that the rule is counted from
    zone TEXT NOT NULL,
    passes INTEGER NOT NULL,                      -- counts passing time: start is in UTC
    rule TEXT NOT NULL,                           -- RRULE, '' for one that comes once
    due_at REAL,                                  -- NULL: it came
    snoozed_to REAL,
    waits_to REAL,                                -- put off by quiet hours
    wake_at REAL,                                 -- the first of these
    fired_at REAL,
    fired_due REAL,
    made_at REAL NOT NULL,
    exchange TEXT NOT NULL,                       -- uid of the exchange that asked for it, '' without one
    origin TEXT NOT NULL,                         -- the message that asked for it
    delivery_id INTEGER,                          -- of its newest message
    version INTEGER NOT NULL DEFAULT 0,
    CHECK (id >> 32 = scope_no)
) STRICT;
CREATE INDEX reminders_wake ON reminders (door, wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX reminders_ahead ON reminders (fired_at) WHERE rule <> '' AND fired_at IS NOT NULL;
CREATE INDEX reminders_over ON reminders (fired_at) WHERE wake_at IS NULL;
CREATE INDEX reminders_place ON reminders (place_no, wake_at);
CREATE INDEX reminders_exchange ON reminders (scope_no, exchange) WHERE exchange <> '';
CREATE UNIQUE INDEX reminders_origin ON reminders (origin) WHERE origin <> '';
