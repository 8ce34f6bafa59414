import type { Int64 } from "exact-json/int64";
import { type Context, inTransaction } from "../context.ts";
import type { Input, Role } from "../contract/operation.ts";
import { invalidMember, ServiceError } from "../errors.ts";
import { systemClock } from "../platform/clock.ts";
import { systemRandomBytes } from "../platform/random.ts";
import type { Database, Query } from "../storage/database.ts";
import { singleRow, textColumn } from "../storage/row.ts";
import { writeSetting } from "../storage/setting.ts";
import { type Statement, statement } from "../storage/statement.ts";
import { runAudited } from "./audit/audit.ts";
import type { accountOperations } from "./contract.ts";
import { endOwnerLinks } from "./invitations/store.ts";
import { notifyOwners, notifyPerson } from "./mail/notices.ts";
import { type PasswordCheck, requireGoodPassword, requireOwnPassword, wrongPassword } from "./passwords.ts";
import { removeOtherSessions } from "./sessions/session-store.ts";
import { requireSession } from "./sessions/sessions.ts";
import {
  type Account,
  deleteAccountRow,
  insertAccount,
  replacePassword,
  selectAccount,
  selectAccountByEmail,
  updateRole,
} from "./store.ts";

/**
 * Email address of the local operator's account. This account owns the API keys that are created at the command line. Nobody can
 * sign in to it.
 */
export const OPERATOR_EMAIL = "operator@localhost";

/**
 * Returns the account of the person with this identifier.
 *
 * @throws ServiceError `not_found`, even for the local operator's account, because nobody can sign in to it
 */
export async function requirePerson(ctx: Context, accountId: Int64): Promise<Account> {
  const [account] = await ctx.query(selectAccount, [accountId]);
  if (account?.canSignIn) return account;
  throw new ServiceError("not_found", "There is no such account.");
}

/**
 * Returns the account with this email address. If no address is given, returns the local operator's account, and creates it if it
 * does not exist yet.
 *
 * @throws ServiceError `not_found`
 */
export async function requireAccount(ctx: Context, email: string = OPERATOR_EMAIL): Promise<Account> {
  if (email === OPERATOR_EMAIL)
    await runAudited(
      ctx,
      insertAccount,
      { email, passwordHash: null, role: "owner", createdAt: ctx.now },
      () => ({
        subject: email,
      }),
    );
  const accounts = await ctx.query(selectAccountByEmail, [email]);
  if (accounts.length === 0) throw new ServiceError("not_found", `There is no account ${email}.`);
  return singleRow(accounts);
}

/** Selects the roles of at most two people who can sign in, owners first. Two rows show whether there is a second owner. */
const selectPeople: Statement<[], string> = statement(
  "SELECT role FROM account WHERE password_hash IS NOT NULL ORDER BY role = 'owner' DESC LIMIT 2",
  textColumn("role"),
);

/**
 * Serializes the transactions that may change who is an owner. If two of them run at the same time, the database makes one of
 * them retry. Each such transaction must call this function before its first read.
 */
export async function guardOwners(query: Query): Promise<void> {
  await query(writeSetting, ["owners", ""]);
}

/** Returns true if at least one person can sign in to the store. In that case, at least one of these people is an owner. */
export async function hasPeople(query: Query): Promise<boolean> {
  return (await query(selectPeople, [])).length > 0;
}

/**
 * Returns true if no account can sign in yet. Until the caller's transaction ends, no other transaction can create the first
 * account.
 */
export async function lacksOwner(query: Query): Promise<boolean> {
  await guardOwners(query);
  return !(await hasPeople(query));
}

/** Checks that the store has a second owner, because the last owner must not be removed. @throws ServiceError `conflict` */
async function requireSecondOwner(query: Query, email: string) {
  if ((await query(selectPeople, []))[1] === "owner") return;
  throw new ServiceError("conflict", `${email} is the last owner. Make another account an owner first.`);
}

export interface NewAccount {
  readonly email: string;
  /** The hash of the password. The caller computes it before the transaction begins, because hashing is slow. */
  readonly passwordHash: string;
  /** The role of the new account. It is ignored for the first account, which always becomes an owner. */
  readonly role: Role;
}

/**
 * Creates an account. The first account becomes an owner, and its creation cancels all links that were created for the first owner.
 *
 * @throws ServiceError `invalid_body` if the address already has an account
 */
