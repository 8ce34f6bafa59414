CREATE TABLE account (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  email TEXT NOT NULL UNIQUE,
  -- NULL: this account cannot sign in.
  password_hash TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  environment TEXT NOT NULL CHECK (environment IN ('production', 'staging')),
  name TEXT NOT NULL,
  access TEXT NOT NULL CHECK (access IN ('read', 'read-write')),
  -- SHA-256 of the key; the key itself is nowhere.
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE INDEX api_key_by_account ON api_key (account_id, created_at);
