-- The tables of a workspace. A workspace of another version of this file is refused, not converted.

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT);

-- What was ingested. `structure` is a packed Structure, `origin` packed JSON: the map to the file, its parts, removals.
CREATE TABLE sources (
    id TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE, added INTEGER NOT NULL, file TEXT NOT NULL, title TEXT NOT NULL,
    family TEXT, language TEXT NOT NULL, script TEXT NOT NULL, charset TEXT NOT NULL, tier TEXT NOT NULL,
    tokens INTEGER NOT NULL, chars INTEGER NOT NULL, sha256 TEXT NOT NULL, file_sha256 TEXT NOT NULL,
    settings TEXT NOT NULL, text TEXT NOT NULL, structure BLOB NOT NULL, origin BLOB NOT NULL
);
CREATE TABLE windows (
    id TEXT PRIMARY KEY, source TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    start_at INTEGER NOT NULL, end_at INTEGER NOT NULL, position REAL NOT NULL, tier TEXT NOT NULL
);
CREATE INDEX windows_of_source ON windows (source, start_at);

-- What was built from the sources.
CREATE TABLE window_records (
    source TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE, place INTEGER NOT NULL, made_by TEXT NOT NULL,
    records BLOB NOT NULL, PRIMARY KEY (source, place)
);
CREATE TABLE graphs (
    source TEXT PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE, made_by TEXT NOT NULL,
    entities BLOB NOT NULL, edges BLOB NOT NULL, reports TEXT NOT NULL
);
CREATE TABLE trails (
    id TEXT PRIMARY KEY, source TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    geometry TEXT NOT NULL, place INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX trails_of_source ON trails (source, place);
