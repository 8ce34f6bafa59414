-- Of staging; production has the row and changes nothing of it. One row.
CREATE TABLE rehearsal (
  only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
  -- Milliseconds that the test clock is ahead of the service's own.
  clock_offset BIGINT NOT NULL,
  -- Another one after each reset; empty before the first.
  store_id TEXT COLLATE "C" NOT NULL,
  -- Numbers of events go on above it after a reset.
  last_event_id BIGINT NOT NULL
);

INSERT INTO rehearsal (only_row, clock_offset, store_id, last_event_id) VALUES (1, 0, '', 0);

-- The second announcement is for processes that keep words of names: a reset makes no event.
CREATE FUNCTION announce_rehearsal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('petstore_events', TG_TABLE_SCHEMA || ':rehearsal');
  PERFORM pg_notify('petstore_events', TG_TABLE_SCHEMA);
  RETURN NULL;
END
$$;

CREATE TRIGGER rehearsal_changed AFTER UPDATE ON rehearsal
  FOR EACH STATEMENT EXECUTE FUNCTION announce_rehearsal();
