import { change } from "../accounts/audit/audited.ts";
import type { Context } from "../context.ts";
import { invalidMember, ServiceError } from "../errors.ts";
import { HOUR_MS, OVERLAP_DEFAULT_HOURS, OVERLAP_MAX_HOURS } from "../limits.ts";
import { singleRow } from "../storage/row.ts";
import { type IssuedKey, newKeySecret } from "./create-key.ts";
import { type ApiKey, insertReplacement, markKeyReplaced, selectKey } from "./store.ts";

interface KeyToRotate {
  readonly key: ApiKey;
  /** Hours in which the old key goes on, unless it expires before. */
  readonly overlapHours?: number | undefined;
}

/** RFC 3339 has no year behind it. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Replaces a key by one with its name, account, access and lifetime, counted from now. `token` is the new key itself, and is
 * shown this once.
 *
 * @throws ServiceError `invalid_body` for an overlap out of range; `forbidden` for a key that is revoked, expired
 *   or rotated already
 */
export async function rotateKey(ctx: Context, input: KeyToRotate): Promise<IssuedKey> {
  const { key: old, overlapHours = OVERLAP_DEFAULT_HOURS } = input;
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_MAX_HOURS)
    throw invalidMember("overlapHours", `must be an integer from 0 to ${OVERLAP_MAX_HOURS}`);
  const { now } = ctx;
  const { id, token, hash, redacted } = newKeySecret(ctx, old.environment);
  const until = now + overlapHours * HOUR_MS;
  // The first statement decides between two rotations at once: only one of them finds the key without a replacement.
  const replaced = await change(ctx, markKeyReplaced, [old.id, id, now, until], () => ({
    subject: old.id,
    detail: `${old.email}, ${old.name}, by ${id}, overlap ${overlapHours} h`,
  }));
  if (replaced.length === 0) throw refusalFor(old);
  const expiresAt =
    old.expiresAt === undefined ? null : Math.min(now + old.expiresAt - old.createdAt, LAST_TIME);
  await change(ctx, insertReplacement, [id, old.id, hash, redacted, now, expiresAt], () => ({
    subject: id,
    detail: `${old.access}, ${old.name}`,
  }));
  return { key: singleRow(await ctx.query(selectKey, [id])), token };
}

function refusalFor({ id, revokedAt, replacedBy }: ApiKey): ServiceError {
  const why =
    revokedAt !== undefined
      ? "is revoked"
      : replacedBy !== undefined
        ? `is rotated already: ${replacedBy} has replaced it`
        : "has expired";
  return new ServiceError("forbidden", `${id} ${why}. Create a new key instead.`);
}
