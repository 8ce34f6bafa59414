import { ENVIRONMENTS, type Environment } from "../../context.ts";
import { ROLES, type Role } from "../../contract/operation.ts";
import { enumColumn, numberColumn, textColumn } from "../../storage/row.ts";
import { noRows, type Row, type Statement, statement } from "../../storage/statement.ts";
import { type AuditedStatement, audited } from "../audit/audited.ts";

/** A signed-in browser. Times are milliseconds since 1970. */
export interface Session {
  readonly id: string;
  readonly accountId: number;
  readonly environment: Environment;
  readonly userAgent: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/** A session with the account it belongs to. */
export interface OwnedSession extends Session {
  readonly email: string;
  readonly role: Role;
  readonly accountCreatedAt: number;
}

const COLUMNS =
  "session.id, session.account_id, session.environment, user_agent, session.created_at, last_seen_at, expires_at";

function decodeSession(row: Row): Session {
  return {
    id: textColumn(row, "id"),
    accountId: numberColumn(row, "account_id"),
    environment: enumColumn(row, "environment", ENVIRONMENTS),
    userAgent: textColumn(row, "user_agent"),
    createdAt: numberColumn(row, "created_at"),
    lastSeenAt: numberColumn(row, "last_seen_at"),
    expiresAt: numberColumn(row, "expires_at"),
  };
}

/**
 * Changes nothing, but a transaction that changes the password meanwhile conflicts with this one: one of the two runs again, and
 * no session that began with the old password outlives it.
 */
export const holdAccount: Statement<[accountId: number], undefined> = statement(
  "UPDATE account SET created_at = created_at WHERE id = $1",
  noRows,
);

/** Yields the session's identifier if the account is there, and its password is still the one that was checked. */
export const insertSession: AuditedStatement<
  [
    id: string,
    accountId: number,
    environment: Environment,
    tokenHash: Uint8Array,
    userAgent: string,
    createdAt: number,
    expiresAt: number,
    passwordHash: string,
  ],
  string
> = audited(
  "session.created",
  statement(
    `INSERT INTO session (id, account_id, environment, token_hash, user_agent, created_at, last_seen_at, expires_at)
      SELECT $1, id, $3, $4, $5, $6, $6, $7 FROM account WHERE id = $2 AND password_hash = $8 RETURNING id`,
    (row) => textColumn(row, "id"),
  ),
);

export const selectSessionByHash: Statement<[tokenHash: Uint8Array], OwnedSession> = statement(
  `SELECT ${COLUMNS}, email, role, account.created_at AS account_created_at
    FROM session JOIN account ON account.id = account_id WHERE token_hash = $1`,
  (row) => ({
    ...decodeSession(row),
    email: textColumn(row, "email"),
    role: enumColumn(row, "role", ROLES),
    accountCreatedAt: numberColumn(row, "account_created_at"),
  }),
);

/** The role of a session's account; nothing once the session has ended by $2, or been idle since $3. */
export const selectRoleOfSession: Statement<[id: string, now: number, idleSince: number], Role> = statement(
  `SELECT role FROM session JOIN account ON account.id = account_id
    WHERE session.id = $1 AND expires_at > $2 AND last_seen_at > $3`,
  (row) => enumColumn(row, "role", ROLES),
);

/** An account's sessions in one environment that have not ended by $3, nor been idle since $4; newest first. */
export const selectSessions: Statement<
  [accountId: number, environment: Environment, now: number, idleSince: number],
  Session
> = statement(
  `SELECT ${COLUMNS} FROM session
    WHERE account_id = $1 AND environment = $2 AND expires_at > $3 AND last_seen_at > $4
    ORDER BY created_at DESC, id`,
  decodeSession,
);

/** When each account was last seen, of those with a session that has not ended by $1, nor been idle since $2. */
export const selectLastSeen: Statement<
  [now: number, idleSince: number],
  { readonly accountId: number; readonly at: number }
> = statement(
  `SELECT account_id, max(last_seen_at) AS at FROM session
    WHERE expires_at > $1 AND last_seen_at > $2 GROUP BY account_id`,
  (row) => ({ accountId: numberColumn(row, "account_id"), at: numberColumn(row, "at") }),
);

export const markSessionSeen: Statement<[id: string, lastSeenAt: number], undefined> = statement(
  "UPDATE session SET last_seen_at = $2 WHERE id = $1",
  noRows,
);

/** Yields the session's identifier if it was this account's. */
export const removeSession: Statement<[id: string, accountId: number], string> = statement(
  "DELETE FROM session WHERE id = $1 AND account_id = $2 RETURNING id",
  (row) => textColumn(row, "id"),
);

/** Ends every session of an account, in both environments, but the one that is named. */
export const removeOtherSessions: Statement<[accountId: number, keptId: string], undefined> = statement(
  "DELETE FROM session WHERE account_id = $1 AND id <> $2",
  noRows,
);

export const pruneSessions: Statement<[until: number], undefined> = statement(
  "DELETE FROM session WHERE expires_at <= $1",
  noRows,
);
