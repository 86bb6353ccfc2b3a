-- The search index: which tables are searched, and the tables, twice. See domain/src/search.
-- Every statement may run again: the worker runs them by itself where they are missing.
CREATE TABLE IF NOT EXISTS generation (
  slot INTEGER PRIMARY KEY, state TEXT NOT NULL, number INTEGER NOT NULL, since_ms INTEGER NOT NULL
);
INSERT OR IGNORE INTO generation (slot, state, number, since_ms) VALUES (0, 'live', 0, 0), (1, 'idle', 0, 0);
CREATE TABLE IF NOT EXISTS event_0 (
  doc INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, listed INTEGER NOT NULL, ends INTEGER NOT NULL,
  price INTEGER NOT NULL, x REAL, y REAL, z REAL, shown TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS event_1 (
  doc INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, listed INTEGER NOT NULL, ends INTEGER NOT NULL,
  price INTEGER NOT NULL, x REAL, y REAL, z REAL, shown TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS ends_0 ON event_0 (ends, listed);
CREATE INDEX IF NOT EXISTS ends_1 ON event_1 (ends, listed);
CREATE VIRTUAL TABLE IF NOT EXISTS words_0 USING fts5 (
  text, tags, content='', contentless_delete=1, prefix='1 2 3 4 5 6',
  tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);
CREATE VIRTUAL TABLE IF NOT EXISTS words_1 USING fts5 (
  text, tags, content='', contentless_delete=1, prefix='1 2 3 4 5 6',
  tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);
