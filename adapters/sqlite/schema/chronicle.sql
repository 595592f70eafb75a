-- The chronicle: what exchanges were about, a line or two each.  Derived: everything here can be made again from them.

CREATE TABLE digest_lines (
    exchange INTEGER NOT NULL,                    -- the exchange's id, scope_no << 32 | seq
    assistant INTEGER NOT NULL,                   -- whose words they are
    line INTEGER NOT NULL,                        -- counts the lines of one side
    weight REAL NOT NULL,                         -- how much it tells, 0..1
    written INTEGER NOT NULL,                     -- 1: worded by a model, 0: word for word
    text TEXT NOT NULL,
    PRIMARY KEY (exchange, assistant, line)
) STRICT, WITHOUT ROWID;
