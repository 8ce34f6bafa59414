-- Each try to deliver a message or an event.
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
