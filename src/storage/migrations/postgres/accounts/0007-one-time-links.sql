-- An account that a person may make, once. A new invitation of the same address replaces the one before.
CREATE TABLE invitation (
  -- Empty: the person chooses the address.
  email TEXT COLLATE "C" PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'staff', 'owner')),
  -- SHA-256 of what the link holds.
  token_hash BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  -- NULL: the operator. The invitations of an account that is no owner any more do not work.
  made_by BIGINT REFERENCES account (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

-- A password that a person may set, once, without knowing the one before.
CREATE TABLE password_reset (
  account_id BIGINT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
  token_hash BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  made_by BIGINT REFERENCES account (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX invitation_by_maker ON invitation (made_by);
CREATE INDEX password_reset_by_maker ON password_reset (made_by);

-- However the password is changed: the link was made for the one before.
CREATE FUNCTION end_password_reset() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM password_reset WHERE account_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER password_changed AFTER UPDATE OF password_hash ON account
  FOR EACH ROW EXECUTE FUNCTION end_password_reset();
