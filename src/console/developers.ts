import { requireSession } from "../accounts/sessions/sessions.ts";
import type { Context, SessionActor } from "../context.ts";
import { hasRole, type Operation } from "../contract/operation.ts";
import { endpoint } from "../http/endpoint.ts";
import type { ApiKey } from "../keys/store.ts";
import { listKeys, viewOfKey } from "../keys/verbs.ts";
import { formatTime } from "../platform/clock.ts";
import { orElse } from "../platform/maybe.ts";
import { type Database, DatabaseClosedError, type Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { consoleOperations, type DeveloperNotices, type ProgramNotices } from "./contract.ts";
import { countFailedMessages, selectDeprecatedCallers, selectTroubledWebhooks } from "./notices-store.ts";

interface DevelopersOptions {
  readonly accounts: Database;
  readonly messages: Database;
  readonly operations: readonly Operation[];
  readonly flushActivity: () => Promise<void>;
}

export function developersEndpoint(options: DevelopersOptions) {
  const { accounts, operations, flushActivity } = options;
  return endpoint(consoleOperations.getDeveloperNotices, async (ctx): Promise<DeveloperNotices> => {
    await flushActivity();
    return {
      ...(await findProgramNotices(ctx, options)),
      deprecated: await findDeprecatedCalls(accounts.read, operations, requireSession(ctx)),
    };
  });
}

/**
 * Finds the API keys that have called deprecated operations. An owner gets all of these keys. Anybody else gets only their own
 * keys, and the number of calls with other people's keys.
 */
async function findDeprecatedCalls(
  query: Query,
  operations: readonly Operation[],
  { accountId, role, environment }: SessionActor,
): Promise<DeveloperNotices["deprecated"]> {
  const found: DeveloperNotices["deprecated"][number][] = [];
  for (const { id, method, path, deprecation } of operations) {
    if (deprecation === undefined) continue;
    const callers = await query(selectDeprecatedCallers, [id, environment]);
    const named = role === "owner" ? callers : callers.filter((caller) => caller.accountId === accountId);
    const others = callers.filter((caller) => !named.includes(caller));
    found.push({
      operation: id,
      path: `${method} ${path}`,
      sunset: formatTime(deprecation.sunset),
      callers: named.map(({ accountId: _, lastCalledAt, ...caller }) => ({
        ...caller,
        lastCalledAt: formatTime(lastCalledAt),
      })),
      otherCalls: others.reduce((sum, { calls }) => sum + calls, 0),
    });
  }
  return found;
}

const EXPIRY_NOTICE_MS = 30 * 24 * 3_600_000; // how long before the expiry of a key the console begins to warn
const ATTENTION_MESSAGES = 100; // number of latest messages among which the console looks for failures

/** A cursor for the first page of webhooks: it is higher than the identifier of any webhook. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * Finds failed messages, problems with webhooks (only for owners), and the person's own keys that expire soon. Other people's keys
 * are left out, because only the owner of a key can rotate it.
 */
export async function findProgramNotices(
  ctx: Context,
  { accounts, messages }: Pick<DevelopersOptions, "accounts" | "messages">,
): Promise<ProgramNotices> {
  const { query, now } = ctx;
  const actor = requireSession(ctx);
  const failed = await orElse(
    () => messages.read(countFailedMessages, [actor.environment, ATTENTION_MESSAGES]),
    (error) => (error instanceof DatabaseClosedError ? [0] : Promise.reject(error)),
  );
  const keys = await listKeys({ ...ctx, query: accounts.read }, actor);
  return {
    failedMessages: singleRow(failed),
    webhooks: hasRole(actor.role, "owner") ? await query(selectTroubledWebhooks, [ALL]) : [],
    expiringKeys: keys.filter((key) => expiresSoon(key, now)).map(viewOfKey),
  };
}

function expiresSoon({ revokedAt, replacedBy, expiresAt }: ApiKey, now: number): boolean {
  return (
    revokedAt === undefined &&
    replacedBy === undefined &&
    expiresAt !== undefined &&
    expiresAt > now &&
    expiresAt <= now + EXPIRY_NOTICE_MS
  );
}
