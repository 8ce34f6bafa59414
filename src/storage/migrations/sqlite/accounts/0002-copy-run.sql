-- A copy into this store that has begun and not ended: it may be gone on with, and nothing else may be copied here.
CREATE TABLE copy_run (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  source TEXT NOT NULL
) STRICT;
