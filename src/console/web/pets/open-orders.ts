import { signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { Pet } from "../../../pets/contract.ts";
import type { OpenOrder } from "../../contract.ts";
import { useLive } from "../events/live.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

/** The maximum number of animals whose open orders one request can read. */
const IDS_MAX = 100;

/** Records which pending animals on the page have an open order. An animal is not in the map until this is known. */
const known = signal<ReadonlyMap<Int64, boolean>>(new Map());

/**
 * True if an animal is known to have no open order. There is then no order to complete, and the animal's status may be changed.
 */
export function hasNoOrder({ id }: Pick<Pet, "id">): boolean {
  return known.value.get(id) === false;
}

/** Reads which of these animals have an open order, and keeps this up to date. */
export function useOpenOrders(pets: readonly Pet[]): void {
  const pending = pets.filter(({ status }) => status === "pending").map(({ id }) => id);
  // A failure to read the orders is not shown, because the button Complete reads the order again.
  const loaded = useLoad((signal) => read(pending, signal), [pending.join()]);
  useLive(["order"], loaded.reload);
}

async function read(ids: readonly Int64[], signal: AbortSignal): Promise<void> {
  const ordered = new Set<Int64>();
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const query = { id: ids.slice(start, start + IDS_MAX).join() };
    for (const { petId } of await call<readonly OpenOrder[]>("GET", "/open-orders", { query, signal }))
      ordered.add(petId);
  }
  if (ids.length > 0)
    known.value = new Map([...known.value, ...ids.map((id) => [id, ordered.has(id)] as const)]);
}
