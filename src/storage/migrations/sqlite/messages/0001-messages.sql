CREATE TABLE message (
  id TEXT PRIMARY KEY,
  message TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'delivered', 'failed')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  -- When the next attempt may start. A worker that claims the message moves this to the end of its lease.
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX message_queue ON message (due_at) WHERE status = 'queued';

CREATE TABLE webhook_secret (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  secret TEXT NOT NULL
) STRICT;
