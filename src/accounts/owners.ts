import { ServiceError } from "../errors.ts";
import type { Query } from "../storage/database.ts";
import { textColumn } from "../storage/row.ts";
import { noRows, type Statement, statement } from "../storage/statement.ts";

const writeGuard: Statement<[], undefined> = statement(
  "INSERT INTO setting (name, value) VALUES ('owners', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  noRows,
);

/** Two accounts that can sign in, owners before others. */
const selectPeople: Statement<[], string> = statement(
  "SELECT role FROM account WHERE password_hash IS NOT NULL ORDER BY role = 'owner' DESC LIMIT 2",
  (row) => textColumn(row, "role"),
);

/**
 * Makes transactions that make or unmake owners run one after the other. Called before what they depend on is read: where
 * they may run at once, the second meets a conflict on this row, and runs again.
 */
export async function guardOwners(query: Query): Promise<void> {
  await query(writeGuard, []);
}

/** Whether an account that can sign in is there; then one of them is an owner's. */
export async function hasPeople(query: Query): Promise<boolean> {
  return (await query(selectPeople, [])).length > 0;
}

/** @throws ServiceError `forbidden` where one owner alone is left */
export async function requireSecondOwner(query: Query, email: string): Promise<void> {
  if ((await query(selectPeople, []))[1] === "owner") return;
  throw new ServiceError("forbidden", `${email} is the last owner. Make another account an owner first.`);
}
