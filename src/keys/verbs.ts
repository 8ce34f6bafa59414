import { runAudited } from "../accounts/audit/audit.ts";
import type { Context, Environment } from "../context.ts";
import type { AccessLevel, Role } from "../contract/operation.ts";
import { invalidMember, ServiceError } from "../errors.ts";
import { HOUR_MS, OVERLAP_DEFAULT_HOURS, OVERLAP_MAX_HOURS } from "../limits.ts";
import { formatTime } from "../platform/clock.ts";
import { randomBase62 } from "../platform/random.ts";
import { singleRow } from "../storage/row.ts";
import type { Key, KeyView } from "./contract.ts";
import {
  type ApiKey,
  insertKey,
  insertReplacement,
  lockKeyOwner,
  markKeyReplaced,
  markKeyRevoked,
  selectKey,
  selectKeys,
  selectKeysOfAccount,
} from "./store.ts";
import { createToken, hashToken, redactToken } from "./token.ts";

export interface KeyFilter {
  readonly accountId?: number | undefined;
  readonly environment?: Environment | undefined;
}

/** Returns all API keys that match a filter, including revoked and expired ones, newest first. */
export async function listKeys(ctx: Context, filter: KeyFilter): Promise<readonly ApiKey[]> {
  const { accountId } = filter;
  const keys = await (accountId === undefined
    ? ctx.query(selectKeys, [])
    : ctx.query(selectKeysOfAccount, [accountId]));
  return keys.filter((key) => isWithin(key, filter));
}

/** Returns the key with this identifier. @throws ServiceError `not_found`, even for a key of another account */
export async function requireKey({ query }: Context, keyId: string, within: KeyFilter): Promise<ApiKey> {
  const [key] = await query(selectKey, [keyId]);
  if (key !== undefined && isWithin(key, within)) return key;
  throw new ServiceError("not_found", `There is no key ${keyId}.`);
}

function isWithin(key: ApiKey, { accountId, environment }: KeyFilter): boolean {
  return [undefined, key.accountId].includes(accountId) && [undefined, key.environment].includes(environment);
}

/** Returns the API key that authenticated this request. */
export function getKey({ actor }: Context): Key {
  if (actor.kind !== "key") throw new TypeError("This request was not authenticated with an API key.");
  const { keyId, keyName, environment, access, role, createdAt, expiresAt } = actor;
  return {
    id: keyId,
    name: keyName,
    environment,
    access: role === "viewer" ? "read" : access,
    role,
    createdAt: formatTime(createdAt),
    ...(expiresAt !== undefined && { expiresAt: formatTime(expiresAt) }),
  };
}

const KEY_NAME_LENGTH_MAX = 100; // maximum length of an API key's name, in characters; a longer name is refused

export interface NewKey {
  readonly accountId: number;
  readonly environment: Environment;
  readonly name: string;
  readonly access: AccessLevel;
  /** Time at which the key expires, in milliseconds since 1970; undefined if it never expires. */
  readonly expiresAt?: number | undefined;
}

/** A new key. `token` is the key itself, which is shown only once. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly token: string;
}

const ID_LENGTH = 16;

/**
 * Creates an API key.
 *
 * @throws ServiceError `not_found` if the account does not exist; `forbidden` if a viewer's key would have write access; `conflict`
 *   if the account has too many keys; `invalid_body` for an invalid name or expiry
 */
export async function createKey(ctx: Context, input: NewKey): Promise<IssuedKey> {
  if (input.name === "" || input.name.length > KEY_NAME_LENGTH_MAX || /\p{Cc}/u.test(input.name)) {
    const detail = `must have 1 to ${KEY_NAME_LENGTH_MAX} characters, without control characters`;
    throw invalidMember("name", detail);
  }
  if (input.expiresAt !== undefined && input.expiresAt <= ctx.now) {
    throw invalidMember("expiresAt", "must be in the future");
  }
  const { token, ...secret } = newKeySecret(ctx, input.environment);
  const { accountId, environment, name, access, expiresAt = null } = input;
  const role = await requireRoom(ctx, accountId);
  if (role === "viewer" && access !== "read")
    throw new ServiceError(
      "forbidden",
      "This account has the role viewer, so its keys can only read. Create a key with read access.",
    );
  await runAudited(
    ctx,
    insertKey,
    { ...secret, accountId, environment, name, access, createdAt: ctx.now, expiresAt },
    (id) => ({ subject: id, detail: `${access}, ${name}` }),
  );
  return { key: singleRow(await ctx.query(selectKey, [secret.id])), token };
}

