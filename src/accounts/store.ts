import { noRows, type Row, type Statement, statement } from "../storage/database.ts";
import { numberColumn, optional, textColumn } from "../storage/row.ts";

/** A person, or the operator of this machine, who owns API keys. */
export interface Account {
  readonly id: number;
  readonly email: string;
  /** Whether it has a password, and so can sign in. */
  readonly canSignIn: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const COLUMNS = "id, email, password_hash, created_at";

function decodeAccount(row: Row): Account {
  return {
    id: numberColumn(row, "id"),
    email: textColumn(row, "email"),
    canSignIn: optional(row, "password_hash", textColumn) !== undefined,
    createdAt: numberColumn(row, "created_at"),
  };
}

export const insertAccount: Statement<
  [email: string, passwordHash: string | null, createdAt: number],
  Account
> = statement(
  `INSERT INTO account (email, password_hash, created_at) VALUES ($1, $2, $3)
    ON CONFLICT (email) DO NOTHING RETURNING ${COLUMNS}`,
  decodeAccount,
);

export const selectAccounts: Statement<[], Account> = statement(
  `SELECT ${COLUMNS} FROM account ORDER BY id DESC`,
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
export const replacePassword: Statement<[id: number, oldHash: string, newHash: string], Account> = statement(
  `UPDATE account SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING ${COLUMNS}`,
  decodeAccount,
);

export const setPassword: Statement<[id: number, passwordHash: string], Account> = statement(
  `UPDATE account SET password_hash = $2 WHERE id = $1 RETURNING ${COLUMNS}`,
  decodeAccount,
);

/** Takes the account's keys and sessions with it. */
export const removeAccount: Statement<[id: number], undefined> = statement(
  "DELETE FROM account WHERE id = $1",
  noRows,
);
