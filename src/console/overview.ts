import { z } from "zod";
import type { Operation } from "../contract/operation.ts";
import { openLog } from "../events/count-by-day.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { OVERVIEW_COUNT_MAX } from "../limits.ts";
import { countOpenOrders } from "../orders/store.ts";
import { formatTime } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { DatabaseName } from "../storage/store-files.ts";
import { attention, findAttention } from "./attention.ts";
import { count, countOf } from "./count.ts";
import { createOverviewDays, dayCounts, daysParameter } from "./overview-days.ts";
import { petCounts, readPetCounts } from "./pet-counts.ts";

const overview = z.object({
  pets: petCounts,
  openOrders: count,
  days: z.array(dayCounts).meta({ description: "The days asked for, without those before `since`." }),
  since: z
    .string()
    .nullable()
    .meta({ description: "When the first event that is kept was made; null without one." }),
  attention,
});
type Overview = z.infer<typeof overview>;

export const getOverview = {
  id: "getOverview",
  method: "GET",
  path: "/overview",
  tag: "Console",
  summary: "Get an overview of the store",
  description: "Animals by status, open orders, what was sold and added by day, and what needs attention.",
  access: "read",
  query: { days: daysParameter },
  success: { status: 200, description: "The overview.", schema: overview },
} as const satisfies Operation;

interface OverviewOptions {
  readonly accounts: Database;
  readonly messages: Database;
  readonly damage: ReadonlyMap<DatabaseName, number>;
}

export function overviewEndpoint({ accounts, messages, damage }: OverviewOptions): Endpoint {
  const countDays = createOverviewDays();
  return endpoint(getOverview, async (ctx, { days }): Promise<Overview> => {
    const { query, now } = ctx;
    const log = await openLog(query);
    return {
      pets: await readPetCounts(query),
      openOrders: countOf(singleRow(await query(countOpenOrders, [OVERVIEW_COUNT_MAX]))),
      days: log === undefined ? [] : await countDays(query, log, days, now),
      since: log === undefined ? null : formatTime(log.since),
      attention: await findAttention(ctx, { accounts: accounts.read, messages: messages.read, damage, log }),
    };
  });
}
