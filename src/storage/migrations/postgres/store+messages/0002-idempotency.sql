CREATE TABLE idempotency_record (
  account_id BIGINT NOT NULL,
  environment TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  idempotency_key TEXT COLLATE "C" NOT NULL,
  -- SHA-256 of the request body.
  fingerprint BYTEA NOT NULL CHECK (length(fingerprint) = 32),
  status BIGINT NOT NULL,
  location TEXT,
  body TEXT,
  -- In place of a body: the identifier of the row that was made. The rest of it is what the request said.
  resource_id BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, environment, path, idempotency_key)
);

CREATE INDEX idempotency_record_by_age ON idempotency_record (created_at);
