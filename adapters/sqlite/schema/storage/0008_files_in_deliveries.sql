-- A file that goes with a reply, and the files that nobody needs any more.
-- Whatever takes a file from its reply (settled, outdated, erased) leaves its path here until it is off the disk, so
-- that a crash in between leaves no file behind.

ALTER TABLE deliveries ADD COLUMN file_path TEXT;     -- below the folder of this database
ALTER TABLE deliveries ADD COLUMN file_name TEXT;     -- what the chat sees it named

CREATE TABLE dropped_files (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TRIGGER deliveries_file_deleted AFTER DELETE ON deliveries WHEN OLD.file_path IS NOT NULL
BEGIN
    INSERT OR IGNORE INTO dropped_files VALUES (OLD.file_path);
END;
CREATE TRIGGER deliveries_file_settled AFTER UPDATE OF file_path ON deliveries
WHEN OLD.file_path IS NOT NULL AND NEW.file_path IS NOT OLD.file_path
BEGIN
    INSERT OR IGNORE INTO dropped_files VALUES (OLD.file_path);
END;
