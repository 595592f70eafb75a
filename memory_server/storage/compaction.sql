-- Mentions are looked up by entity or relation, so a new document's rows belong to a dozen places all over a table,
-- and each place costs a page.  They are put down together first, and go to their places many documents at a time.
-- The views are for reading by chunk and for removing; lookups by entity ask both tables (see composition.py).

ALTER TABLE mentions RENAME TO mentions_settled;
CREATE TABLE mentions_recent (
    chunk INTEGER, node INTEGER, i INTEGER NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (chunk, node)
) WITHOUT ROWID;
CREATE VIEW mentions AS
    SELECT node, chunk, i, kind FROM mentions_recent UNION ALL SELECT node, chunk, i, kind FROM mentions_settled;
CREATE TRIGGER mentions_added INSTEAD OF INSERT ON mentions BEGIN
    INSERT OR IGNORE INTO mentions_recent (node, chunk, i, kind) VALUES (NEW.node, NEW.chunk, NEW.i, NEW.kind);
END;
CREATE TRIGGER mentions_removed INSTEAD OF DELETE ON mentions BEGIN
    DELETE FROM mentions_recent WHERE chunk = OLD.chunk AND node = OLD.node;
    DELETE FROM mentions_settled WHERE node = OLD.node AND chunk = OLD.chunk;
END;

ALTER TABLE edge_mentions RENAME TO edge_mentions_settled;
CREATE TABLE edge_mentions_recent (
    chunk INTEGER, edge INTEGER, i INTEGER NOT NULL, keywords TEXT NOT NULL, weight REAL NOT NULL,
    PRIMARY KEY (chunk, edge)
) WITHOUT ROWID;
CREATE VIEW edge_mentions AS
    SELECT edge, chunk, i, keywords, weight FROM edge_mentions_recent
    UNION ALL SELECT edge, chunk, i, keywords, weight FROM edge_mentions_settled;
CREATE TRIGGER edge_mentions_added INSTEAD OF INSERT ON edge_mentions BEGIN
    INSERT OR IGNORE INTO edge_mentions_recent (edge, chunk, i, keywords, weight)
    VALUES (NEW.edge, NEW.chunk, NEW.i, NEW.keywords, NEW.weight);
END;
CREATE TRIGGER edge_mentions_removed INSTEAD OF DELETE ON edge_mentions BEGIN
    DELETE FROM edge_mentions_recent WHERE chunk = OLD.chunk AND edge = OLD.edge;
    DELETE FROM edge_mentions_settled WHERE edge = OLD.edge AND chunk = OLD.chunk;
END;
