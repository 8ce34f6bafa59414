import type { Int64 } from "exact-json/int64";
import { type Context, keyIdOf } from "../context.ts";
import { readFoundPage, readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { scan } from "../contract/scan.ts";
import { ServiceError } from "../errors.ts";
import { changeWithEvent, insertWithPatch, unexplained } from "../events/change.ts";
import type { Pet } from "../pets/contract.ts";
import { patchPet, releasePet, selectOpenOrderId, sellPet } from "../pets/store.ts";
import { getPet } from "../pets/verbs.ts";
import type { Maybe } from "../platform/maybe.ts";
import { inTurn } from "../platform/turns.ts";
import { found, singleRow } from "../storage/row.ts";
import type { Order, orderOperations } from "./contract.ts";
import {
  type Completed,
  completeOpenOrder,
  countCompleted,
  insertOrder,
  removeOpenOrder,
  selectCompleted,
  selectOrder,
  selectOrderPage,
} from "./store.ts";

const OPEN = 0; // value of the column `complete` for a new order
const COMPLETED_SORTED_MAX = 5_000; // maximum number of orders in a range of time that one statement sorts; a range with more orders is scanned in steps, like a search
const TIME_MAX = 8.64e15; // the latest time that ECMAScript can represent, in milliseconds since 1970

export function listOrders(
  ctx: Context,
  input: Input<typeof orderOperations.listOrders>,
): Maybe<Page<Order>> {
  const { petId, complete, completedFrom, completedBefore } = input;
  const filter = ["listOrders", petId, complete] as const;
  const read = (isComplete: boolean | undefined) => (below: bigint, count: number) => {
    const { statement, values } = selectOrderPage({ petId, complete: isComplete, below }, count);
    return ctx.query(statement, values);
  };
  if (completedFrom === undefined && completedBefore === undefined)
    return readPage(ctx, input, filter, read(complete));
  const range = {
    from: completedFrom === undefined ? -TIME_MAX : Date.parse(completedFrom),
    before: completedBefore === undefined ? TIME_MAX : Date.parse(completedBefore),
  };
  return readFoundPage(ctx, input, [...filter, range], async (below, count) => {
    if (complete === false) return { items: [] };
    const few = petId === undefined && (await readFewCompleted(ctx, range, below, count));
    if (few) return { items: few };
    const isInRange = ({ completedAt = "" }: Order) => {
      const time = Date.parse(completedAt);
      return time >= range.from && time < range.before;
    };
    return scan({ owner: keyIdOf(ctx.actor), read: read(true), matches: isInRange }, below, count);
  });
}

/**
 * Reads the newest orders that were completed in a range of time. Returns undefined if the range contains too many orders to sort
 * in one statement.
 */
function readFewCompleted(
  { query, actor }: Context,
  range: Completed,
  below: bigint,
  count: number,
): Promise<readonly Order[] | undefined> {
  return inTurn(keyIdOf(actor), async () => {
    const completed = singleRow(await query(countCompleted, { ...range, limit: COMPLETED_SORTED_MAX + 1 }));
    return completed > COMPLETED_SORTED_MAX
      ? undefined
      : query(selectCompleted, { ...range, below, limit: count });
  });
}

/** Places an order and reserves its animal. @throws ServiceError `not_found`, `pet_not_available` */
export async function placeOrder(
  ctx: Context,
  { body }: Input<typeof orderOperations.placeOrder>,
): Promise<Order> {
  const { petId, quantity = 1, shipDate } = body;
  const values = {
    petId,
    quantity,
    shipDate: shipDate ? Date.parse(shipDate) : null,
    complete: OPEN,
    createdAt: orderTime(ctx),
    completedAt: null,
  };
  const reservation = patchPet(petId, { status: "pending" });
  const pet = await getPet(ctx, { petId });
  const isAvailable = pet.status === "available";
  const order = isAvailable && (await insertWithPatch(ctx, insertOrder, values, reservation, pet));
  return order || refuseReservation(ctx, pet);
}

/** Returns the order with this identifier. @throws ServiceError `not_found` */
export function getOrder(ctx: Context, { orderId }: Input<typeof orderOperations.getOrder>): Maybe<Order> {
  return found(ctx.query(selectOrder, [orderId]), "order", orderId);
}

/** Completes an open order, so that its animal is sold. @throws ServiceError `not_found`, `order_already_complete` */
export async function completeOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.completeOrder>,
): Promise<Order> {
  const order = await changeWithEvent(ctx, completeOpenOrder, [orderId, orderTime(ctx)], {
    before: { complete: false, completedAt: undefined },
  });
  if (order === undefined) return refuseEnded(ctx, orderId);
  await changeWithEvent(ctx, sellPet, [order.petId], { before: { status: "pending" } });
  return order;
}

/** Removes an open order, which makes its animal available again. @throws ServiceError `not_found`, `order_already_complete` */
export async function cancelOrder(
  ctx: Context,
  { orderId }: Input<typeof orderOperations.cancelOrder>,
): Promise<undefined> {
  const order = await changeWithEvent(ctx, removeOpenOrder, [orderId]);
  if (order === undefined) return refuseEnded(ctx, orderId);
  await changeWithEvent(ctx, releasePet, [order.petId], { before: { status: "pending" } });
}

/** Returns the current time for changes to orders, in milliseconds since 1970. In staging, it is the time of the test clock. */
function orderTime({ now, contractNow }: Context): number {
  return contractNow ?? now;
}

/** Throws the reason why an order is not open. @throws ServiceError `not_found`, `order_already_complete` */
async function refuseEnded(ctx: Context, orderId: Int64): Promise<never> {
  await getOrder(ctx, { orderId });
  throw new ServiceError("order_already_complete", `Order ${orderId} is already complete.`);
}

/**
 * Throws the reason why an animal could not be reserved.
 *
 * @throws ServiceError `pet_not_available`
 */
async function refuseReservation({ query }: Context, { id, status }: Pet): Promise<never> {
  const [orderId] = await query(selectOpenOrderId, [id]);
  if (orderId === undefined && status === "available") throw unexplained("animal", id);
  const reason =
    orderId === undefined
      ? `is not available: ${status === undefined ? "it has no status" : `it is ${status}`}.`
      : `has an open order: ${orderId}.`;
  throw new ServiceError("pet_not_available", `Animal ${id} ${reason}`);
}
