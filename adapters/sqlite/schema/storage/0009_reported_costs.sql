-- What servers say that calls cost, apart from calls of which they do not say it; and what erased chats have cost.

ALTER TABLE usage RENAME TO usage_before;
CREATE TABLE usage (
    scope_no INTEGER NOT NULL,                    -- 0: of all scopes that were erased
    day TEXT NOT NULL,                            -- UTC, YYYY-MM-DD
    model TEXT NOT NULL,                          -- as the server spells it, '' when it did not say
    kind TEXT NOT NULL,                           -- "answer", or what it was for in the background
    billed INTEGER NOT NULL,                      -- whether the server said what these calls cost
    prompt INTEGER NOT NULL,
    cached INTEGER NOT NULL,                      -- of prompt: what the server had read before
    completion INTEGER NOT NULL,
    reasoning INTEGER NOT NULL,                   -- of completion: what nobody sees
    calls INTEGER NOT NULL,
    cost INTEGER NOT NULL,                        -- billionths of the server's currency, 0 unless billed
    PRIMARY KEY (scope_no, day, model, kind, billed)
) STRICT, WITHOUT ROWID;
INSERT INTO usage SELECT scope_no, day, model, kind, 0, prompt, cached, completion, reasoning, calls, 0
    FROM usage_before;
DROP TABLE usage_before;
CREATE INDEX usage_days ON usage (day);
