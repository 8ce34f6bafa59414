-- Who changed webhooks, when and from where; as in the accounts, whose list has these entries too.
CREATE TABLE audit_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('key', 'person', 'anonymous', 'operator')),
  actor TEXT NOT NULL,
  -- Empty at the command line.
  address TEXT NOT NULL,
  environment TEXT CHECK (environment IN ('production', 'staging')),
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  times INTEGER NOT NULL
) STRICT;

CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'the audit list is append-only');
END;

CREATE TRIGGER audit_entry_kept BEFORE DELETE ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'the audit list is append-only');
END;
