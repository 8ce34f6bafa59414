-- Which environment's people see a message: that of the key or the session it was submitted with.
ALTER TABLE message ADD COLUMN environment TEXT CHECK (environment IN ('production', 'staging'));

CREATE INDEX message_by_environment ON message (environment, created_at, id);
