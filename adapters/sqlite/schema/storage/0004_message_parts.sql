-- Whose words an exchange is made of.  user_text is what the message said: typed, or else what was forwarded with it;
-- which of the two, and what else came along, stands in parts.

ALTER TABLE exchanges ADD COLUMN parts TEXT NOT NULL DEFAULT '[]';  -- JSON: origin, author, author_id, trust, text
ALTER TABLE exchanges ADD COLUMN answer_trust INTEGER NOT NULL DEFAULT 2;   -- the least of what the answer rests on
ALTER TABLE summaries ADD COLUMN trust INTEGER NOT NULL DEFAULT 1;  -- the least of what was summarised
