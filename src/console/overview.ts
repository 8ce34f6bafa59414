import { z } from "zod";
import { requireSession } from "../accounts/require-session.ts";
import type { Operation } from "../contract/operation.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import type { KeyView } from "../keys/contract.ts";
import { listKeys } from "../keys/list-keys.ts";
import { OVERVIEW_COUNT_MAX } from "../limits.ts";
import { countOpenOrders } from "../orders/store.ts";
import { PET_STATUSES } from "../pets/contract.ts";
import { countPetsByStatus, countPetsWithoutStatus } from "../pets/store.ts";
import type { Database, Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { deprecatedOperation, expiresSoon, findDeprecatedCalls } from "./developers.ts";
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
  deprecated: z.array(deprecatedOperation),
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
      deprecated: await findDeprecatedCalls(accounts.read, operations, actor),
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
