import { noRows, type Statement } from "../storage/database.ts";
import { numberColumn } from "../storage/row.ts";

/** How often something was tried lately, and when last: milliseconds since 1970. */
export interface AttemptCount {
  readonly attempts: number;
  readonly lastAt: number;
}

export const selectAttempts: Statement<AttemptCount> = {
  sql: "SELECT attempts, last_at FROM attempt_count WHERE subject = $1",
  decode: (row) => ({ attempts: numberColumn(row, "attempts"), lastAt: numberColumn(row, "last_at") }),
};

export const putAttempts: Statement<undefined> = {
  sql: `INSERT INTO attempt_count (subject, attempts, last_at) VALUES ($1, $2, $3)
    ON CONFLICT (subject) DO UPDATE SET attempts = excluded.attempts, last_at = excluded.last_at`,
  decode: noRows,
};

/** Takes $2 attempts off a count. */
export const giveBackAttempts: Statement<undefined> = {
  sql: "UPDATE attempt_count SET attempts = CASE WHEN attempts > $2 THEN attempts - $2 ELSE 0 END WHERE subject = $1",
  decode: noRows,
};

export const removeAttempts: Statement<undefined> = {
  sql: "DELETE FROM attempt_count WHERE subject = $1",
  decode: noRows,
};

export const pruneAttempts: Statement<undefined> = {
  sql: "DELETE FROM attempt_count WHERE last_at <= $1",
  decode: noRows,
};

export const putKnownAddress: Statement<undefined> = {
  sql: `INSERT INTO known_address (account_id, address_hash, last_at) SELECT id, $2, $3 FROM account WHERE id = $1
    ON CONFLICT (account_id, address_hash) DO UPDATE SET last_at = excluded.last_at`,
  decode: noRows,
};

export const selectKnownAddress: Statement<number> = {
  sql: "SELECT last_at FROM known_address WHERE account_id = $1 AND address_hash = $2 AND last_at > $3",
  decode: (row) => numberColumn(row, "last_at"),
};

export const pruneKnownAddresses: Statement<undefined> = {
  sql: "DELETE FROM known_address WHERE last_at <= $1",
  decode: noRows,
};
