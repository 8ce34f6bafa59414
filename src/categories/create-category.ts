import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { singleRow } from "../storage/row.ts";
import type { Category, categoryOperations } from "./contract.ts";
import { insertCategory } from "./store.ts";

export async function createCategory(
  ctx: Context,
  { body }: Input<typeof categoryOperations.createCategory>,
): Promise<Category> {
  return singleRow(await ctx.query(insertCategory, [body.name, body.description ?? null]));
}
