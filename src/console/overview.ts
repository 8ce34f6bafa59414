import { selectResetLinks } from "../accounts/audit/store.ts";
import { listUnsentMails } from "../accounts/mail/mails.ts";
import { requireSession } from "../accounts/sessions/sessions.ts";
import type { Context } from "../context.ts";
import { writeJson } from "../contract/json/json.ts";
import { hasRole } from "../contract/operation.ts";
import { endpoint } from "../http/endpoint.ts";
import { entityTagOf } from "../http/response.ts";
import { DAY_MS } from "../limits.ts";
import type { Order } from "../orders/contract.ts";
import { selectPet } from "../pets/store.ts";
import type { Database } from "../storage/database.ts";
import { DATABASE_NAMES, type DatabaseName } from "../storage/store-files.ts";
import { type Attention, consoleOperations, type Overview } from "./contract.ts";
import { createDayCounter, type Log, openLog } from "./count-by-day.ts";
import { findProgramNotices } from "./developers.ts";
import { selectForgottenPets, selectLongestInStock, selectWaitingOrders } from "./overview-store.ts";
import { cachingOf, petCounts, type StockCounts } from "./stock-counts.ts";

const ORDER_WAITING_MS = 3 * 24 * 3_600_000; // time after which the overview lists an order that is still open, or an animal that is still pending without an order
const ATTENTION_SEARCHED_MAX = 1_000; // number of oldest open orders, and of oldest pending animals, that the overview examines
const ATTENTION_SHOWN_MAX = 5; // maximum number of orders, and of animals, that the overview lists
const LONGEST_SHOWN_MAX = 5; // maximum length of the overview's list of the animals that have been in stock the longest
const CATEGORIES_SHOWN_MAX = 8; // maximum length of the overview's list of the categories with the most available animals
const RESET_LINK_NOTICE_MS = 7 * DAY_MS; // how long the overview shows a notice after somebody else has created a link for setting the person's password
const AUDIT_SEARCHED_MAX = 10_000; // number of newest audit log entries that are searched for links for setting a password

interface OverviewOptions {
  readonly stock: StockCounts;
  readonly accounts: Database;
  readonly messages: Database;
  readonly damage: ReadonlyMap<DatabaseName, number>;
}

export function overviewEndpoint(options: OverviewOptions) {
  const { stock } = options;
  const countDays = createDayCounter();
  return endpoint(consoleOperations.getOverview, async (ctx, { days }): Promise<Overview> => {
    const { query } = ctx;
    const log = await openLog(query);
    const inventory = await stock.inventory(ctx);
    const openOrders = await stock.openOrders(ctx);
    return {
      ...cachingOf({ ...inventory, openOrders }),
      pets: petCounts(inventory),
      available: (await stock.available(ctx, inventory))
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count)
        .slice(0, CATEGORIES_SHOWN_MAX),
      longest: await query(selectLongestInStock, [LONGEST_SHOWN_MAX]),
      openOrders,
      days: log === undefined ? [] : await countDays(query, log, days),
      attention: await findAttention(ctx, log, options),
    };
  });
}

async function findAttention(
  ctx: Context,
  log: Log | undefined,
  { accounts, messages, damage }: OverviewOptions,
): Promise<Attention> {
  const { query, now } = ctx;
  const { email, role } = requireSession(ctx);
  const daysAgo = now - ORDER_WAITING_MS;
  // If the event log does not go back as far as `daysAgo`, it cannot show how long an animal has been pending. In that case, no
  // pending animals are listed.
  const recent = log === undefined || log.since > daysAgo ? 0 : await log.search(daysAgo);
  return {
    orders: await findWaitingOrders(ctx),
    pets:
      recent === 0
        ? []
        : (await query(selectForgottenPets, [recent, ATTENTION_SEARCHED_MAX, ATTENTION_SHOWN_MAX])).map(
            (pet) => ({ ...pet, etag: entityTagOf(writeJson(pet)) }),
          ),
    resetLinks: await accounts.read(selectResetLinks, [
      email,
      now - RESET_LINK_NOTICE_MS,
      AUDIT_SEARCHED_MAX,
    ]),
    failedMails: hasRole(role, "owner") ? await countFailedMails({ query: accounts.read, now }) : 0,
    damaged: hasRole(role, "owner") ? DATABASE_NAMES.filter((name) => (damage.get(name) ?? 0) > 0) : [],
    ...(await findProgramNotices(ctx, { accounts, messages })),
  };
}

async function countFailedMails(of: Pick<Context, "query" | "now">): Promise<number> {
  return (await listUnsentMails(of)).filter(({ isRetried }) => !isRetried).length;
}

/**
 * Finds open orders that are late, or have been open for days. An order is late if its ship date has passed in every time zone.
 */
async function findWaitingOrders({ query, now, contractNow = now }: Context) {
  const lateBefore = contractNow - DAY_MS;
  const orders = await query(selectWaitingOrders, {
    lateBefore,
    placedBefore: contractNow - ORDER_WAITING_MS,
    searched: ATTENTION_SEARCHED_MAX,
    limit: ATTENTION_SHOWN_MAX,
  });
  const isLate = ({ shipDate }: Order) => shipDate !== null && Date.parse(shipDate) < lateBefore;
  return Promise.all(
    orders.map(async (one) => {
      const [pet] = await query(selectPet, [one.petId]);
      return { ...one, isLate: isLate(one), petName: pet?.name ?? "" };
    }),
  );
}
