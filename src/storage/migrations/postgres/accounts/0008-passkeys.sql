-- A key pair of a person's device, that signs in without the password (WebAuthn Level 3). The private half never leaves the device.
CREATE TABLE passkey (
  id TEXT COLLATE "C" PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  -- What the device calls it: base64url.
  credential_id TEXT COLLATE "C" NOT NULL UNIQUE,
  -- COSE_Key (RFC 9052 §7).
  public_key BYTEA NOT NULL,
  -- How often the device has used it, or 0 where it does not count.
  sign_count BIGINT NOT NULL,
  -- The host name that it is for.
  host TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT
);

CREATE INDEX passkey_by_account ON passkey (account_id, created_at);

-- What a device has to sign, once: for a session that adds a passkey, or for a browser that signs in with one.
CREATE TABLE passkey_challenge (
  -- A hash of the session's identifier, or of a cookie.
  holder TEXT COLLATE "C" PRIMARY KEY,
  challenge TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at);
