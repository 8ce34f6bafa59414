import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Order, orderOperations } from "./contract.ts";
import { selectOrderPage } from "./store.ts";

export function listOrders(
  ctx: Context,
  input: Input<typeof orderOperations.listOrders>,
): Maybe<Page<Order>> {
  const { petId, complete } = input;
  return readPage(ctx, input, ["listOrders", petId, complete], (below, count) => {
    const { statement, values } = selectOrderPage({ petId, complete, below }, count);
    return ctx.query(statement, values);
  });
}
