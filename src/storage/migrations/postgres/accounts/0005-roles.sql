-- The local operator, which has no password, has an owner's rights and never counts as an owner.
ALTER TABLE account ADD COLUMN role TEXT NOT NULL DEFAULT 'staff' CHECK (role IN ('viewer', 'staff', 'owner'));

-- Of accounts from before roles a sole one becomes owner; of several all stay staff until an operator names an owner.
UPDATE account SET role = 'owner'
  WHERE password_hash IS NULL OR (SELECT count(*) FROM account WHERE password_hash IS NOT NULL) = 1;

-- A transaction that makes or unmakes an owner changes this row first: of two at once, the second sees what the first did.
CREATE TABLE owner_guard (
  only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
  changes BIGINT NOT NULL
);

-- Every process keeps the keys it has seen, each with the role of its account.
CREATE FUNCTION announce_role_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('petstore_keys', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER account_role_changed AFTER UPDATE OF role ON account
  FOR EACH ROW EXECUTE FUNCTION announce_role_change();
