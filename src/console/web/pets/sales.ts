import { signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import { randomName } from "../../../../client/src/random.ts";
import type { Event } from "../../../event-kinds/event-kinds.ts";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { announcePolite } from "../components/announce.tsx";
import { shortName } from "../components/long-text.tsx";
import type { NewEvents } from "../events/live.ts";
import { type AS_LINE, call, callDelete, callPage } from "../request.ts";
import { isTransient, pageError, toPetstoreError } from "../request-error.ts";

const UNDO_MS = 10_000;

export type SoldPet = Pick<Pet, "id" | "name">;

/** A sale. Its order is placed at once, but completed only when the time to undo the sale is over. */
export interface Sale {
  readonly pet: SoldPet;
  /**
   * The order of the sale. Absent until the order has been placed. Also absent in the sale of a pending animal that has no order.
   */
  readonly order?: Order;
  /** True as soon as the animal is reserved. The page then offers Undo. */
  readonly isOffered?: boolean;
  /** True if the order was already open before the sale. Undoing the sale then leaves the order open. */
  readonly isOrdered?: boolean;
  /** The options for the requests of a sale that is part of a bulk sale. */
  readonly patience?: typeof AS_LINE | undefined;
  readonly isBusy?: boolean;
  /** True once the order has been completed. The animal's row on the page may still be outdated. */
  readonly isDone?: boolean;
  readonly failure?: { readonly text: string; readonly retry: Step | undefined } | undefined;
  readonly timer?: ReturnType<typeof setTimeout>;
}

/** One step of a sale. Resolves to the reason why the step has failed, or to undefined if it was successful. */
type Step = () => Promise<string | undefined>;

const byPet = new Map<Int64, Sale>();
const changes = signal(0);

/** All sales, keyed by animal. The map is changed in place, because copying it for every change would be slow in a bulk sale. */
export const sales = {
  get value(): ReadonlyMap<Int64, Sale> {
    void changes.value;
    return byPet;
  },
};

function put(sale: Sale) {
  byPet.set(sale.pet.id, sale);
  changes.value = changes.peek() + 1;
}

export function endSale({ id }: Pick<Pet, "id">): void {
  clearTimeout(byPet.get(id)?.timer);
  if (byPet.delete(id)) changes.value = changes.peek() + 1;
}

/** True while an animal is being sold, and after the sale until the animal's row has been read again. */
export function looksSold({ id }: Pick<Pet, "id">): boolean {
  const sale = sales.value.get(id);
  return sale?.isOffered === true && sale.failure === undefined;
}

export function shownStatus(pet: Pick<Pet, "id" | "status">): Pet["status"] {
  return looksSold(pet) ? "sold" : pet.status;
}

export function isUndoable({ id }: Pick<Pet, "id">): boolean {
  const { isBusy, isDone } = sales.value.get(id) ?? {};
  return looksSold({ id }) && !isBusy && !isDone;
}

export function saleName({ id, name }: SoldPet): string {
  return shortName(name, `animal ${id}`);
}

/** Runs a step of a sale. If the step fails, the failure is shown until the person retries or dismisses it. */
async function run(sale: Sale, problem: string, step: () => Promise<void>): Promise<string | undefined> {
  clearTimeout(sale.timer);
  put({ ...sale, isBusy: true, failure: undefined });
  try {
    await step();
    return undefined;
  } catch (error) {
    const shown = toPetstoreError(error);
    const retry = isTransient(shown) || shown.status === 401 ? () => run(sale, problem, step) : undefined;
    const reason = shown.code === "pet_not_available" ? await whoWasFirst(sale.pet).catch(() => "") : "";
    const text = `${problem} ${reason || shown.message}`;
    put({ ...sale, failure: { text, retry } });
    if (shown.status === 0 && sale.isOffered) retryWhenOnline(sale.pet, retry);
    return text;
  }
}

/**
 * Completes a sale that failed because the browser was offline, as soon as it is online again, unless the person has already
 * retried or dismissed the sale.
 */
function retryWhenOnline({ id }: SoldPet, retry: Step | undefined) {
  const complete = () => sales.value.get(id)?.failure?.retry === retry && retry?.();
  addEventListener("online", complete, { once: true });
}

async function whoWasFirst(pet: SoldPet): Promise<string> {
  return (await import("../events/last-change.ts")).lastStatusChange(pet);
}

export async function sell(pet: SoldPet, patience?: typeof AS_LINE): Promise<string | undefined> {
  const { order, failure } = sales.value.get(pet.id) ?? {};
  // Repeats the request with the same idempotency key, because the response to the first attempt may have been lost.
  if (order === undefined && failure?.retry) return failure.retry();
  const request = { ...patience, body: { petId: pet.id }, idempotencyKey: randomName() };
  const place = () => call<Order>("POST", "/store/orders", request);
  return await begin({ pet, patience }, `${saleName(pet)} was not sold.`, place);
}

/**
 * Completes the open order of an animal when the time to undo the sale is over.
 *
 * @param known the order; if left out, it is read
 */
export async function completeOrder(pet: SoldPet, known?: Order): Promise<void> {
  const find = async () => known ?? (await readOpenOrder(pet));
  await begin({ pet, isOrdered: true }, `The order for ${saleName(pet)} was not completed.`, find);
}

async function readOpenOrder({ id }: SoldPet): Promise<Order> {
  const query = { petId: String(id), complete: "false" };
  const [order] = (await callPage<Order>("/store/orders", { query })).items;
  if (order === undefined) throw pageError("The animal has no order.");
  return order;
}

/** Sells a pending animal that has no order. Its status is changed to sold when the time to undo the sale is over. */
export async function sellPending(pet: SoldPet): Promise<void> {
  await begin({ pet, isOrdered: true }, `${saleName(pet)} was not sold.`, async () => undefined);
}

function begin(sale: Sale, problem: string, findOrder: () => Promise<Order | undefined>) {
  return run(sale, problem, async () => {
    const order = await findOrder();
    const offered: Sale = { ...sale, ...(order && { order }), isOffered: true };
    if (sale.patience) return put(offered);
    startUndoTime(offered);
    announcePolite(`Sold ${saleName(sale.pet)}. You can undo this for ${UNDO_MS / 1000} seconds.`);
  });
}

function startUndoTime(sale: Sale) {
  put({ ...sale, timer: setTimeout(() => void complete(sale), UNDO_MS) });
}

/**
 * Starts the time during which a bulk sale can be undone. It starts at the same moment for all animals, no matter how long their
 * requests took.
 */
export function startUndoTimes(pets: readonly SoldPet[]): void {
  for (const { id } of pets) {
    const sale = byPet.get(id);
    if (sale?.patience && sale.timer === undefined && isUndoable(sale.pet)) startUndoTime(sale);
  }
}

function complete(sale: Sale, keepalive = false) {
  const { pet, order, patience } = sale;
  const state = order ? `order ${order.id} is open` : "it is still pending";
  const problem = `The sale of ${saleName(pet)} is not complete: ${state}.`;
  return run(sale, problem, async () => {
    try {
      if (order) await call("POST", `/store/orders/${order.id}/complete`, { ...patience, keepalive });
      else await call("PATCH", `/pets/${pet.id}`, { keepalive, body: { status: "sold" } });
    } catch (error) {
      const { code, status } = toPetstoreError(error);
      if (status === 404) return putCancelled(sale);
      // The order is already complete: an earlier attempt whose response was lost, or somebody else, has completed it.
      if (code !== "order_already_complete") throw error;
    }
    if (sales.value.has(pet.id)) put({ ...sale, isDone: true });
  });
}

function putCancelled(sale: Sale) {
  clearTimeout(sale.timer);
  const reason = sale.order ? `cancelled order ${sale.order.id}` : "removed it";
  const text = `${saleName(sale.pet)} is not sold: somebody has ${reason}.`;
  put({ ...sale, failure: { text, retry: undefined } });
}

/** Marks a sale as failed if somebody else has cancelled its order. */
export async function heedCancellations(made: NewEvents): Promise<void> {
  for (const sale of [...byPet.values()])
    if (isUndoable(sale.pet) && made?.some((event) => isEndOf(event, sale))) putCancelled(sale);
}

function isEndOf({ type, data }: Event, { order }: Sale): boolean {
  return order !== undefined && type === "order.cancelled" && data.id === order.id;
}

export function undoSale(sale: Sale): Promise<string | undefined> {
  const { pet, order, isOrdered, patience } = sale;
  return run(sale, `The sale of ${saleName(pet)} was not undone.`, async () => {
    if (!isOrdered) await callDelete(`/store/orders/${order?.id}`, patience);
    endSale(pet);
    if (!patience) announcePolite(`Sale of ${saleName(pet)} undone.`);
  });
}

/** Completes all sales that could still be undone. Called before the person signs out or leaves the page. */
export async function completeSales(): Promise<void> {
  const open = [...sales.value.values()].filter(({ pet }) => isUndoable(pet));
  await Promise.all(open.map((sale) => complete(sale, true)));
}
