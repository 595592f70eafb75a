-- Everything of one Mneme in one file.
-- Memory tables number their rows scope_no << 32 | seq, so that a scope is one contiguous range of every table and a
-- query for one scope cannot touch a row of another.  Times are REAL seconds since 1970 (UTC) beside the offset, in
-- minutes, that the author's clock showed.

CREATE TABLE scopes (
    no INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    exchange_seq INTEGER NOT NULL DEFAULT 0,      -- last number given; never given again, also not after an erase
    item_seq INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER NOT NULL DEFAULT 0,             -- grows with every erase: keys of caches
    erased_at REAL                                -- when the whole of it was erased last
) STRICT;

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstones (                         -- erases this file has applied, by the name in the tombstone log
    uid TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE places (                             -- where conversations happen
    no INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    door TEXT NOT NULL,
    bot_id INTEGER NOT NULL,
    chat_id INTEGER NOT NULL,
    topic_id INTEGER,
    session_id INTEGER,                           -- the open session
    last_exchange INTEGER                         -- what /why explains
) STRICT;

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    place_no INTEGER NOT NULL,
    started_at REAL NOT NULL,
    started_offset INTEGER NOT NULL,
    active_at REAL,                               -- newest exchange; NULL while there is none
    ended_at REAL
) STRICT;
CREATE INDEX sessions_open ON sessions (active_at) WHERE ended_at IS NULL AND active_at IS NOT NULL;

CREATE TABLE summaries (                          -- of a session's older turns, apart for every scope that took part
    session_id INTEGER NOT NULL,
    scope_no INTEGER NOT NULL,
    summary TEXT NOT NULL,
    upto INTEGER NOT NULL,                        -- newest exchange id it stands for
    trust INTEGER NOT NULL DEFAULT 1,             -- the least of what was summarised
    PRIMARY KEY (session_id, scope_no)
) STRICT, WITHOUT ROWID;

CREATE TABLE exchanges (                          -- the verbatim truth; everything else about memory is derived
    id INTEGER PRIMARY KEY,
    scope_no INTEGER NOT NULL,
    uid TEXT NOT NULL,
    session_id INTEGER NOT NULL,
    place_no INTEGER NOT NULL,
    message_id INTEGER NOT NULL,                  -- 0: unknown
    author_id INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    trust INTEGER NOT NULL,
    user_text TEXT NOT NULL,
    assistant_text TEXT NOT NULL,
    said_at REAL NOT NULL,
    said_offset INTEGER NOT NULL,
    skill TEXT NOT NULL,
    synthetic INTEGER NOT NULL,
    echo INTEGER NOT NULL,                        -- the answer only repeats memory: history, never evidence
    source TEXT NOT NULL,                         -- its document in long-term memory, '' without one
    replaced_by INTEGER,                          -- id of the exchange that an edit put in its place
    parts TEXT NOT NULL DEFAULT '[]',             -- JSON: origin, author, author_id, trust, text; whose user_text is
    answer_trust INTEGER NOT NULL DEFAULT 2,      -- the least of what the answer rests on
    messages TEXT NOT NULL DEFAULT '[]',          -- JSON: message_id, text, file, heard; where several say it, or one aloud
    UNIQUE (scope_no, uid),
    CHECK (id >> 32 = scope_no)
) STRICT;
CREATE INDEX exchanges_session ON exchanges (session_id, id);
CREATE INDEX exchanges_message ON exchanges (place_no, message_id) WHERE message_id <> 0;
CREATE INDEX exchanges_replaced ON exchanges (replaced_by) WHERE replaced_by IS NOT NULL;

CREATE TABLE traces (                             -- of the newest turns of each scope, for /why
    id INTEGER PRIMARY KEY,                       -- the exchange's
    trace BLOB NOT NULL
) STRICT;

CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    scope_no INTEGER NOT NULL,
    layer TEXT NOT NULL,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    subject TEXT NOT NULL,
    tags TEXT NOT NULL,                           -- JSON array of strings
    refs TEXT NOT NULL,                           -- JSON array of item ids
    author_id INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    source TEXT NOT NULL,
    trust INTEGER NOT NULL,
    said_at REAL NOT NULL,
    said_offset INTEGER NOT NULL,
    exchange TEXT NOT NULL,                       -- uid of the exchange that said it first, '' without one
    fingerprint TEXT NOT NULL,
    confidence REAL NOT NULL,
    salience REAL NOT NULL,
    ttl_s INTEGER,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    accessed_at REAL,
    uses INTEGER NOT NULL DEFAULT 0,              -- how often it stood in a prompt
    restated INTEGER NOT NULL DEFAULT 0,          -- how often it was said again
    pinned INTEGER NOT NULL DEFAULT 0,
    superseded_by INTEGER,                        -- 0: withdrawn by an edit that put nothing in its place
    CHECK (id >> 32 = scope_no)
) STRICT;
CREATE UNIQUE INDEX items_fingerprint ON items (scope_no, author_id, fingerprint) WHERE superseded_by IS NULL;
CREATE INDEX items_subject ON items (scope_no, subject) WHERE superseded_by IS NULL AND subject <> '';

CREATE TABLE item_sources (                       -- which exchanges said an item
    item_id INTEGER NOT NULL,
    exchange TEXT NOT NULL,
    PRIMARY KEY (item_id, exchange)
) STRICT, WITHOUT ROWID;

CREATE INDEX item_sources_exchange ON item_sources (exchange);

CREATE TABLE item_backlog (                       -- items that wait for a vector
    id INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE item_vectors (
    id INTEGER PRIMARY KEY,                       -- the item's
    model TEXT NOT NULL,
    scale REAL NOT NULL,                          -- vector = scale * int8
    vector BLOB NOT NULL
) STRICT;

CREATE VIRTUAL TABLE items_fts USING fts5 (       -- stemmed words; rowid is the item's id
    head, body, tokenize = 'unicode61 remove_diacritics 0'
);

CREATE TABLE journal (                            -- accepted messages
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    door TEXT NOT NULL,
    bot_id INTEGER NOT NULL,
    update_id INTEGER NOT NULL,
    place TEXT NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,             -- 0 pending, 1 closed, 2 abandoned
    attempts INTEGER NOT NULL DEFAULT 0,
    payload BLOB,                                 -- dropped when the turn is committed
    draft_id INTEGER,
    reason TEXT NOT NULL DEFAULT '',
    committed INTEGER NOT NULL DEFAULT 0,         -- its turn was stored; abandoned entries get a last word, too
    exchange_id INTEGER,                          -- what the commit made
    first_delivery INTEGER,
    deliveries INTEGER NOT NULL DEFAULT 0,
    closed_at REAL,
    UNIQUE (door, bot_id, update_id)
) STRICT;
CREATE INDEX journal_pending ON journal (place, id) WHERE state = 0;
CREATE INDEX journal_abandoned ON journal (exchange_id) WHERE state = 2;
CREATE INDEX journal_closed ON journal (closed_at) WHERE state <> 0;

CREATE TABLE journal_erased (                     -- turns under way while their scope was erased
    entry_id INTEGER NOT NULL,
    scope_no INTEGER NOT NULL,
    PRIMARY KEY (entry_id, scope_no)
) STRICT, WITHOUT ROWID;

CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    place_no INTEGER NOT NULL,
    scope_no INTEGER NOT NULL,
    exchange_id INTEGER,
    state INTEGER NOT NULL DEFAULT 0,             -- 0 planned, 1 sending, 2 sent, 3 unknown, 4 refused
    attempts INTEGER NOT NULL DEFAULT 0,
    text TEXT NOT NULL,                           -- dropped when the outcome is known, or too old to be shown again
    buttons TEXT NOT NULL,                        -- JSON array of pairs
    draft_id INTEGER,
    message_id INTEGER,
    reason TEXT NOT NULL DEFAULT '',
    planned_at REAL NOT NULL,
    ended_at REAL,                                -- when the outcome became known, or known to be unknown
    doubt INTEGER,                                -- of an unknown reply: the oldest one that is offered with it
    offers INTEGER,                               -- of an offer to show unknown replies again: that reply
    shown_at REAL,                                -- when it was asked for and shown again
    reply_to INTEGER,                             -- the message that was asked, in groups
    file_path TEXT,                               -- below the folder of this database
    file_name TEXT                                -- what the chat sees it named
) STRICT;
CREATE INDEX deliveries_open ON deliveries (id) WHERE state < 2;
CREATE INDEX deliveries_scope ON deliveries (scope_no, exchange_id);
CREATE INDEX deliveries_unknown ON deliveries (id) WHERE state = 3;
CREATE INDEX deliveries_doubt ON deliveries (doubt) WHERE doubt IS NOT NULL;
CREATE INDEX deliveries_offers ON deliveries (offers) WHERE offers IS NOT NULL;

