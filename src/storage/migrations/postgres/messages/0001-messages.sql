CREATE TABLE message (
  id TEXT COLLATE "C" PRIMARY KEY,
  message TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'delivered', 'failed')),
  attempts BIGINT NOT NULL CHECK (attempts >= 0),
  -- When the next attempt may start. A worker that claims the message moves this to the end of its lease.
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE INDEX message_queue ON message (due_at) WHERE status = 'queued';

CREATE TABLE webhook_secret (
  only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
  secret TEXT NOT NULL
);

-- Wakes a worker in whichever process has one.
CREATE FUNCTION announce_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('petstore_messages', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER message_submitted AFTER INSERT ON message
  FOR EACH STATEMENT EXECUTE FUNCTION announce_message();
