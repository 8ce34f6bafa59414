import { type AuditedStatement, audited } from "../accounts/audit/audit.ts";
import { ENVIRONMENTS, type Environment, type KeyActor } from "../context.ts";
import { ACCESS_LEVELS, type AccessLevel, ROLES, type Role } from "../contract/operation.ts";
import { enumColumn, members, numberColumn, optional, textColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";

const SELECT_KEY = `SELECT api_key.id, account_id, email, environment, name, access, api_key.created_at, expires_at,
  last_used_at, revoked_at, redacted, replaced_by FROM api_key JOIN account ON account.id = account_id`;

/** Decodes a stored API key, without its token hash. Times are milliseconds since 1970. */
const decodeKey = members({
  id: textColumn,
  accountId: numberColumn,
  email: textColumn,
  environment: enumColumn(ENVIRONMENTS),
  name: textColumn,
  access: enumColumn(ACCESS_LEVELS),
  createdAt: numberColumn,
  expiresAt: optional(numberColumn),
  lastUsedAt: optional(numberColumn),
  revokedAt: optional(numberColumn),
  redacted: textColumn,
  replacedBy: optional(textColumn),
});
export type ApiKey = ReturnType<typeof decodeKey>;

/**
 * Locks an account until the transaction ends. Transactions that create keys for the same account therefore run one after
 * another, so that each counts the keys that the others have created.
 */
export const lockKeyOwner: Statement<
  [accountId: number, now: number],
  { readonly email: string; readonly role: Role; readonly validKeys: number }
> = statement(
  `UPDATE account SET created_at = created_at WHERE id = $1 RETURNING email, role, (SELECT COUNT(*) FROM api_key
    WHERE account_id = account.id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)) AS valid_keys`,
  members({ email: textColumn, role: enumColumn(ROLES), validKeys: numberColumn }),
);

export const insertKey: AuditedStatement<
  {
    id: string;
    accountId: number;
    environment: Environment;
    name: string;
    access: AccessLevel;
    tokenHash: Uint8Array;
    createdAt: number;
    expiresAt: number | null;
    redacted: string;
  },
  string
> = audited(
  "key.created",
  statement(
    `INSERT INTO api_key (id, account_id, environment, name, access, token_hash, created_at, expires_at, redacted)
      VALUES ($id, $accountId, $environment, $name, $access, $tokenHash, $createdAt, $expiresAt, $redacted) RETURNING id`,
    textColumn("id"),
  ),
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

/** The part of a stored API key that is needed to authenticate a request. */
export interface StoredKey extends Omit<KeyActor, "kind"> {
  readonly revokedAt: number | undefined;
}

export const selectStoredKeyByHash: Statement<[tokenHash: Uint8Array], StoredKey> = statement(
  `SELECT id, name, account_id, (SELECT role FROM account WHERE account.id = account_id) AS role, environment,
    access, created_at, expires_at, revoked_at FROM api_key WHERE token_hash = $1`,
  members({
    keyId: () => textColumn("id"),
    keyName: () => textColumn("name"),
    accountId: numberColumn,
    role: enumColumn(ROLES),
    environment: enumColumn(ENVIRONMENTS),
    access: enumColumn(ACCESS_LEVELS),
    createdAt: numberColumn,
    expiresAt: optional(numberColumn),
    revokedAt: optional(numberColumn),
  }),
);

export const markKeyRevoked: AuditedStatement<[id: string, revokedAt: number], string> = audited(
  "key.revoked",
  statement(
    "UPDATE api_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id",
    textColumn("id"),
  ),
);

/**
 * Sets a key's successor, and sets the key's expiry to `until` unless the key already expires earlier. Changes nothing if the key
 * is revoked, expired or already replaced.
 */
export const markKeyReplaced: AuditedStatement<
  { id: string; replacedBy: string; now: number; until: number },
  string
> = audited(
  "key.rotated",
  statement(
    `UPDATE api_key SET replaced_by = $replacedBy, expires_at = CASE WHEN expires_at < $until THEN expires_at ELSE $until END
      WHERE id = $id AND replaced_by IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $now)
      RETURNING id`,
    textColumn("id"),
  ),
);

/**
 * Inserts the successor of a rotated key, with the same access level. The account's role may allow less than this access level,
 * and then limits the new key, too.
 */
export const insertReplacement: AuditedStatement<
  {
    id: string;
    replacedId: string;
    tokenHash: Uint8Array;
    redacted: string;
    createdAt: number;
    expiresAt: number | null;
  },
  string
> = audited(
  "key.created",
  statement(
    `INSERT INTO api_key (id, account_id, environment, name, access, token_hash, redacted, created_at, expires_at)
      SELECT $id, account_id, environment, name, access, $tokenHash, $redacted, $createdAt, $expiresAt FROM api_key WHERE id = $replacedId RETURNING id`,
    textColumn("id"),
  ),
);
