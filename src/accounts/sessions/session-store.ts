import { ENVIRONMENTS, type Environment } from "../../context.ts";
import { ROLES, type Role } from "../../contract/operation.ts";
import { enumColumn, members, numberColumn, textColumn } from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";
import { type AuditedStatement, audited } from "../audit/audit.ts";

const COLUMNS =
  "session.id, session.account_id, session.environment, user_agent, session.created_at, last_seen_at, expires_at";

/** The columns of a browser session. Times are milliseconds since 1970. */
const SESSION = {
  id: textColumn,
  accountId: numberColumn,
  environment: enumColumn(ENVIRONMENTS),
  userAgent: textColumn,
  createdAt: numberColumn,
  lastSeenAt: numberColumn,
  expiresAt: numberColumn,
};
const decodeSession = members(SESSION);
export type Session = ReturnType<typeof decodeSession>;

const decodeOwnedSession = members({
  ...SESSION,
  email: textColumn,
  role: enumColumn(ROLES),
  accountCreatedAt: numberColumn,
});
export type OwnedSession = ReturnType<typeof decodeOwnedSession>;

/**
 * Locks an account against a concurrent change of its password, so that a session that began with the old password cannot survive
 * the change.
 */
export const holdAccount: Statement<[accountId: number]> = statement(
  "UPDATE account SET created_at = created_at WHERE id = $1",
);

/**
 * Inserts a session and returns its identifier. Returns no row if somebody has deleted the account, or changed its password,
 * since the password was checked.
 */
export const insertSession: AuditedStatement<
  {
    id: string;
    accountId: number;
    environment: Environment;
    tokenHash: Uint8Array;
    userAgent: string;
    createdAt: number;
    expiresAt: number;
    passwordHash: string;
  },
  string
> = audited(
  "session.created",
  statement(
    `INSERT INTO session (id, account_id, environment, token_hash, user_agent, created_at, last_seen_at, expires_at)
      SELECT $id, id, $environment, $tokenHash, $userAgent, $createdAt, $createdAt, $expiresAt FROM account WHERE id = $accountId AND password_hash = $passwordHash RETURNING id`,
    textColumn("id"),
  ),
);

export const selectSessionByHash: Statement<[tokenHash: Uint8Array], OwnedSession> = statement(
  `SELECT ${COLUMNS}, email, role, account.created_at AS account_created_at
    FROM session JOIN account ON account.id = account_id WHERE token_hash = $1`,
  decodeOwnedSession,
);

/**
 * Selects the role of a session's account. Returns no row if the session has expired by the time $2, or was last used before the
 * time $3.
 */
export const selectRoleOfSession: Statement<[id: string, now: number, idleSince: number], Role> = statement(
  `SELECT role FROM session JOIN account ON account.id = account_id
    WHERE session.id = $1 AND expires_at > $2 AND last_seen_at > $3`,
  enumColumn(ROLES)("role"),
);

/**
 * Selects a session's account and expiry. Returns no row if the session has expired by the time $2, or was last used before the
 * time $3.
 */
export const selectLiveSession: Statement<
  [id: string, now: number, idleSince: number],
  { readonly accountId: number; readonly expiresAt: number }
> = statement(
  "SELECT account_id, expires_at FROM session WHERE id = $1 AND expires_at > $2 AND last_seen_at > $3",
  members({ accountId: numberColumn, expiresAt: numberColumn }),
);

/**
 * Selects an account's sessions in both environments, newest first. Leaves out sessions that have expired by the time `$now`, or
 * have not been used since `$idleSince`.
 */
export const selectSessions: Statement<{ accountId: number; now: number; idleSince: number }, Session> =
  statement(
    `SELECT ${COLUMNS} FROM session
    WHERE account_id = $accountId AND expires_at > $now AND last_seen_at > $idleSince
    ORDER BY created_at DESC, id`,
    decodeSession,
  );

/**
 * Selects the time at which each account was last used. Leaves out sessions that have expired by the time $1, or have not been
 * used since the time $2.
 */
export const selectLastSeen: Statement<
  [now: number, idleSince: number],
  { readonly accountId: number; readonly at: number }
> = statement(
  `SELECT account_id, max(last_seen_at) AS at FROM session
    WHERE expires_at > $1 AND last_seen_at > $2 GROUP BY account_id`,
  members({ accountId: numberColumn, at: numberColumn }),
);

export const markSessionSeen: Statement<[id: string, lastSeenAt: number]> = statement(
  "UPDATE session SET last_seen_at = $2 WHERE id = $1",
);

export const removeSession: Statement<[id: string, accountId: number], string> = statement(
  "DELETE FROM session WHERE id = $1 AND account_id = $2 RETURNING id",
  textColumn("id"),
);

/** Ends all sessions of an account, in both environments, except session $2. */
export const removeOtherSessions: Statement<[accountId: number, keptId: string]> = statement(
  "DELETE FROM session WHERE account_id = $1 AND id <> $2",
);

export const pruneSessions: Statement<[until: number]> = statement(
  "DELETE FROM session WHERE expires_at <= $1",
);
