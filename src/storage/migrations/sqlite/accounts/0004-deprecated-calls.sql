-- Who still calls an operation that is about to end.
CREATE TABLE deprecated_call (
  key_id TEXT NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  operation TEXT NOT NULL,
  calls INTEGER NOT NULL,
  last_called_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, operation)
) STRICT;
