-- Who changed what, when and from where. Names and addresses are as they were: what they name may be gone.
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
