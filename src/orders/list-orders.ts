import { INT64_MAX } from "../../client/src/int64.ts";
import type { Context } from "../context.ts";
import { pageOf, readCursor } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Order, orderOperations } from "./contract.ts";
import { selectOrderPage } from "./store.ts";

export async function listOrders(
  ctx: Context,
  { limit, cursor }: Input<typeof orderOperations.listOrders>,
): Promise<Page<Order>> {
  const scope = ["listOrders"];
  const below = readCursor(cursor, scope) ?? INT64_MAX;
  return pageOf(await ctx.query(selectOrderPage, [below, limit + 1]), limit, scope);
}