-- Whatever takes a file from its reply (settled, outdated, erased) leaves its path here until it is off the disk, so
-- that a crash in between leaves no file behind.
CREATE TABLE dropped_files (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TRIGGER deliveries_file_deleted AFTER DELETE ON deliveries WHEN OLD.file_path IS NOT NULL
BEGIN
    INSERT OR IGNORE INTO dropped_files VALUES (OLD.file_path);
END;
CREATE TRIGGER deliveries_file_settled AFTER UPDATE OF file_path ON deliveries
WHEN OLD.file_path IS NOT NULL AND NEW.file_path IS NOT OLD.file_path
BEGIN
    INSERT OR IGNORE INTO dropped_files VALUES (OLD.file_path);
END;

CREATE TABLE outbox (                             -- documents that long-term memory has not confirmed
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_no INTEGER NOT NULL,
    source TEXT NOT NULL,                         -- '' with erase: the scope's whole workspace
    exchange_id INTEGER,                          -- whose texts the marks in text stand for
    text TEXT NOT NULL,
    erase INTEGER NOT NULL,
    posted INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at REAL NOT NULL DEFAULT 0,
    head INTEGER NOT NULL,                        -- the oldest waiting row of its scope
    dead INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX outbox_heads ON outbox (next_at) WHERE head = 1;
CREATE UNIQUE INDEX outbox_head_of ON outbox (scope_no) WHERE head = 1;
CREATE INDEX outbox_waiting ON outbox (scope_no, id) WHERE dead = 0;
CREATE INDEX outbox_dead ON outbox (id) WHERE dead = 1;
CREATE INDEX outbox_source ON outbox (scope_no, source);


CREATE TABLE pairings (
    bot_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    paired_at REAL NOT NULL,
    PRIMARY KEY (bot_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE pairing_codes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    bot_id INTEGER NOT NULL,
    salt BLOB NOT NULL,
    hash BLOB NOT NULL,
    expires_at REAL NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX pairing_codes_bot ON pairing_codes (bot_id);

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

CREATE TABLE migrated_chats (                     -- memory and allow list go on under the old id
    bot_id INTEGER NOT NULL,
    old_id INTEGER NOT NULL,
    new_id INTEGER NOT NULL,
    PRIMARY KEY (bot_id, old_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE left_chats (                         -- nothing is sent there until somebody writes or adds the bot again
    bot_id INTEGER NOT NULL,
    chat_id INTEGER NOT NULL,
    PRIMARY KEY (bot_id, chat_id)
) STRICT, WITHOUT ROWID;

-- An erase can be taken back for a moment.
-- The texts here go with the scope's: an erase of anything in it clears them, too.

CREATE TABLE held (                               -- erases that can still be taken back, or could within a day
    uid TEXT PRIMARY KEY,                         -- the tombstone's
    scope_no INTEGER NOT NULL,
    author_id INTEGER NOT NULL,                   -- who may take it back; 0: everybody
    made_at REAL NOT NULL,
    lapses_at REAL NOT NULL                       -- 0: it is final
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
