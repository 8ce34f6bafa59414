-- A key pair of a person's device, that signs in without the password (WebAuthn Level 3). The private half never leaves the device.
CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  -- What the device calls it: base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE_Key (RFC 9052 §7).
  public_key BLOB NOT NULL,
  -- How often the device has used it, or 0 where it does not count.
  sign_count INTEGER NOT NULL,
  -- The host name that it is for.
  host TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

CREATE INDEX passkey_by_account ON passkey (account_id, created_at);

-- What a device has to sign, once: for a session that adds a passkey, or for a browser that signs in with one.
CREATE TABLE passkey_challenge (
  -- A hash of the session's identifier, or of a cookie.
  holder TEXT PRIMARY KEY,
  challenge TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at);
