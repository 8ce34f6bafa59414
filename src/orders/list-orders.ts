import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Order, orderOperations } from "./contract.ts";
import { selectOrderPage } from "./store.ts";

export async function listOrders(
  { actor, query }: Context,
  input: Input<typeof orderOperations.listOrders>,
): Promise<Page<Order>> {
  return readPage(actor, input, ["listOrders"], (below, count) => query(selectOrderPage, [below, count]));
}
