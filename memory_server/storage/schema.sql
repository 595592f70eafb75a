-- One workspace.  Everything about an exchange hangs off its chunks, so that erasing is deleting rows:
-- an entity or relation is the sum of its mentions and is composed when it is read.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Documents: the columns that are searched, and LightRAG's whole record as JSON.
CREATE TABLE status (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    file_path TEXT,
    created_at TEXT,
    track_id TEXT,
    content_hash TEXT,
    duplicate INTEGER NOT NULL DEFAULT 0,
    data TEXT NOT NULL
);
CREATE INDEX status_sweep ON status (status, created_at, id);
CREATE INDEX status_path ON status (file_path);
CREATE INDEX status_track ON status (track_id);
CREATE INDEX status_hash ON status (content_hash) WHERE content_hash IS NOT NULL;

-- Key-value storages: full_docs, text_chunks, llm_response_cache and whatever LightRAG adds.
CREATE TABLE kv (ns TEXT, key TEXT, value TEXT NOT NULL, PRIMARY KEY (ns, key)) WITHOUT ROWID;

-- Chunks of documents that this server indexed itself; numbers grow with time.
CREATE TABLE chunks (no INTEGER PRIMARY KEY, doc INTEGER NOT NULL, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL);
CREATE INDEX chunks_doc ON chunks (doc);

-- Sentences that mentions quote.
CREATE TABLE texts (chunk INTEGER, i INTEGER, text TEXT NOT NULL, PRIMARY KEY (chunk, i)) WITHOUT ROWID;

-- Graph.  `data` holds attributes written through LightRAG's own interface (edits, imports, its pipeline).
CREATE TABLE nodes (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, data TEXT);
CREATE INDEX nodes_written ON nodes (no) WHERE data IS NOT NULL;
CREATE TABLE aliases (key TEXT PRIMARY KEY, node INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX aliases_node ON aliases (node);
CREATE TABLE mentions (
    node INTEGER, chunk INTEGER, i INTEGER NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (node, chunk)
) WITHOUT ROWID;
CREATE INDEX mentions_chunk ON mentions (chunk);

-- Edges are undirected: a < b are node numbers, `flip` says that the source was b.
CREATE TABLE edges (
    no INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL, flip INTEGER NOT NULL DEFAULT 0, data TEXT,
    UNIQUE (a, b)
);
CREATE INDEX edges_written ON edges (no) WHERE data IS NOT NULL;
CREATE TABLE adjacency (node INTEGER, edge INTEGER, other INTEGER NOT NULL, PRIMARY KEY (node, edge)) WITHOUT ROWID;
CREATE TABLE edge_mentions (
    edge INTEGER, chunk INTEGER, i INTEGER NOT NULL, keywords TEXT NOT NULL, weight REAL NOT NULL,
    PRIMARY KEY (edge, chunk)
) WITHOUT ROWID;
CREATE INDEX edge_mentions_chunk ON edge_mentions (chunk);

-- Vectors as float16.  `no` is the chunk, node or edge; rows written through LightRAG's interface without one are
-- negative and found by `vector_ids`.
CREATE TABLE vectors_chunks (no INTEGER PRIMARY KEY, id TEXT, meta TEXT, v BLOB NOT NULL);
CREATE TABLE vectors_entities (no INTEGER PRIMARY KEY, id TEXT, meta TEXT, v BLOB NOT NULL);
CREATE TABLE vectors_relationships (no INTEGER PRIMARY KEY, id TEXT, meta TEXT, v BLOB NOT NULL);
CREATE INDEX chunks_written ON vectors_chunks (no) WHERE meta IS NOT NULL;
CREATE INDEX entities_written ON vectors_entities (no) WHERE meta IS NOT NULL;
CREATE INDEX relationships_written ON vectors_relationships (no) WHERE meta IS NOT NULL;
CREATE TABLE vector_ids (ns TEXT, id TEXT, no INTEGER NOT NULL, PRIMARY KEY (ns, id)) WITHOUT ROWID;
