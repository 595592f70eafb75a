-- Tokens that a server kept for later, which some take more money for.

ALTER TABLE usage ADD COLUMN cache_writes INTEGER NOT NULL DEFAULT 0;  -- of prompt
