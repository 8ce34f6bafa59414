-- The last requests with a key that were refused, so that its owner sees what a program does wrong.
CREATE TABLE key_refusal (
  key_id TEXT NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  method TEXT NOT NULL,
  -- Without the query.
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT NOT NULL,
  PRIMARY KEY (key_id, at, request_id)
) STRICT;

CREATE INDEX key_refusal_by_time ON key_refusal (at);
