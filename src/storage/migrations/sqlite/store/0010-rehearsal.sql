-- Of staging; production has the row and changes nothing of it. One row.
CREATE TABLE rehearsal (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  -- Milliseconds that the test clock is ahead of the service's own.
  clock_offset INTEGER NOT NULL,
  -- Another one after each reset; empty before the first.
  store_id TEXT NOT NULL,
  -- Numbers of events go on above it after a reset.
  last_event_id INTEGER NOT NULL
) STRICT;

INSERT INTO rehearsal (only_row, clock_offset, store_id, last_event_id) VALUES (1, 0, '', 0);
