CREATE TABLE pet (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT CHECK (status IN ('available', 'pending', 'sold'))
) STRICT;
CREATE INDEX pet_by_status ON pet (status, id);
CREATE INDEX pet_by_category ON pet (category_id, id);
CREATE INDEX pet_by_category_and_status ON pet (category_id, status, id);

CREATE TABLE store_order (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pet_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  ship_date INTEGER,
  complete INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX store_order_open_by_pet ON store_order (pet_id) WHERE complete = 0;
CREATE INDEX store_order_by_pet ON store_order (pet_id, id);
CREATE INDEX store_order_by_complete ON store_order (complete, id);

CREATE TABLE api_key (
  id INTEGER PRIMARY KEY,
  token_hash BLOB NOT NULL UNIQUE,
  access TEXT NOT NULL CHECK (access IN ('read', 'read-write')),
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;
