import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { onlyRow } from "../storage/row.ts";
import type { Category, categoryOperations } from "./contract.ts";
import { insertCategory } from "./store.ts";

export async function createCategory(
  ctx: Context,
  { body }: Input<typeof categoryOperations.createCategory>,
): Promise<Category> {
  return onlyRow(await ctx.query(insertCategory, [body.name, body.description ?? null]));
}
