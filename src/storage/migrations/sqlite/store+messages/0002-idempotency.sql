CREATE TABLE idempotency_record (
  account_id INTEGER NOT NULL,
  environment TEXT NOT NULL,
  path TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  -- SHA-256 of the request body.
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
  status INTEGER NOT NULL,
  location TEXT,
  body TEXT,
  -- In place of a body: the identifier of the row that was made. The rest of it is what the request said.
  resource_id INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, environment, path, idempotency_key)
) STRICT;

CREATE INDEX idempotency_record_by_age ON idempotency_record (created_at);