export async function createAccount(
  ctx: Context,
  { email, passwordHash, role }: NewAccount,
): Promise<Account> {
  if (email === OPERATOR_EMAIL) throw invalidMember("email", "is reserved for the local operator");
  const isFirst = await lacksOwner(ctx.query);
  const given = isFirst ? "owner" : role;
  const texts = (subject: string) => ({
    subject,
    detail: given,
    ...(ctx.actor.kind === "anonymous" && { person: email }),
  });
  const row = { email, passwordHash, role: given, createdAt: ctx.now };
  const [account] = await runAudited(ctx, insertAccount, row, () => texts(email));
  if (account === undefined) throw invalidMember("email", "already belongs to an account");
  if (isFirst) await runAudited(ctx, endOwnerLinks, [], ({ id }) => texts(id));
  else if (given === "owner") await notifyOwners(ctx, email);
  return account;
}

interface NewRole {
  readonly accountId: Int64;
  readonly role: Role;
}

/**
 * Changes an account's role, with immediate effect on its sessions and keys.
 *
 * @throws ServiceError `not_found`; `conflict` for the last owner
 */
export async function setRole(ctx: Context, { accountId, role }: NewRole): Promise<Account> {
  await guardOwners(ctx.query);
  const before = await requirePerson(ctx, accountId);
  if (before.role === role) return before;
  if (before.role === "owner") await requireSecondOwner(ctx.query, before.email);
  const changed = singleRow(
    await runAudited(ctx, updateRole, [accountId, role], ({ email }) => ({
      subject: email,
      detail: `${before.role} → ${role}`,
    })),
  );
  if (role === "owner") await notifyOwners(ctx, changed.email);
  return changed;
}

/**
 * Removes an account, and its keys and sessions in both environments. Changes that were made with these keys and sessions remain.
 *
 * @throws ServiceError `not_found`; `conflict` for the last owner
 */
export async function removeAccount(
  ctx: Context,
  { accountId }: { readonly accountId: Int64 },
): Promise<undefined> {
  await guardOwners(ctx.query);
  const { email, role } = await requirePerson(ctx, accountId);
  if (role === "owner") await requireSecondOwner(ctx.query, email);
  await runAudited(ctx, deleteAccountRow, [accountId], () => ({ subject: email, detail: role }));
}

/** Runs a callback as the local operator, in one transaction of the accounts database. */
export function asOperator<Result>(
  accounts: Database,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const actor = { kind: "operator" } as const;
  return accounts.write((query) =>
    work({ query, actor, now: systemClock.now(), randomBytes: systemRandomBytes }),
  );
}

/**
 * Sets a new password and ends all other sessions, in both environments.
 *
 * @throws ServiceError (when the returned function is called) `invalid_body`, `rate_limited`, `unavailable`
 */
export function createChangePassword(check: PasswordCheck) {
  return async function changePassword(
    ctx: Context,
    { body }: Input<typeof accountOperations.changePassword>,
  ): Promise<undefined> {
    const browser = requireSession(ctx);
    const { email, accountId, sessionId } = browser;
    await requireGoodPassword(body.newPassword, email, "newPassword");
    const oldHash = await requireOwnPassword(check, ctx, browser, body.currentPassword, "currentPassword");
    const hash = await check.passwords.hash(body.newPassword);
    await inTransaction(ctx, async (inside) => {
      const changed = await runAudited(inside, replacePassword, [accountId, oldHash, hash], () => ({
        subject: email,
      }));
      if (changed.length === 0) throw wrongPassword("currentPassword");
      await notifyPerson(inside, "password-changed", email);
      await inside.query(removeOtherSessions, [accountId, sessionId]);
    });
  };
}

/**
 * Deletes the actor's own account with its keys and sessions, after checking the password.
 *
 * @throws ServiceError (when the returned function is called) `invalid_body` for a wrong password; `conflict` for the last owner;
 *   `rate_limited`, `unavailable`
 */
export function createDeleteAccount(check: PasswordCheck) {
  return async function deleteAccount(
    ctx: Context,
    { body }: Input<typeof accountOperations.deleteAccount>,
  ): Promise<undefined> {
    const browser = requireSession(ctx);
    await requireOwnPassword(check, ctx, browser, body.password);
    await inTransaction(ctx, (inside) => removeAccount(inside, browser));
  };
}
