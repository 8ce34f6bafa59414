import { numberColumn } from "../../storage/row.ts";
import { noRows, type Statement, statement } from "../../storage/statement.ts";

/** How often something was tried lately, and when last: milliseconds since 1970. */
export interface AttemptCount {
  readonly attempts: number;
  readonly lastAt: number;
}

export const selectAttempts: Statement<[subject: string], AttemptCount> = statement(
  "SELECT attempts, last_at FROM attempt_count WHERE subject = $1",
  (row) => ({ attempts: numberColumn(row, "attempts"), lastAt: numberColumn(row, "last_at") }),
);

export const putAttempts: Statement<[subject: string, attempts: number, lastAt: number], undefined> =
  statement(
    `INSERT INTO attempt_count (subject, attempts, last_at) VALUES ($1, $2, $3)
    ON CONFLICT (subject) DO UPDATE SET attempts = excluded.attempts, last_at = excluded.last_at`,
    noRows,
  );

/** Takes $2 attempts off a count. */
export const giveBackAttempts: Statement<[subject: string, attempts: number], undefined> = statement(
  "UPDATE attempt_count SET attempts = CASE WHEN attempts > $2 THEN attempts - $2 ELSE 0 END WHERE subject = $1",
  noRows,
);

export const removeAttempts: Statement<[subject: string], undefined> = statement(
  "DELETE FROM attempt_count WHERE subject = $1",
  noRows,
);

export const pruneAttempts: Statement<[until: number], undefined> = statement(
  "DELETE FROM attempt_count WHERE last_at <= $1",
  noRows,
);

export const putKnownAddress: Statement<[accountId: number, addressHash: string, lastAt: number], undefined> =
  statement(
    `INSERT INTO known_address (account_id, address_hash, last_at) SELECT id, $2, $3 FROM account WHERE id = $1
    ON CONFLICT (account_id, address_hash) DO UPDATE SET last_at = excluded.last_at`,
    noRows,
  );

export const selectKnownAddress: Statement<[accountId: number, addressHash: string, after: number], number> =
  statement(
    "SELECT last_at FROM known_address WHERE account_id = $1 AND address_hash = $2 AND last_at > $3",
    (row) => numberColumn(row, "last_at"),
  );

export const pruneKnownAddresses: Statement<[until: number], undefined> = statement(
  "DELETE FROM known_address WHERE last_at <= $1",
  noRows,
);
