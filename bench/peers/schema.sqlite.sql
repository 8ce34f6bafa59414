CREATE TABLE pet (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT CHECK (status IN ('available', 'pending', 'sold'))
) STRICT;
CREATE INDEX pet_by_status ON pet (status, id);
CREATE INDEX pet_by_category ON pet (category_id, id);
CREATE INDEX pet_by_category_and_status ON pet (category_id, status, id);

CREATE TABLE api_key (
  id INTEGER PRIMARY KEY,
  token_hash BLOB NOT NULL UNIQUE,
  access TEXT NOT NULL CHECK (access IN ('read', 'read-write')),
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE TABLE idempotency_record (
  api_key_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (api_key_id, idempotency_key)
) STRICT;
CREATE INDEX idempotency_record_by_age ON idempotency_record (created_at);
