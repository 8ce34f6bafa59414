-- Milliseconds that have passed for idempotency records: `created_at` of a record is on this counter. One row.
CREATE TABLE elapsed_time (
  name TEXT NOT NULL PRIMARY KEY,
  milliseconds BIGINT NOT NULL
);
