/** What the index file looks like inside. The only place that creates tables. */

/** `QRRY`: marks the file as ours, so that another program's database is never mistaken for an index. */
export const applicationId = 0x51525259

/**
 * 1: documents, slim chunk rows beside their texts, postings with counts in FTS5, vectors in blocks.
 * 2 (0.1.0): history. Documents keep what a commit says of itself and what was left out of it; chunks may have a file of their
 *   own and need neither words nor a vector; seven fields, their lengths a byte each; the stamp of the whole source.
 *
 * Raise it with every change of the tables and say here what changed; an index of a higher version is never touched.
 */
export const formatVersion = 2

/**
 * Every row ends in a CRC of its other columns, because SQLite itself does not notice a flipped bit inside a value.
 *
 * `chunks.lengths` and `more_lengths` pack the number of search tokens of each field (see lengths.ts); `chunks.words` is the
 * sum of the hashes of the chunk's postings, by which a damaged full-text index is found, and null for chunks that are reached
 * through their document only. Texts lie apart from the chunk rows, so that reading all chunk rows at once stays cheap.
 * `documents.places` lists the files that the chunks of a commit change, so that a filter by path need not read the chunks.
 *
 * `words` holds one posting for each token of a chunk: `token:class`, where the class tells how often the token occurs and
 * in which fields. That makes bm25() and its look-ups per row unnecessary, hence no positions and no columns (detail=none).
 */
export const schema = `
  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    root TEXT NOT NULL,
    chunker TEXT NOT NULL,
    finished_at REAL,
    text_generation INTEGER NOT NULL,
    vector_generation INTEGER NOT NULL,
    sweep_generation INTEGER NOT NULL,
    last_chunk INTEGER NOT NULL,
    source_stamp TEXT,
    checksum INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE writer_lock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    token TEXT NOT NULL,
    pid INTEGER NOT NULL,
    identity TEXT NOT NULL,
    host TEXT NOT NULL,
    since REAL NOT NULL,
    heartbeat REAL NOT NULL
  ) STRICT;

  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    path TEXT NOT NULL,
    language TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    stamp TEXT NOT NULL,
    time REAL NOT NULL,
    chunks INTEGER NOT NULL,
    "commit" TEXT,
    places TEXT,
    omitted TEXT,
    checksum INTEGER NOT NULL,
    UNIQUE (kind, path)
  ) STRICT;

  CREATE TABLE embeddings (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    checksum INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    embedding INTEGER REFERENCES embeddings,
    lengths INTEGER NOT NULL,
    more_lengths INTEGER NOT NULL,
    words INTEGER,
    checksum INTEGER NOT NULL,
    UNIQUE (document, ordinal)
  ) STRICT;
  CREATE INDEX chunks_by_embedding ON chunks (embedding) WHERE embedding IS NOT NULL;

  CREATE TABLE texts (
    chunk INTEGER PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    digest TEXT NOT NULL,
    file TEXT,
    header TEXT NOT NULL,
    symbols TEXT NOT NULL,
    text TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX texts_by_digest ON texts (digest) WHERE file IS NULL;

  CREATE VIRTUAL TABLE words USING fts5 (
    postings, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_.+#-%:'"
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
  CREATE VIRTUAL TABLE occurrences USING fts5vocab (words, instance);

  CREATE TABLE embedders (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE embedded (
    embedder INTEGER NOT NULL REFERENCES embedders,
    embedding INTEGER NOT NULL REFERENCES embeddings,
    usable INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (embedder, embedding)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE vector_blocks (
    embedder INTEGER NOT NULL REFERENCES embedders,
    number INTEGER NOT NULL,
    embeddings BLOB NOT NULL,
    scales BLOB NOT NULL,
    vectors BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (embedder, number)
  ) STRICT;

  CREATE TABLE skipped (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    path TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT,
    stamp TEXT,
    checksum INTEGER NOT NULL
  ) STRICT;
`
