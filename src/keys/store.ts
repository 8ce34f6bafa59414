import { type AuditedStatement, audited } from "../accounts/audit/audited.ts";
import { ENVIRONMENTS, type Environment, type KeyActor } from "../context.ts";
import { ACCESS_LEVELS, type AccessLevel, ROLES } from "../contract/operation.ts";
import { enumColumn, numberColumn, optional, textColumn } from "../storage/row.ts";
import { type Row, type Statement, statement } from "../storage/statement.ts";

/** An API key as it is stored: everything but the key itself. Times are milliseconds since 1970. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: number;
  readonly email: string;
  readonly environment: Environment;
  readonly name: string;
  readonly access: AccessLevel;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly lastUsedAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** `pet_live_9ndK…NnlR` */
  readonly redacted: string;
  /** The identifier of the key that has taken its place. */
  readonly replacedBy: string | undefined;
}

const SELECT_KEY = `SELECT api_key.id, account_id, email, environment, name, access, api_key.created_at, expires_at,
  last_used_at, revoked_at, redacted, replaced_by FROM api_key JOIN account ON account.id = account_id`;

function decodeKey(row: Row): ApiKey {
  return {
    id: textColumn(row, "id"),
    accountId: numberColumn(row, "account_id"),
    email: textColumn(row, "email"),
    environment: enumColumn(row, "environment", ENVIRONMENTS),
    name: textColumn(row, "name"),
    access: enumColumn(row, "access", ACCESS_LEVELS),
    createdAt: numberColumn(row, "created_at"),
    expiresAt: optional(row, "expires_at", numberColumn),
    lastUsedAt: optional(row, "last_used_at", numberColumn),
    revokedAt: optional(row, "revoked_at", numberColumn),
    redacted: textColumn(row, "redacted"),
    replacedBy: optional(row, "replaced_by", textColumn),
  };
}

/** Makes nothing for an account that is gone, nor a key that a viewer may not have. */
export const insertKey: AuditedStatement<
  [
    id: string,
    accountId: number,
    environment: Environment,
    name: string,
    access: AccessLevel,
    tokenHash: Uint8Array,
    createdAt: number,
    expiresAt: number | null,
    redacted: string,
  ],
  string
> = audited(
  "key.created",
  statement(
    `INSERT INTO api_key (id, account_id, environment, name, access, token_hash, created_at, expires_at, redacted)
      SELECT $1, id, $3, $4, $5, $6, $7, $8, $9 FROM account WHERE id = $2 AND (role <> 'viewer' OR $5 = 'read')
      RETURNING id`,
    (row) => textColumn(row, "id"),
  ),
);

/** Yields the account's identifier if it is there. */
export const selectKeyOwner: Statement<[accountId: number], number> = statement(
  "SELECT id FROM account WHERE id = $1",
  (row) => numberColumn(row, "id"),
);

export const selectKeys: Statement<[], ApiKey> = statement(
  `${SELECT_KEY} ORDER BY api_key.created_at DESC, api_key.id`,
  decodeKey,
);

export const selectKeysOfAccount: Statement<[accountId: number], ApiKey> = statement(
  `${SELECT_KEY} WHERE account_id = $1 ORDER BY api_key.created_at DESC, api_key.id`,
  decodeKey,
);

export const selectKey: Statement<[id: string], ApiKey> = statement(
  `${SELECT_KEY} WHERE api_key.id = $1`,
  decodeKey,
);

/** What a request needs of its key. */
export interface StoredKey extends Omit<KeyActor, "kind"> {
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
}

export const selectStoredKeyByHash: Statement<[tokenHash: Uint8Array], StoredKey> = statement(
  `SELECT id, name, account_id, (SELECT role FROM account WHERE account.id = account_id) AS role, environment,
    access, expires_at, revoked_at FROM api_key WHERE token_hash = $1`,
  (row) => ({
    keyId: textColumn(row, "id"),
    keyName: textColumn(row, "name"),
    accountId: numberColumn(row, "account_id"),
    role: enumColumn(row, "role", ROLES),
    environment: enumColumn(row, "environment", ENVIRONMENTS),
    access: enumColumn(row, "access", ACCESS_LEVELS),
    expiresAt: optional(row, "expires_at", numberColumn),
    revokedAt: optional(row, "revoked_at", numberColumn),
  }),
);

export const markKeyRevoked: AuditedStatement<[id: string, revokedAt: number], string> = audited(
  "key.revoked",
  statement("UPDATE api_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id", (row) =>
    textColumn(row, "id"),
  ),
);

/** Ends a key at `until`, or at its own expiry if that is earlier. Yields nothing for one that is revoked, expired or replaced. */
export const markKeyReplaced: AuditedStatement<
  [id: string, replacedBy: string, now: number, until: number],
  string
> = audited(
  "key.rotated",
  statement(
    `UPDATE api_key SET replaced_by = $2, expires_at = CASE WHEN expires_at < $4 THEN expires_at ELSE $4 END
      WHERE id = $1 AND replaced_by IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
      RETURNING id`,
    (row) => textColumn(row, "id"),
  ),
);

/** With the old key's access, independent of the account's role: a key does no more than that allows. */
export const insertReplacement: AuditedStatement<
  [
    id: string,
    replacedId: string,
    tokenHash: Uint8Array,
    redacted: string,
    createdAt: number,
    expiresAt: number | null,
  ],
  string
> = audited(
  "key.created",
  statement(
    `INSERT INTO api_key (id, account_id, environment, name, access, token_hash, redacted, created_at, expires_at)
      SELECT $1, account_id, environment, name, access, $3, $4, $5, $6 FROM api_key WHERE id = $2 RETURNING id`,
    (row) => textColumn(row, "id"),
  ),
);

/** A key that calls an operation which is about to end. */
interface DeprecatedCaller {
  readonly accountId: number;
  readonly keyId: string;
  readonly keyName: string;
  readonly calls: number;
  /** Milliseconds since 1970. */
  readonly lastCalledAt: number;
}

/** The keys of an environment that called an operation, the latest call first. */
export const selectDeprecatedCallers: Statement<
  [operation: string, environment: Environment],
  DeprecatedCaller
> = statement(
  `SELECT account_id, key_id, name, CAST(entries AS BIGINT) AS calls, at
    FROM key_activity JOIN api_key ON api_key.id = key_id
    WHERE kind = 'deprecated-call' AND subject = $1 AND environment = $2 ORDER BY at DESC, key_id`,
  (row) => ({
    accountId: numberColumn(row, "account_id"),
    keyId: textColumn(row, "key_id"),
    keyName: textColumn(row, "name"),
    calls: numberColumn(row, "calls"),
    lastCalledAt: numberColumn(row, "at"),
  }),
);
