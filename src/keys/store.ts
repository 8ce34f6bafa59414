import type { Environment } from "../context.ts";
import { ENVIRONMENTS } from "../context.ts";
import { ACCESS_LEVELS, type AccessLevel } from "../contract/operation.ts";
import { nothing, type Row, type Statement } from "../storage/database.ts";
import { numberColumn, optional, textColumn, wordColumn } from "../storage/row.ts";

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
}

const SELECT_KEY = `SELECT api_key.id, account_id, email, environment, name, access, api_key.created_at, expires_at,
  last_used_at, revoked_at FROM api_key JOIN account ON account.id = account_id`;

function decodeKey(row: Row): ApiKey {
  return {
    id: textColumn(row, "id"),
    accountId: numberColumn(row, "account_id"),
    email: textColumn(row, "email"),
    environment: wordColumn(row, "environment", ENVIRONMENTS),
    name: textColumn(row, "name"),
    access: wordColumn(row, "access", ACCESS_LEVELS),
    createdAt: numberColumn(row, "created_at"),
    expiresAt: optional(row, "expires_at", numberColumn),
    lastUsedAt: optional(row, "last_used_at", numberColumn),
    revokedAt: optional(row, "revoked_at", numberColumn),
  };
}

export const insertKey: Statement<undefined> = {
  sql: `INSERT INTO api_key (id, account_id, environment, name, access, token_hash, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  decode: nothing,
};

export const selectKeys: Statement<ApiKey> = {
  sql: `${SELECT_KEY} ORDER BY api_key.created_at DESC, api_key.id`,
  decode: decodeKey,
};

export const selectKey: Statement<ApiKey> = { sql: `${SELECT_KEY} WHERE api_key.id = $1`, decode: decodeKey };

/** What a request needs to know of the key it carries. */
export interface KeyGrant {
  readonly keyId: string;
  readonly accountId: number;
  readonly environment: Environment;
  readonly access: AccessLevel;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
}

export const selectGrantByHash: Statement<KeyGrant> = {
  sql: "SELECT id, account_id, environment, access, expires_at, revoked_at FROM api_key WHERE token_hash = $1",
  decode: (row) => ({
    keyId: textColumn(row, "id"),
    accountId: numberColumn(row, "account_id"),
    environment: wordColumn(row, "environment", ENVIRONMENTS),
    access: wordColumn(row, "access", ACCESS_LEVELS),
    expiresAt: optional(row, "expires_at", numberColumn),
    revokedAt: optional(row, "revoked_at", numberColumn),
  }),
};

export const markKeyRevoked: Statement<undefined> = {
  sql: "UPDATE api_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL",
  decode: nothing,
};

export const markKeyUsed: Statement<undefined> = {
  sql: "UPDATE api_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
  decode: nothing,
};
