import { members, numberColumn } from "../../storage/row.ts";
import { type Statement, statement } from "../../storage/statement.ts";

/** The number of recent sign-in attempts, and the time of the last one in milliseconds since 1970. */
export interface AttemptCount {
  readonly attempts: number;
  readonly lastAt: number;
}

export const selectAttempts: Statement<[subject: string], AttemptCount> = statement(
  "SELECT attempts, last_at FROM attempt_count WHERE subject = $1",
  members({ attempts: numberColumn, lastAt: numberColumn }),
);

export const putAttempts: Statement<{ subject: string; attempts: number; lastAt: number }> = statement(
  `INSERT INTO attempt_count (subject, attempts, last_at) VALUES ($subject, $attempts, $lastAt)
    ON CONFLICT (subject) DO UPDATE SET attempts = excluded.attempts, last_at = excluded.last_at`,
);

export const giveBackAttempts: Statement<[subject: string, attempts: number]> = statement(
  "UPDATE attempt_count SET attempts = CASE WHEN attempts > $2 THEN attempts - $2 ELSE 0 END WHERE subject = $1",
);

export const removeAttempts: Statement<[subject: string]> = statement(
  "DELETE FROM attempt_count WHERE subject = $1",
);

export const pruneAttempts: Statement<[until: number]> = statement(
  "DELETE FROM attempt_count WHERE last_at <= $1 AND account_id IS NULL",
);

/** Records that the account's owner has signed in from an address. The record is deleted with the account. */
export const putKnownAddress: Statement<{ subject: string; accountId: number; lastAt: number }> = statement(
  `INSERT INTO attempt_count (subject, account_id, attempts, last_at) SELECT $subject, id, 0, $lastAt FROM account WHERE id = $accountId
    ON CONFLICT (subject) DO UPDATE SET last_at = excluded.last_at`,
);

export const pruneKnownAddresses: Statement<[until: number]> = statement(
  "DELETE FROM attempt_count WHERE last_at <= $1 AND account_id IS NOT NULL",
);
