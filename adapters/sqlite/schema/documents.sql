-- Documents: what files and pages said.  The files themselves are not kept, so that these rows are the truth.

CREATE TABLE documents (
    id INTEGER PRIMARY KEY,                       -- scope_no << 32 | seq
    uid TEXT NOT NULL,
    name TEXT NOT NULL,                           -- as the sender named it
    folded TEXT NOT NULL,                         -- the name in small letters: one document has it
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    author_id INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    trust INTEGER NOT NULL,                       -- the author's; what the document says has a file's
    added_at REAL NOT NULL,
    added_offset INTEGER NOT NULL,
    hash TEXT NOT NULL,                           -- of its content
    pages INTEGER NOT NULL,
    sections INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_uid ON documents (uid);

CREATE TABLE document_messages (                  -- the messages that brought a document
    document INTEGER NOT NULL,
    entry INTEGER NOT NULL,                       -- of the journal; its deliveries are the receipt
    place TEXT NOT NULL,
    message_id INTEGER NOT NULL,
    exchange TEXT NOT NULL,                       -- uid of the message's exchange, whether there is one or not
    PRIMARY KEY (document, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_messages_place ON document_messages (place, message_id);
CREATE INDEX document_messages_entry ON document_messages (entry);

CREATE TABLE document_sources (                   -- its names in long-term memory
    document INTEGER NOT NULL,
    source TEXT NOT NULL,
    first INTEGER NOT NULL,                       -- the ids of the chunks that stand in it, both included
    last INTEGER NOT NULL,
    deferred INTEGER NOT NULL,                    -- long-term memory was off
    PRIMARY KEY (document, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE document_chunks (
    id INTEGER PRIMARY KEY,                       -- scope_no << 32 | seq; those of a document follow each other
    document INTEGER NOT NULL,
    headings TEXT NOT NULL,                       -- JSON array, outermost first
    page INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX document_chunks_document ON document_chunks (document, id);

CREATE TABLE document_numbers (                   -- the last numbers that a scope has given, and how often it changed
    scope_no INTEGER PRIMARY KEY,
    document_seq INTEGER NOT NULL,
    chunk_seq INTEGER NOT NULL,
    changes INTEGER NOT NULL
) STRICT;

-- Derived: everything below can be made again from the chunks.

CREATE VIRTUAL TABLE document_fts USING fts5 (    -- stemmed words; rowid is the chunk's id
    head, body, tokenize = 'unicode61 remove_diacritics 0'
);

CREATE TABLE document_vectors (
    id INTEGER PRIMARY KEY,                       -- the chunk's
    model TEXT NOT NULL,
    scale REAL NOT NULL,                          -- vector = scale * int8
    vector BLOB NOT NULL
) STRICT;

CREATE TABLE document_backlog (                   -- chunks that wait for a vector
    id INTEGER PRIMARY KEY
) STRICT;