function newKeySecret({ randomBytes }: Context, environment: Environment) {
  const token = createToken(environment, randomBytes);
  const id = `key_${randomBase62(randomBytes, ID_LENGTH)}`;
  return { id, token, tokenHash: hashToken(token), redacted: redactToken(token) };
}

const VALID_KEYS_MAX = 100; // maximum number of valid keys per account; further keys are refused

/**
 * Refuses to create another key if the account already has the maximum number of valid keys.
 *
 * @returns the account's role
 * @throws ServiceError `not_found`, `conflict`
 */
async function requireRoom({ query, now }: Context, accountId: number): Promise<Role> {
  const [owner] = await query(lockKeyOwner, [accountId, now]);
  if (owner === undefined) throw new ServiceError("not_found", "The account no longer exists.");
  if (owner.validKeys < VALID_KEYS_MAX) return owner.role;
  const has = `${owner.email} already has ${VALID_KEYS_MAX} valid keys, the maximum for an account.`;
  throw new ServiceError("conflict", `${has} Revoke a key that is no longer used.`);
}

interface KeyToRotate {
  readonly key: ApiKey;
  /** Number of hours that the old key stays valid, unless it expires earlier. */
  readonly overlapHours?: number | undefined;
}

/** The latest possible expiry of a key, in milliseconds since 1970. RFC 3339 cannot express years after 9999. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Replaces a key with a new key that has the same name, account, access and lifetime. The new key's lifetime starts now. `token`
 * is the new key itself, which is shown only once.
 *
 * @throws ServiceError `invalid_body` if the overlap is out of range; `conflict` if the key is revoked, expired or already
 *   rotated, or if the account would have too many valid keys during the overlap
 */
export async function rotateKey(ctx: Context, input: KeyToRotate): Promise<IssuedKey> {
  const { key: old, overlapHours = OVERLAP_DEFAULT_HOURS } = input;
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_MAX_HOURS)
    throw invalidMember("overlapHours", `must be an integer from 0 to ${OVERLAP_MAX_HOURS}`);
  const { now } = ctx;
  const { token, ...secret } = newKeySecret(ctx, old.environment);
  const { id } = secret;
  const until = now + overlapHours * HOUR_MS;
  // If two rotations run at the same time, only one of them finds the key without a successor.
  const replaced = await runAudited(ctx, markKeyReplaced, { id: old.id, replacedBy: id, now, until }, () => ({
    subject: old.id,
    detail: `${old.email}, ${old.name}, by ${id}, overlap ${overlapHours} h`,
  }));
  if (replaced.length === 0) throw notRotatedError(old);
  await requireRoom(ctx, old.accountId);
  const expiresAt =
    old.expiresAt === undefined ? null : Math.min(now + old.expiresAt - old.createdAt, LAST_TIME);
  await runAudited(
    ctx,
    insertReplacement,
    { ...secret, replacedId: old.id, createdAt: now, expiresAt },
    () => ({
      subject: id,
      detail: `${old.access}, ${old.name}`,
    }),
  );
  return { key: singleRow(await ctx.query(selectKey, [id])), token };
}

function notRotatedError({ id, revokedAt, replacedBy }: ApiKey): ServiceError {
  const why =
    revokedAt !== undefined
      ? "is revoked"
      : replacedBy !== undefined
        ? `has already been replaced by ${replacedBy}`
        : "has expired";
  return new ServiceError("conflict", `${id} ${why}. Create a new key instead.`);
}

interface KeyToRevoke {
  readonly keyId: string;
  /** The environment and account that the key must belong to. If left out, any key can be revoked, which only an owner may do. */
  readonly within?: KeyFilter;
}

/** Revokes a key permanently. @throws ServiceError `not_found`, even for a key of another account */
export async function revokeKey(ctx: Context, { keyId, within = {} }: KeyToRevoke): Promise<ApiKey> {
  const key = await requireKey(ctx, keyId, within);
  await runAudited(ctx, markKeyRevoked, [keyId, ctx.now], () => ({
    subject: keyId,
    detail: `${key.email}, ${key.name}`,
  }));
  return singleRow(await ctx.query(selectKey, [keyId]));
}

export function viewOfKey(key: ApiKey): KeyView {
  const time = (at: number | undefined) => (at === undefined ? null : formatTime(at));
  return {
    id: key.id,
    access: key.access,
    name: key.name,
    account: key.email,
    createdAt: formatTime(key.createdAt),
    expiresAt: time(key.expiresAt),
    lastUsedAt: time(key.lastUsedAt),
    revokedAt: time(key.revokedAt),
    redacted: key.redacted,
    replacedBy: key.replacedBy ?? null,
  };
}
