CREATE TABLE pet (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT CHECK (status IN ('available', 'pending', 'sold')),
  external_id TEXT
) STRICT;

-- Each index ends in the identifier: a filtered page is one range of one index.
CREATE INDEX pet_by_status ON pet (status, id);
CREATE INDEX pet_by_category ON pet (category_id, id);
CREATE INDEX pet_by_category_and_status ON pet (category_id, status, id);
-- An animal without one has no entry, so that it costs nothing to add.
CREATE UNIQUE INDEX pet_by_external_id ON pet (external_id) WHERE external_id IS NOT NULL;

CREATE TABLE category (
  -- Given with the category, or generated from the setting `last category`.
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE store_order (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  -- No foreign key: a complete order outlives its animal.
  pet_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity >= 1),
  ship_date INTEGER,
  complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
  created_at INTEGER NOT NULL,
  completed_at INTEGER,
  CHECK ((complete = 1) = (completed_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX store_order_open_by_pet ON store_order (pet_id) WHERE completed_at IS NULL;
CREATE INDEX store_order_by_pet ON store_order (pet_id, id);
CREATE INDEX store_order_by_complete ON store_order (complete, id);
CREATE INDEX store_order_by_completion ON store_order (completed_at, id) WHERE completed_at IS NOT NULL;

-- Log of changes, in the order of commits.
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
  previous TEXT,
  -- Of the request that made the change (W3C Trace Context).
  traceparent TEXT
) STRICT;

CREATE INDEX event_by_pet ON event (pet_id, type, id);
CREATE INDEX event_by_type ON event (type, id);
-- Animals that became sold. Within a JSON string each quotation mark follows a backslash: no name matches.
CREATE INDEX event_sold ON event (id) WHERE data LIKE '%"status":"sold"%' AND previous LIKE '%"status":%';

-- Webhooks: addresses that receive events.
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
  status TEXT NOT NULL CHECK (status IN ('queued', 'delivered', 'failed', 'dropped')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  -- When the next attempt may start; NULL while an earlier delivery of the same subject is queued. A worker that claims the
  -- delivery moves this to the end of its lease.
  due_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX delivery_by_webhook ON delivery (webhook_id, id);
CREATE INDEX delivery_by_status ON delivery (webhook_id, status, id);
CREATE INDEX delivery_queue ON delivery (webhook_id, due_at) WHERE status = 'queued' AND due_at IS NOT NULL;
CREATE INDEX delivery_by_subject ON delivery (webhook_id, subject, id) WHERE status = 'queued';
CREATE INDEX delivery_of_event ON delivery (event_id) WHERE status = 'queued';

-- Attempts to deliver a message or an event.
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

-- Audit entries of webhooks; the console's list merges them with those in the accounts database.
CREATE TABLE audit_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('key', 'person', 'anonymous', 'operator')),
  actor TEXT NOT NULL,
  -- Empty at the command line.
  address TEXT NOT NULL,
  environment TEXT CHECK (environment IN ('production', 'staging')),
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  times INTEGER NOT NULL
) STRICT;

CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'the audit list is append-only');
END;

CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'the audit list is append-only');
END;

CREATE TABLE idempotency_record (
  account_id INTEGER NOT NULL,
  environment TEXT NOT NULL,
  path TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  -- SHA-256 of the request body.
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
  status INTEGER NOT NULL,
  location TEXT,
  body TEXT,
  -- In place of a body: the identifier of the row that was made. The rest of it is what the request said.
  resource_id INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, environment, path, idempotency_key)
) STRICT;

CREATE INDEX idempotency_record_by_age ON idempotency_record (created_at);
-- Records of imported animals, which an undo of the import forgets; other keys have no entry.
CREATE INDEX idempotency_record_of_import ON idempotency_record (resource_id) WHERE idempotency_key LIKE 'import-%';

-- `elapsed`: counter of elapsed milliseconds, on which `created_at` of idempotency records is.
-- `last category`: the last generated number of a category.
-- `removed events`: the highest identifier of an event that was pruned, or removed by a reset.
-- `import_…`: the name of an import's file, by the import's identity.
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- The identifier up to which no commit of an event can still appear.
CREATE VIEW event_end AS
  SELECT coalesce((SELECT max(id) FROM event),
    (SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'removed events'), 0) AS id;

-- State of staging's rehearsals: one row, which production never changes.
CREATE TABLE rehearsal (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  -- Milliseconds that the test clock is ahead of the service's own.
  clock_offset INTEGER NOT NULL,
  -- Another one after each reset; empty before the first.
  store_id TEXT NOT NULL
) STRICT;

INSERT INTO rehearsal (only_row, clock_offset, store_id) VALUES (1, 0, '');

-- Number of requests with the same `Petstore-Simulate` header (`times=N`), by key and operation; staging only.
CREATE TABLE simulation (
  key_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  header TEXT NOT NULL,
  requests INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, operation, header)
) STRICT;

-- Identifier of the store that the file belongs to, with a suffix after a reset.
CREATE TABLE store_identity (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  id TEXT NOT NULL
) STRICT;
