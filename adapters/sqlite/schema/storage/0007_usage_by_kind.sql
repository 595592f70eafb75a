-- What calls to language models cost: by model, and by what they were made for.

ALTER TABLE usage RENAME TO usage_before;
CREATE TABLE usage (
    scope_no INTEGER NOT NULL,
    day TEXT NOT NULL,                            -- UTC, YYYY-MM-DD
    model TEXT NOT NULL,                          -- as the server spells it, '' when it did not say
    kind TEXT NOT NULL,                           -- "answer", or what it was for in the background
    prompt INTEGER NOT NULL,
    cached INTEGER NOT NULL,                      -- of prompt: what the server had read before
    completion INTEGER NOT NULL,
    reasoning INTEGER NOT NULL,                   -- of completion: what nobody sees
    calls INTEGER NOT NULL,
    PRIMARY KEY (scope_no, day, model, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO usage SELECT scope_no, day, '', 'answer', prompt, 0, completion, 0, calls FROM usage_before;
DROP TABLE usage_before;
