CREATE TABLE account (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  email TEXT NOT NULL UNIQUE,
  -- NULL: this account cannot sign in.
  password_hash TEXT,
  -- The local operator, which has no password, has an owner's rights and never counts as an owner.
  role TEXT NOT NULL CHECK (role IN ('viewer', 'staff', 'owner')),
  created_at INTEGER NOT NULL
) STRICT;

-- `mail`: there if a mail server is set, so that whoever makes a change knows whether to queue a mail.
-- `owners`: row that each change of an owner writes first, so that concurrent changes run one after the other.
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- One-time links, which create an account or set a new password. A new link for the same address or account replaces the old;
-- several invitations without an address are valid at once.
CREATE TABLE one_time_link (
  -- SHA-256 of what the link holds.
  token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  -- Of an invitation. Its address is NULL where the person chooses it.
  id TEXT UNIQUE,
  email TEXT UNIQUE,
  role TEXT CHECK (role IN ('viewer', 'staff', 'owner')),
  -- Of a password reset.
  account_id INTEGER UNIQUE REFERENCES account (id) ON DELETE CASCADE,
  -- NULL: the operator. The links of an account that is no owner any more do not work.
  made_by INTEGER REFERENCES account (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX one_time_link_by_maker ON one_time_link (made_by);

-- Any change of the password deletes the links that would set it.
CREATE TRIGGER password_changed AFTER UPDATE OF password_hash ON account
BEGIN
  DELETE FROM one_time_link WHERE account_id = OLD.id;
END;

-- Tokens of links that were mailed. Each attempt to send a mail makes another, because only hashes are stored.
CREATE TABLE mailed_token (
  token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  -- `token_hash` of the one-time link that it stands for. Once that link is used, cancelled or replaced, this finds nothing.
  link_hash BLOB NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- Mails. The delivery worker claims them like messages.
CREATE TABLE mail (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  -- The recipient. A reset may be asked for with an address that has no account: that mail is deleted, not sent.
  email TEXT NOT NULL,
  -- `token_hash` of the one-time link that the mail is about; NULL for a reset until the mail is sent.
  link_hash BLOB,
  -- Of a reset that a person asked for: environment and network address. Of a new owner: the address.
  detail TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'delivered', 'failed', 'dropped')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  due_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX mail_queue ON mail (due_at) WHERE status = 'queued';
CREATE INDEX mail_by_email ON mail (email, created_at);

-- Attempts to send a mail.
CREATE TABLE delivery_attempt (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  delivery_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Milliseconds.
  duration INTEGER NOT NULL CHECK (duration >= 0),
  -- Of the mail server's answer (RFC 5321); NULL where there was none, and then `error` says why.
  status INTEGER,
  error TEXT
) STRICT;

CREATE INDEX delivery_attempt_by_delivery ON delivery_attempt (delivery_id, id);

-- Passkeys: key pairs of people's devices, which sign in without the password (WebAuthn Level 3). Private keys stay on the device.
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

-- Passkey challenges, each signed once: by a session that adds a passkey, or by a browser that signs in with one.
-- Also what else is used once: the secrets of a sign-in by a provider, and the session that a person takes along to staging.
CREATE TABLE passkey_challenge (
  -- A hash of the session's identifier, or of a cookie.
  holder TEXT PRIMARY KEY,
  challenge TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at);

-- Links of accounts to people at an OpenID Connect provider, who are known by issuer and subject alone.
CREATE TABLE provider_identity (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- Address or identifier of the person at the provider.
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (issuer, subject),
  UNIQUE (account_id, issuer)
) STRICT;

-- Sessions: browsers in which a person has signed in to one environment.
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

-- Counts of attempts to sign in or up that may be guesses, by address, account, or both; the subject is a hash.
-- Also the addresses from which an account's owner has signed in, where others' attempts elsewhere cause no wait.
CREATE TABLE attempt_count (
  subject TEXT PRIMARY KEY,
  -- Of an address that its owner has signed in from; NULL for attempts.
  account_id INTEGER REFERENCES account (id) ON DELETE CASCADE,
  attempts INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;

CREATE INDEX attempt_count_by_age ON attempt_count (last_at);
CREATE INDEX attempt_count_by_account ON attempt_count (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  environment TEXT NOT NULL CHECK (environment IN ('production', 'staging')),
  name TEXT NOT NULL,
  access TEXT NOT NULL CHECK (access IN ('read', 'sell', 'read-write')),
  -- What a list shows of a key: `pet_live_9ndK…NnlR`.
  redacted TEXT NOT NULL,
  -- SHA-256 of the key; the key itself is nowhere.
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  revoked_at INTEGER,
  -- The key that has taken its place. A key is replaced once.
  replaced_by TEXT
) STRICT;

CREATE INDEX api_key_by_account ON api_key (account_id, created_at);

-- The last requests and refusals of each key: a row has a batch of one process, with the time and identifier of its newest entry.
-- Also its calls of each deprecated operation, counted in one row with the time of the last.
CREATE TABLE key_activity (
  key_id TEXT NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('request', 'refusal', 'deprecated-call')),
  at INTEGER NOT NULL,
  -- A request's identifier, or the operation's name.
  subject TEXT NOT NULL,
  -- JSON: a list of requests, or the number of calls.
  entries TEXT NOT NULL,
  PRIMARY KEY (key_id, kind, at, subject)
) STRICT;

CREATE INDEX key_activity_by_time ON key_activity (at) WHERE kind <> 'deprecated-call';
CREATE UNIQUE INDEX deprecated_call ON key_activity (subject, key_id) WHERE kind = 'deprecated-call';

-- Audit entries, with names and addresses as they were at the change.
CREATE TABLE audit_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('key', 'person', 'anonymous', 'operator')),
  actor TEXT NOT NULL,
  -- Empty at the command line.
  address TEXT NOT NULL,
  -- NULL where it is in both.
  environment TEXT CHECK (environment IN ('production', 'staging')),
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  -- Failed sign-ins to one account from one address in one minute are one entry.
  times INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX failed_sign_in ON audit_entry (at, subject, address) WHERE action = 'sign-in.failed';

CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry WHEN OLD.action <> 'sign-in.failed'
BEGIN
  SELECT RAISE(ABORT, 'the audit list is append-only');
END;

CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry WHEN OLD.action <> 'sign-in.failed'
BEGIN
  SELECT RAISE(ABORT, 'the audit list is append-only');
END;

-- An unfinished copy into this store, which may be continued; no other copy into it may begin.
CREATE TABLE copy_run (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  source TEXT NOT NULL
) STRICT;

-- Identifier of the store that the file belongs to, with a suffix after a reset.
CREATE TABLE store_identity (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  id TEXT NOT NULL
) STRICT;

-- State of the other databases' files at their last start or end (decision 24).
CREATE TABLE store_file (
  name TEXT PRIMARY KEY,
  store_id TEXT NOT NULL,
  generation INTEGER,
  is_closed INTEGER NOT NULL,
  last_ids TEXT NOT NULL
) STRICT;
