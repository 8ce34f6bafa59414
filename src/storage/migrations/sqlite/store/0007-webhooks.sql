-- Who wants to be sent events, and where to.
CREATE TABLE webhook (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  url TEXT NOT NULL,
  -- JSON: the types of events that it is sent.
  types TEXT NOT NULL,
  -- A deleted one is there until its deliveries are gone, which takes a while where they are many.
  status TEXT NOT NULL CHECK (status IN ('enabled', 'disabled', 'deleted')),
  created_at INTEGER NOT NULL,
  secret TEXT NOT NULL,
  -- Until then deliveries are signed with the secret before the last rotation, too.
  previous_secret TEXT,
  previous_until INTEGER,
  -- Events up to this one have their deliveries.
  last_event_id INTEGER NOT NULL
) STRICT;

CREATE TABLE delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  webhook_id INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  -- NULL for a test.
  event_id INTEGER,
  type TEXT NOT NULL,
  -- Deliveries with the same subject arrive in their order: `pet 7`, `category 3`; empty for a test.
  subject TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed', 'dropped')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  -- When the next attempt may start; NULL while an earlier delivery of the same subject waits. A worker that claims the
  -- delivery moves this to the end of its lease.
  due_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX delivery_by_webhook ON delivery (webhook_id, id);
CREATE INDEX delivery_by_status ON delivery (webhook_id, status, id);
CREATE INDEX delivery_queue ON delivery (webhook_id, due_at) WHERE status = 'waiting' AND due_at IS NOT NULL;
CREATE INDEX delivery_by_subject ON delivery (webhook_id, subject, id) WHERE status = 'waiting';
CREATE INDEX delivery_of_event ON delivery (event_id) WHERE status = 'waiting';
