-- The local operator, which has no password, has an owner's rights and never counts as an owner.
ALTER TABLE account ADD COLUMN role TEXT NOT NULL DEFAULT 'staff' CHECK (role IN ('viewer', 'staff', 'owner'));

-- Of accounts from before roles a sole one becomes owner; of several all stay staff until an operator names an owner.
UPDATE account SET role = 'owner'
  WHERE password_hash IS NULL OR (SELECT count(*) FROM account WHERE password_hash IS NOT NULL) = 1;

-- A transaction that makes or unmakes an owner changes this row first: of two at once, the second sees what the first did.
CREATE TABLE owner_guard (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  changes INTEGER NOT NULL
) STRICT;
