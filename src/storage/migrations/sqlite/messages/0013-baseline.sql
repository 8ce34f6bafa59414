CREATE TABLE message (
  id TEXT PRIMARY KEY,
  message TEXT NOT NULL,
  -- Which environment's people see a message: that of the key or the session it was submitted with.
  environment TEXT NOT NULL CHECK (environment IN ('production', 'staging')),
  status TEXT NOT NULL CHECK (status IN ('queued', 'delivered', 'failed')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  -- When the next attempt may start; NULL unless queued. A worker that claims the message moves this to the end of its lease.
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  -- Of the request that submitted it (W3C Trace Context).
  traceparent TEXT
) STRICT;

CREATE INDEX message_queue ON message (due_at) WHERE status = 'queued';
CREATE INDEX message_by_environment ON message (environment, created_at, id);

-- Attempts to deliver a message or an event.
CREATE TABLE delivery_attempt (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  -- The identifier of a message, or the number of a delivery.
  delivery_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Milliseconds.
  duration INTEGER NOT NULL CHECK (duration >= 0),
  -- Of the answer; NULL where there was none, and then `error` says why.
  status INTEGER,
  error TEXT
) STRICT;

CREATE INDEX delivery_attempt_by_delivery ON delivery_attempt (delivery_id, id);

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

-- `elapsed`: counter of elapsed milliseconds, on which `created_at` of idempotency records is.
-- `webhook secret`: signs deliveries of messages if the settings have no secret.
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- Identifier of the store that the file belongs to, with a suffix after a reset.
CREATE TABLE store_identity (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  id TEXT NOT NULL
) STRICT;
