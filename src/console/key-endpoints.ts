import { requireSession } from "../accounts/sessions/sessions.ts";
import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { endpoints } from "../http/endpoint.ts";
import { keyOperations, type MadeKey } from "../keys/contract.ts";
import { listKeyRefusals, listKeyRequests } from "../keys/key-activity.ts";
import {
  createKey,
  type KeyFilter,
  listKeys,
  type NewKey,
  requireKey,
  revokeKey,
  rotateKey,
  viewOfKey,
} from "../keys/verbs.ts";
import { formatTime } from "../platform/clock.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Query } from "../storage/database.ts";

const ONE_HOUR_KEY_LIFE_MS = 3_600_000; // lifetime of the read-only key that the API reference page creates for a signed-in person

/**
 * Creates the endpoints for the API keys of the session's environment. People can manage only the keys of their own account; an
 * owner can manage everybody's keys.
 */
export function keyEndpoints(flushActivity: () => Promise<void>) {
  return endpoints(keyOperations, {
    async listKeys(ctx) {
      await flushActivity();
      return (await listKeys(ctx, requireSession(ctx))).map(viewOfKey);
    },
    async listAllKeys(ctx) {
      await flushActivity();
      const { environment } = requireSession(ctx);
      return (await listKeys(ctx, { environment })).map(viewOfKey);
    },
    createKey(ctx, { body: { name, access = "read-write", expiresAt: end } }) {
      return createOwnKey(ctx, { name, access, expiresAt: end ? Date.parse(end) : undefined });
    },
    createOneHourKey(ctx) {
      const expiresAt = ctx.now + ONE_HOUR_KEY_LIFE_MS;
      return createOwnKey(ctx, { name: "API reference, one hour", access: "read", expiresAt });
    },
    async revokeKey(ctx, { keyId }) {
      await revokeKey(ctx, { keyId, within: keysWithinReach(ctx) });
    },
    rotateKey: rotateFromConsole,
    listRefusals: listFrom(flushActivity, listKeyRefusals),
    listRequests: listFrom(flushActivity, listKeyRequests),
  });
}

async function createOwnKey(ctx: Context, made: Omit<NewKey, "accountId" | "environment">): Promise<MadeKey> {
  const { accountId, environment } = requireSession(ctx);
  const { key, token } = await createKey(ctx, { accountId, environment, ...made });
  return { token, key: viewOfKey(key) };
}

/** Reads the log of an API key. First, this writes the entries that the process has buffered. */
function listFrom<Entry extends { readonly at: number }>(
  flush: () => Promise<void>,
  read: (query: Query, keyId: string) => Maybe<readonly Entry[]>,
) {
  return async (ctx: Context, { keyId }: { readonly keyId: string }) => {
    await requireKey(ctx, keyId, keysWithinReach(ctx));
    await flush();
    return (await read(ctx.query, keyId)).map((entry) => ({ ...entry, at: formatTime(entry.at) }));
  };
}

/**
 * Rotates one of the person's own API keys. An owner may revoke other people's keys, but must not rotate them, because the owner
 * would then see the new key.
 */
async function rotateFromConsole(ctx: Context, input: Input<typeof keyOperations.rotateKey>) {
  const { keyId, body } = input;
  const key = await requireKey(ctx, keyId, keysWithinReach(ctx));
  if (key.accountId !== requireSession(ctx).accountId)
    throw new ServiceError(
      "forbidden",
      `Only ${key.email}, who owns this key, or the operator can rotate this key.`,
    );
  const { token, key: made } = await rotateKey(ctx, { key, ...body });
  return { token, key: viewOfKey(made) };
}

/**
 * Returns the filter for the API keys that a person may manage: the person's own keys or, for an owner, all keys of the
 * environment.
 */
function keysWithinReach(ctx: Context): KeyFilter {
  const { accountId, role, environment } = requireSession(ctx);
  return role === "owner" ? { environment } : { accountId, environment };
}
