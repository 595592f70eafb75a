-- Documents that somebody had sent, and that were forgotten.

ALTER TABLE receipts ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
