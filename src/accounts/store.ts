import type { Int64 } from "exact-json/int64";
import { ROLES, type Role } from "../contract/operation.ts";
import { enumColumn, numberColumn, optional, textColumn } from "../storage/row.ts";
import { type Row, type Statement, statement } from "../storage/statement.ts";
import { type AuditedStatement, audited } from "./audit/audited.ts";

/** A person, or the operator of this machine, who owns API keys. */
export interface Account {
  readonly id: number;
  readonly email: string;
  /** Whether it has a password, and so can sign in. */
  readonly canSignIn: boolean;
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const COLUMNS = "id, email, password_hash, role, created_at";

function decodeAccount(row: Row): Account {
  return {
    id: numberColumn(row, "id"),
    email: textColumn(row, "email"),
    canSignIn: optional(row, "password_hash", textColumn) !== undefined,
    role: enumColumn(row, "role", ROLES),
    createdAt: numberColumn(row, "created_at"),
  };
}

export const insertAccount: AuditedStatement<
  [email: string, passwordHash: string | null, role: Role, createdAt: number],
  Account
> = audited(
  "account.created",
  statement(
    `INSERT INTO account (email, password_hash, role, created_at) VALUES ($1, $2, $3, $4)
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

/** An account with the hash of its password. */
export interface AccountSecret {
  readonly account: Account;
  /** argon2id in its own notation; undefined when the account cannot sign in. */
  readonly passwordHash: string | undefined;
}

export const selectSecretByEmail: Statement<[email: string], AccountSecret> = statement(
  `SELECT ${COLUMNS} FROM account WHERE email = $1`,
  (row) => ({
    account: decodeAccount(row),
    passwordHash: optional(row, "password_hash", textColumn),
  }),
);

/** Sets a password if the one before it is still the one that was checked; yields the account then. */
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

/** Takes the account's keys and sessions with it. */
export const deleteAccountRow: AuditedStatement<[id: Int64], Account> = audited(
  "account.removed",
  statement(`DELETE FROM account WHERE id = $1 RETURNING ${COLUMNS}`, decodeAccount),
);
