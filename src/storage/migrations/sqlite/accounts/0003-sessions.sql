-- A browser that somebody has signed in with, to one environment.
CREATE TABLE session (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  environment TEXT NOT NULL CHECK (environment IN ('production', 'staging')),
  -- SHA-256 of what the cookie holds.
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  user_agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX session_by_account ON session (account_id, created_at);
CREATE INDEX session_by_expiry ON session (expires_at);

-- Attempts to sign in, or up, that were not known to be good: by address, by account, by both. The subject is a hash.
CREATE TABLE attempt_count (
  subject TEXT PRIMARY KEY,
  attempts INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;

CREATE INDEX attempt_count_by_age ON attempt_count (last_at);

-- Where an account's owner has signed in from: what others do to the account elsewhere does not hold them up.
CREATE TABLE known_address (
  account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  address_hash TEXT NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, address_hash)
) STRICT;
