-- The last requests of each key, and those that were refused: a row has what one process has gathered, and the time and identifier
-- of the newest.
CREATE TABLE key_activity (
  key_id TEXT NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('request', 'refusal')),
  at INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  -- JSON.
  entries TEXT NOT NULL,
  PRIMARY KEY (key_id, kind, at, request_id)
) STRICT;

CREATE INDEX key_activity_by_time ON key_activity (at);

DROP TABLE key_request;
DROP TABLE key_refusal;
