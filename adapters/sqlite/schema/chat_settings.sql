-- What chats have settled for themselves; NULL and '' leave it to the operator.

CREATE TABLE chat_settings (
    platform TEXT NOT NULL,
    bot_id INTEGER NOT NULL,
    chat_id INTEGER NOT NULL,                     -- the id that the chat had first
    language TEXT NOT NULL,
    memory INTEGER,
    streaming INTEGER,
    time_zone TEXT NOT NULL,
    quiet_from TEXT,                              -- HH:MM
    quiet_to TEXT,
    scope TEXT,
    PRIMARY KEY (platform, bot_id, chat_id)
) STRICT, WITHOUT ROWID;
