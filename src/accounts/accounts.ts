import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import type { Role } from "../contract/operation.ts";
import { invalidMember, ServiceError } from "../errors.ts";
import type { Query } from "../storage/database.ts";
import { singleRow, textColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import { change } from "./audit/audited.ts";
import {
  type Account,
  deleteAccountRow,
  insertAccount,
  selectAccount,
  selectAccountByEmail,
  updateRole,
} from "./store.ts";

/** Owns the keys made at the command line. It has no password, so that it cannot sign in. */
export const OPERATOR_EMAIL = "operator@localhost";

/**
 * An account that can sign in.
 *
 * @throws ServiceError `not_found`, also for the local operator's
 */
export async function requirePerson(ctx: Context, accountId: Int64): Promise<Account> {
  const [account] = await ctx.query(selectAccount, [accountId]);
  if (account?.canSignIn) return account;
  throw new ServiceError("not_found", "There is no such account.");
}

/**
 * The account with this address; without one, the local operator's, which is made on first use.
 *
 * @throws ServiceError `not_found`
 */
export async function requireAccount(ctx: Context, email: string = OPERATOR_EMAIL): Promise<Account> {
  if (email === OPERATOR_EMAIL)
    await change(ctx, insertAccount, [email, null, "owner", ctx.now], () => ({ subject: email }));
  const accounts = await ctx.query(selectAccountByEmail, [email]);
  if (accounts.length === 0) throw new ServiceError("not_found", `There is no account ${email}.`);
  return singleRow(accounts);
}

const writeGuard: Statement<[]> = statement(
  "INSERT INTO setting (name, value) VALUES ('owners', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value",
);

/** Two accounts that can sign in, owners before others. */
const selectPeople: Statement<[], string> = statement(
  "SELECT role FROM account WHERE password_hash IS NOT NULL ORDER BY role = 'owner' DESC LIMIT 2",
  textColumn("role"),
);

/**
 * Makes transactions that make or unmake owners run one after the other. Called before what they depend on is read: where
 * they may run at once, the second meets a conflict on this row, and runs again.
 */
async function guardOwners(query: Query): Promise<void> {
  await query(writeGuard, []);
}

/** Whether an account that can sign in is there; then one of them is an owner's. */
export async function hasPeople(query: Query): Promise<boolean> {
  return (await query(selectPeople, [])).length > 0;
}

/** @throws ServiceError `forbidden` where one owner alone is left */
async function requireSecondOwner(query: Query, email: string): Promise<void> {
  if ((await query(selectPeople, []))[1] === "owner") return;
  throw new ServiceError("forbidden", `${email} is the last owner. Make another account an owner first.`);
}

interface NewAccount {
  /** As `normalizeEmail` returns it. */
  readonly email: string;
  /** Hashed before: that takes too long for a transaction. */
  readonly passwordHash: string;
  /** The first account is an owner's in any case. */
  readonly role: Role;
}

/**
 * Makes an account inside a transaction.
 *
 * @throws ServiceError `invalid_body` when the address has an account already
 */
export async function createAccount(
  ctx: Context,
  { email, passwordHash, role }: NewAccount,
): Promise<Account> {
  if (email === OPERATOR_EMAIL) throw invalidMember("email", "is the local operator's own");
  await guardOwners(ctx.query);
  const given = (await hasPeople(ctx.query)) ? role : "owner";
  const [account] = await change(ctx, insertAccount, [email, passwordHash, given, ctx.now], () => ({
    subject: email,
    detail: given,
    ...(ctx.actor.kind === "anonymous" && { person: email }),
  }));
  if (account === undefined) throw invalidMember("email", "has an account already");
  return account;
}

interface NewRole {
  readonly accountId: Int64;
  readonly role: Role;
}

/**
 * Gives an account another role, which counts for its sessions and keys at once.
 *
 * @throws ServiceError `not_found`; `forbidden` for the last owner
 */
export async function setRole(ctx: Context, { accountId, role }: NewRole): Promise<Account> {
  await guardOwners(ctx.query);
  const before = await requirePerson(ctx, accountId);
  if (before.role === role) return before;
  if (before.role === "owner") await requireSecondOwner(ctx.query, before.email);
  return singleRow(
    await change(ctx, updateRole, [accountId, role], ({ email }) => ({
      subject: email,
      detail: `${before.role} → ${role}`,
    })),
  );
}

/**
 * Removes an account, with its keys and sessions in both environments. What was done with them stays.
 *
 * @throws ServiceError `not_found`; `forbidden` for the last owner
 */
export async function removeAccount(
  ctx: Context,
  { accountId }: { readonly accountId: Int64 },
): Promise<undefined> {
  await guardOwners(ctx.query);
  const { email, role } = await requirePerson(ctx, accountId);
  if (role === "owner") await requireSecondOwner(ctx.query, email);
  await change(ctx, deleteAccountRow, [accountId], () => ({ subject: email, detail: role }));
}
