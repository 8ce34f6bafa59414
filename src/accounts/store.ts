import type { Int64 } from "exact-json/int64";
import { ROLES, type Role } from "../contract/operation.ts";
import { enumColumn, members, numberColumn, optional, textColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import { type AuditedStatement, audited } from "./audit/audit.ts";

const COLUMNS = "id, email, password_hash, role, created_at";

/**
 * Decodes an account, which belongs to a person or to the local operator. The operator's account owns the keys that are created
 * at the command line.
 */
const decodeAccount = members({
  id: numberColumn,
  email: textColumn,
  canSignIn: () => (row) => row["password_hash"] !== null,
  role: enumColumn(ROLES),
  /** Time of the account's creation, in milliseconds since 1970. */
  createdAt: numberColumn,
});
export type Account = ReturnType<typeof decodeAccount>;

export const insertAccount: AuditedStatement<
  { email: string; passwordHash: string | null; role: Role; createdAt: number },
  Account
> = audited(
  "account.created",
  statement(
    `INSERT INTO account (email, password_hash, role, created_at) VALUES ($email, $passwordHash, $role, $createdAt)
      ON CONFLICT (email) DO NOTHING RETURNING ${COLUMNS}`,
    decodeAccount,
  ),
);

export const selectAccounts: Statement<[], Account> = statement(
  `SELECT ${COLUMNS} FROM account ORDER BY id DESC`,
  decodeAccount,
);

export const selectAccount: Statement<[id: Int64], Account> = statement(
  `SELECT ${COLUMNS} FROM account WHERE id = $1`,
  decodeAccount,
);

export const selectAccountByEmail: Statement<[email: string], Account> = statement(
  `SELECT ${COLUMNS} FROM account WHERE email = $1`,
  decodeAccount,
);

const decodeSecret = members({
  account: () => decodeAccount,
  /** The password hash in argon2id's own notation; undefined for an account that cannot sign in. */
  passwordHash: optional(textColumn),
});
export type AccountSecret = ReturnType<typeof decodeSecret>;

export const selectSecretByEmail: Statement<[email: string], AccountSecret> = statement(
  `SELECT ${COLUMNS} FROM account WHERE email = $1`,
  decodeSecret,
);

export const selectSecret: Statement<[id: number], AccountSecret> = statement(
  `SELECT ${COLUMNS} FROM account WHERE id = $1`,
  decodeSecret,
);

/** Sets a new password and returns the account. Returns no row if somebody has changed the password since it was checked. */
export const replacePassword: AuditedStatement<[id: number, oldHash: string, newHash: string], Account> =
  audited(
    "account.password-changed",
    statement(
      `UPDATE account SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING ${COLUMNS}`,
      decodeAccount,
    ),
  );

export const setPassword: AuditedStatement<[id: number, passwordHash: string], Account> = audited(
  "account.password-reset",
  statement(`UPDATE account SET password_hash = $2 WHERE id = $1 RETURNING ${COLUMNS}`, decodeAccount),
);

export const updateRole: AuditedStatement<[id: Int64, role: Role], Account> = audited(
  "account.role-changed",
  statement(`UPDATE account SET role = $2 WHERE id = $1 RETURNING ${COLUMNS}`, decodeAccount),
);

/** Deletes an account with its keys and sessions. */
export const deleteAccountRow: AuditedStatement<[id: Int64], Account> = audited(
  "account.removed",
  statement(`DELETE FROM account WHERE id = $1 RETURNING ${COLUMNS}`, decodeAccount),
);
