-- How many requests of a key for an operation had the same `Petstore-Simulate` header with `times=N`: staging's alone.
CREATE TABLE simulation (
  key_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  header TEXT NOT NULL,
  requests BIGINT NOT NULL,
  requested_at BIGINT NOT NULL,
  PRIMARY KEY (key_id, operation, header)
);
