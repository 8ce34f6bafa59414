-- Who still calls an operation that is about to end.
CREATE TABLE deprecated_call (
  key_id TEXT COLLATE "C" NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  operation TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  last_called_at BIGINT NOT NULL,
  PRIMARY KEY (key_id, operation)
);
