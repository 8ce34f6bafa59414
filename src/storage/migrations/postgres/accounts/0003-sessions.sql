-- A browser that somebody has signed in with, to one environment.
CREATE TABLE session (
  id TEXT COLLATE "C" PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  environment TEXT NOT NULL CHECK (environment IN ('production', 'staging')),
  -- SHA-256 of what the cookie holds.
  token_hash BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  user_agent TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX session_by_account ON session (account_id, created_at);
CREATE INDEX session_by_expiry ON session (expires_at);

-- Attempts to sign in, or up, that were not known to be good: by address, by account, by both. The subject is a hash.
CREATE TABLE attempt_count (
  subject TEXT COLLATE "C" PRIMARY KEY,
  attempts BIGINT NOT NULL,
  last_at BIGINT NOT NULL
);

CREATE INDEX attempt_count_by_age ON attempt_count (last_at);

-- Where an account's owner has signed in from: what others do to the account elsewhere does not hold them up.
CREATE TABLE known_address (
  account_id BIGINT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  address_hash TEXT COLLATE "C" NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, address_hash)
);
