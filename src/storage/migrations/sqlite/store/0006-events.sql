-- What was changed, in the order of commits.
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('key', 'person', 'operator')),
  -- Of the key or the account; empty for the operator.
  actor_id TEXT NOT NULL,
  -- Of the key, as it was; empty for a person.
  actor_name TEXT NOT NULL,
  request_id TEXT NOT NULL,
  -- The animal, also where an order for it was changed.
  pet_id INTEGER,
  -- Of the order or the category that was changed; NULL where it was the animal.
  resource_id INTEGER,
  -- JSON: the resource after the change, without its identifier.
  data TEXT NOT NULL,
  -- JSON: the members that were changed, as they were before; null for one that was absent.
  previous TEXT
) STRICT;

CREATE INDEX event_by_pet ON event (pet_id, type, id);
CREATE INDEX event_by_type ON event (type, id);

-- Events that were committed and have no identifier yet. Empty where there is one writer at a time.
CREATE TABLE event_queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  request_id TEXT NOT NULL,
  pet_id INTEGER,
  resource_id INTEGER,
  data TEXT NOT NULL,
  previous TEXT
) STRICT;
