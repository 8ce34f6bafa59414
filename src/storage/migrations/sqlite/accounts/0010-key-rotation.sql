-- What a list shows of a key: `pet_live_9ndK…NnlR`. NULL for a key from before this column.
ALTER TABLE api_key ADD COLUMN redacted TEXT;

-- The key that has taken its place. A key is replaced once.
ALTER TABLE api_key ADD COLUMN replaced_by TEXT;

-- The last requests with a key: a row has those that one process has gathered, and the time and identifier of the newest.
CREATE TABLE key_request (
  key_id TEXT NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  -- JSON.
  requests TEXT NOT NULL,
  PRIMARY KEY (key_id, at, request_id)
) STRICT;

CREATE INDEX key_request_by_time ON key_request (at);
