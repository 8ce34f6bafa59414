CREATE TABLE pet (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT CHECK (status IN ('available', 'pending', 'sold'))
) STRICT;

-- Each ends in the identifier, so that a filtered page is one walk down one index.
CREATE INDEX pet_by_status ON pet (status, id);
CREATE INDEX pet_by_category ON pet (category_id, id);
CREATE INDEX pet_by_category_and_status ON pet (category_id, status, id);

CREATE TABLE category (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  name TEXT NOT NULL,
  description TEXT
) STRICT;

CREATE TABLE store_order (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  -- No foreign key: a complete order outlives its animal.
  pet_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity >= 1),
  ship_date INTEGER,
  complete INTEGER NOT NULL CHECK (complete IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX store_order_open_by_pet ON store_order (pet_id) WHERE complete = 0;
