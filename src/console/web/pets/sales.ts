import { signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { CallOptions } from "../../../../client/src/options.ts";
import { randomName } from "../../../../client/src/random.ts";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { announcePolite } from "../components/announce.tsx";
import { shortName } from "../components/long-text.tsx";
import { call, callPage } from "../request.ts";
import { isTransient, pageError, toPetstoreError } from "../request-error.ts";

const UNDO_MS = 10_000;

export type SoldPet = Pick<Pet, "id" | "name">;

/** A sale: its order is placed at once, and completed when it can no longer be undone. */
export interface Sale {
  readonly pet: SoldPet;
  readonly order: Order | undefined;
  /** True if the order was open before the sale: Undo leaves it open. */
  readonly isOrdered?: boolean;
  readonly isBusy: boolean;
  /** Options of a sale's requests, if it is one of many. */
  readonly patience?: CallOptions | undefined;
  readonly failure?: { readonly text: string; readonly retry: (() => Promise<void>) | undefined } | undefined;
  readonly timer?: ReturnType<typeof setTimeout>;
}

export const sales = signal<ReadonlyMap<Int64, Sale>>(new Map());

function put(sale: Sale) {
  sales.value = new Map(sales.value).set(sale.pet.id, sale);
}

export function endSale({ pet, timer }: Sale): void {
  clearTimeout(timer);
  sales.value = new Map([...sales.value].filter(([id]) => id !== pet.id));
}

export function saleName({ id, name }: SoldPet): string {
  return shortName(name, `animal ${id}`);
}

/** Runs a step of a sale; its failure stays visible until it is retried or dismissed. */
async function run(sale: Sale, problem: string, step: () => Promise<void>) {
  clearTimeout(sale.timer);
  put({ ...sale, isBusy: true, failure: undefined });
  try {
    await step();
  } catch (error) {
    const shown = toPetstoreError(error);
    const retry = isTransient(shown) || shown.status === 401 ? () => run(sale, problem, step) : undefined;
    const reason = shown.code === "pet_not_available" ? await whoWasFirst(sale.pet).catch(() => "") : "";
    put({ ...sale, isBusy: false, failure: { text: `${problem} ${reason || shown.message}`, retry } });
  }
}

async function whoWasFirst(pet: Sale["pet"]): Promise<string> {
  return (await import("../events/last-change.ts")).lastStatusChange(pet);
}

export function sell(pet: SoldPet, patience?: CallOptions): Promise<void> {
  const sale: Sale = { pet, order: undefined, isBusy: true, patience };
  const name = saleName(pet);
  const request = { ...patience, body: { petId: pet.id }, idempotencyKey: randomName() };
  return run(sale, `${name} was not sold.`, async () => {
    const order = await call<Order>("POST", "/store/orders", request);
    offerUndo({ ...sale, order, isBusy: false });
  });
}

/** Completes the open order of an animal when it can no longer be undone. @param known the order; read if it is unknown */
export function completeOrder(pet: SoldPet, known?: Order): Promise<void> {
  const sale: Sale = { pet, order: undefined, isOrdered: true, isBusy: true };
  return run(sale, `The order of ${saleName(pet)} was not completed.`, async () => {
    const order = known ?? (await readOpenOrder(pet));
    if (order === undefined) throw pageError("It has no open order.");
    offerUndo({ ...sale, order, isBusy: false });
  });
}

async function readOpenOrder({ id }: SoldPet): Promise<Order | undefined> {
  const query = { petId: String(id), complete: "false" };
  return (await callPage<Order>("/store/orders", { query })).items[0];
}

function offerUndo(sale: Sale) {
  put({ ...sale, timer: setTimeout(() => void complete(sale), UNDO_MS) });
  if (!sale.patience)
    announcePolite(`Sold ${saleName(sale.pet)}. Undo is offered for ${UNDO_MS / 1000} seconds.`);
}

function complete(sale: Sale, keepalive = false) {
  const id = sale.order?.id;
  return run(sale, `The sale of ${saleName(sale.pet)} is not complete: order ${id} is open.`, async () => {
    try {
      await call("POST", `/store/orders/${id}/complete`, { ...sale.patience, keepalive });
    } catch (error) {
      const { code, status } = toPetstoreError(error);
      if (status === 404) {
        const text = `${saleName(sale.pet)} is not sold: somebody has cancelled order ${id}.`;
        return put({ ...sale, failure: { text, retry: undefined } });
      }
      // Completed by an earlier attempt whose answer was lost, or by somebody else.
      if (code !== "order_already_complete") throw error;
    }
    endSale(sale);
  });
}

export function undoSale(sale: Sale): Promise<void> {
  const name = saleName(sale.pet);
  return run(sale, `The sale of ${name} was not undone.`, async () => {
    if (!sale.isOrdered)
      await call("DELETE", `/store/orders/${sale.order?.id}`, sale.patience).catch((error) => {
        if (toPetstoreError(error).status !== 404) throw error;
      });
    endSale(sale);
    if (!sale.patience) announcePolite(`${name} is not sold.`);
  });
}

/** Completes all sales that could still be undone, before the person signs out or leaves the page. */
export async function completeSales(): Promise<void> {
  const open = [...sales.value.values()].filter(({ order, isBusy, failure }) => order && !isBusy && !failure);
  await Promise.all(open.map((sale) => complete(sale, true)));
}
