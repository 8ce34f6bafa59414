import { z } from "zod";
import { requireSession } from "../accounts/require-session.ts";
import type { SessionActor } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import type { KeyView } from "../keys/contract.ts";
import { listKeys } from "../keys/list-keys.ts";
import { type ApiKey, selectDeprecatedCallers } from "../keys/store.ts";
import { EXPIRY_NOTICE_MS, OVERVIEW_COUNT_MAX } from "../limits.ts";
import { countOpenOrders } from "../orders/store.ts";
import { PET_STATUSES } from "../pets/contract.ts";
import { countPetsByStatus, countPetsWithoutStatus } from "../pets/store.ts";
import { formatTime } from "../platform/clock.ts";
import type { Database, Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { viewOfKey } from "./key-endpoints.ts";

const count = z.object({
  count: z.number(),
  isAtLeast: z.boolean().meta({ description: "Counting stopped here: there may be more." }),
});
type Count = z.infer<typeof count>;

const overview = z.object({
  pets: z.array(count.extend({ status: z.enum(PET_STATUSES).nullable() })),
  openOrders: count,
  expiringKeys: z.array(z.custom<KeyView>()),
  deprecated: z.array(
    z.object({
      operation: z.string(),
      path: z.string(),
      sunset: z.string(),
      callers: z.array(
        z.object({ keyId: z.string(), keyName: z.string(), calls: z.number(), lastCalledAt: z.string() }),
      ),
      otherCalls: z.number().meta({ description: "Calls made with other accounts' keys." }),
    }),
  ),
});
type Overview = z.infer<typeof overview>;

export const getOverview = {
  id: "getOverview",
  method: "GET",
  path: "/overview",
  tag: "Console",
  summary: "Get an overview of the store",
  description: "Animals by status, open orders, keys about to expire, and calls to deprecated operations.",
  access: "read",
  success: { status: 200, description: "The overview.", schema: overview },
} as const satisfies Operation;

interface OverviewOptions {
  readonly accounts: Database;
  readonly operations: readonly Operation[];
  /** Writes the uses of keys that this process holds in memory. */
  readonly flushUsage: () => Promise<void>;
}

export function overviewEndpoint({ accounts, operations, flushUsage }: OverviewOptions): Endpoint {
  return endpoint(getOverview, async (ctx): Promise<Overview> => {
    const actor = requireSession(ctx);
    await flushUsage();
    return {
      pets: await countPets(ctx.query),
      openOrders: countOf(await ctx.query(countOpenOrders, [OVERVIEW_COUNT_MAX])),
      expiringKeys: (await listKeys({ ...ctx, query: accounts.read }, actor))
        .filter((key) => expiresSoon(key, ctx.now))
        .map(viewOfKey),
      deprecated: await Promise.all(
        operations.flatMap((operation) =>
          operation.deprecation === undefined ? [] : [callersOf(accounts.read, operation, actor)],
        ),
      ),
    };
  });
}

async function countPets(query: Query): Promise<Overview["pets"]> {
  const counts: Overview["pets"] = [];
  for (const status of PET_STATUSES) {
    counts.push({ status, ...countOf(await query(countPetsByStatus, [status, OVERVIEW_COUNT_MAX])) });
  }
  return [...counts, { status: null, ...countOf(await query(countPetsWithoutStatus, [OVERVIEW_COUNT_MAX])) }];
}

/** Counting ends at `OVERVIEW_COUNT_MAX`, so that a large store costs no more than a small one. */
function countOf(rows: readonly number[]): Count {
  const found = singleRow(rows);
  return { count: found, isAtLeast: found === OVERVIEW_COUNT_MAX };
}

function expiresSoon({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return (
    revokedAt === undefined &&
    expiresAt !== undefined &&
    expiresAt > now &&
    expiresAt <= now + EXPIRY_NOTICE_MS
  );
}

async function callersOf(
  query: Query,
  { id, method, path, deprecation }: Operation,
  { accountId, environment }: SessionActor,
): Promise<Overview["deprecated"][number]> {
  const callers = await query(selectDeprecatedCallers, [id, environment]);
  const others = callers.filter((caller) => caller.accountId !== accountId);
  return {
    operation: id,
    path: `${method} ${path}`,
    sunset: formatTime(deprecation?.sunset ?? 0),
    callers: callers
      .filter((caller) => caller.accountId === accountId)
      .map(({ keyId, keyName, calls, lastCalledAt }) => ({
        keyId,
        keyName,
        calls,
        lastCalledAt: formatTime(lastCalledAt),
      })),
    otherCalls: others.reduce((sum, { calls }) => sum + calls, 0),
  };
}
