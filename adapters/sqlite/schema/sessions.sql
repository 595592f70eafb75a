-- What is kept of a session apart for every scope that takes part: a title that somebody gave it, and how far it was
-- learned from when it went on after it had ended.

CREATE TABLE session_marks (
    session_id INTEGER NOT NULL,
    scope_no INTEGER NOT NULL,
    title TEXT NOT NULL DEFAULT '',               -- '': one is made of what was said
    learned_upto INTEGER NOT NULL DEFAULT 0,      -- newest exchange id that was there when it went on
    PRIMARY KEY (session_id, scope_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_marks_scope ON session_marks (scope_no);
CREATE INDEX sessions_place ON sessions (place_no);
