-- The local channel's index over verbatim turns.  Derived: everything here can be made again from exchanges.
-- An exchange has up to two utterances: the user's (assistant = 0) and the assistant's (1).

CREATE TABLE recall_scopes (
    scope_no INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL,                  -- grows when something was removed: what is held in memory is void
    layout TEXT NOT NULL DEFAULT ''               -- the token of the file with the scope's layout, '' without one
) STRICT;

CREATE TABLE recall_utterances (
    exchange INTEGER NOT NULL,                    -- the exchange's id, scope_no << 32 | seq
    assistant INTEGER NOT NULL,
    analysis INTEGER NOT NULL,                    -- version of the analysis that made the passages
    passages TEXT NOT NULL,                       -- a line per passage: cues, words, then index keys
    PRIMARY KEY (exchange, assistant)
) STRICT, WITHOUT ROWID;

CREATE TABLE recall_meanings (
    exchange INTEGER NOT NULL,
    assistant INTEGER NOT NULL,
    model TEXT NOT NULL,                          -- of the embedder: other models' rows are made again
    vectors BLOB NOT NULL,                        -- per passage: float32 scale, int8 vector
    sizes BLOB NOT NULL,                          -- per passage: uint16 numbers of words and of sentences
    codes BLOB NOT NULL,                          -- per passage: sign codes of its words, then of its sentences
    PRIMARY KEY (exchange, assistant)
) STRICT;

CREATE TABLE recall_backlog (                     -- utterances that wait to be embedded
    exchange INTEGER NOT NULL,
    assistant INTEGER NOT NULL,
    PRIMARY KEY (exchange, assistant)
) STRICT, WITHOUT ROWID;

CREATE TABLE recall_unread (                      -- messages that no model has read beside others of their author
    exchange INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE recall_changes (                     -- what it said of two: nothing of their words
    later INTEGER NOT NULL,
    earlier INTEGER NOT NULL,
    sentence INTEGER NOT NULL,                    -- which one of the earlier message, from 0; -1: it has no other
    likelihood REAL NOT NULL,                     -- that it holds no more, 0..1
    reader TEXT NOT NULL,                         -- the model: what another one read is read anew
    PRIMARY KEY (later, earlier, sentence)
) STRICT, WITHOUT ROWID;
CREATE INDEX recall_changes_earlier ON recall_changes (earlier);
