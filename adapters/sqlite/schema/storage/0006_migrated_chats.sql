-- Groups that became supergroups, chats that the bot was removed from, and the message that a reply refers to.

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

ALTER TABLE deliveries ADD COLUMN reply_to INTEGER;  -- the message that was asked, in groups
