-- What calls to language models cost: by model, and by what they were made for; what erased chats have cost, in one sum.

CREATE TABLE usage (
    scope_no INTEGER NOT NULL,                    -- 0: of all scopes that were erased
    day TEXT NOT NULL,                            -- UTC, YYYY-MM-DD
    model TEXT NOT NULL DEFAULT '',               -- as the server spells it, '' when it did not say
    kind TEXT NOT NULL DEFAULT 'answer',          -- "answer", or what it was for in the background
    billed INTEGER NOT NULL DEFAULT 0,            -- whether the server said what these calls cost
    prompt INTEGER NOT NULL,
    cached INTEGER NOT NULL DEFAULT 0,            -- of prompt: what the server had read before
    completion INTEGER NOT NULL,
    reasoning INTEGER NOT NULL DEFAULT 0,         -- of completion: what nobody sees
    calls INTEGER NOT NULL,
    cost INTEGER NOT NULL DEFAULT 0,              -- billionths of the server's currency, 0 unless billed
    cache_writes INTEGER NOT NULL DEFAULT 0,      -- of prompt: tokens that the server kept for later
    PRIMARY KEY (scope_no, day, model, kind, billed)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_days ON usage (day);
