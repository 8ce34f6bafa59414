import { z } from "zod";
import { requireSession } from "../accounts/sessions/require-session.ts";
import type { Context } from "../context.ts";
import { hasRole } from "../contract/operation.ts";
import type { Log } from "../events/count-by-day.ts";
import { selectFirstResource } from "../events/count-store.ts";
import { DAY_MS } from "../limits.ts";
import { type Order, order } from "../orders/contract.ts";
import { selectWaitingOrders } from "../orders/store.ts";
import { pet } from "../pets/contract.ts";
import { selectForgottenPets } from "../pets/store.ts";
import type { Query } from "../storage/database.ts";
import { DATABASE_NAMES, type DatabaseName } from "../storage/store-files.ts";
import { findProgramNotices, type NoticeSources, programNotices } from "./program-notices.ts";

const ORDER_WAITING_MS = 3 * 24 * 3_600_000; // since an open order was placed, or an animal without one made pending: the overview lists it
const ATTENTION_SEARCHED_MAX = 1_000; // of the oldest open orders, and pending animals, that are looked at for the overview
const ATTENTION_SHOWN_MAX = 5; // orders, and animals, that it lists

export const attention = z.object({
  orders: z.array(order.extend({ isLate: z.boolean() })).meta({
    description: "Open orders whose ship date has passed, or that were placed days ago, the oldest first.",
  }),
  hasMoreOrders: z.boolean(),
  pets: z
    .array(pet)
    .meta({ description: "Some that have been pending for days without an order, the oldest first." }),
  damaged: z
    .array(z.enum(DATABASE_NAMES))
    .meta({ description: "Databases in which the last check of all contents found damage; for owners." }),
  ...programNotices,
});
export type Attention = z.infer<typeof attention>;

interface AttentionOptions extends NoticeSources {
  readonly log: Log | undefined;
  /** Problems that were found, by database. */
  readonly damage: ReadonlyMap<DatabaseName, number>;
}

/** What somebody should look at, as far as the person's role lets them. */
export async function findAttention(ctx: Context, options: AttentionOptions): Promise<Attention> {
  const { query, now } = ctx;
  const { log, damage } = options;
  const daysAgo = now - ORDER_WAITING_MS;
  // Of what was there before the log begins, it does not say since when.
  const recent = log === undefined || log.since > daysAgo ? 0 : await log.search(daysAgo);
  const waiting = await findWaitingOrders(query, recent, now);
  return {
    orders: waiting.slice(0, ATTENTION_SHOWN_MAX),
    hasMoreOrders: waiting.length > ATTENTION_SHOWN_MAX,
    pets:
      recent === 0
        ? []
        : [...(await query(selectForgottenPets, [recent, ATTENTION_SEARCHED_MAX, ATTENTION_SHOWN_MAX]))],
    damaged: hasRole(requireSession(ctx).role, "owner")
      ? DATABASE_NAMES.filter((name) => (damage.get(name) ?? 0) > 0)
      : [],
    ...(await findProgramNotices(ctx, options)),
  };
}

/**
 * An order that is to be shipped on a day is late when the day is over, wherever the browser is that chose it.
 *
 * @param recent the first event after which an order has not waited for long; 0 where that is not known
 */
async function findWaitingOrders(query: Query, recent: number, now: number) {
  const lateBefore = now - DAY_MS;
  // Orders have no time of their own: those below the first recent one were placed before.
  const [first = Number.MAX_SAFE_INTEGER] =
    recent === 0 ? [0] : await query(selectFirstResource, ["order.placed", recent]);
  const limit = ATTENTION_SHOWN_MAX + 1;
  const orders = await query(selectWaitingOrders, [lateBefore, first, ATTENTION_SEARCHED_MAX, limit]);
  const isLate = ({ shipDate }: Order) => shipDate !== null && Date.parse(shipDate) < lateBefore;
  return orders.map((one) => ({ ...one, isLate: isLate(one) }));
}
