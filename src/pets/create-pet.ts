import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { singleRow } from "../storage/row.ts";
import type { Pet, petOperations } from "./contract.ts";
import { insertPet } from "./store.ts";

export async function createPet(ctx: Context, { body }: Input<typeof petOperations.createPet>): Promise<Pet> {
  return singleRow(await ctx.query(insertPet, [body.name, body.categoryId, body.status ?? null]));
}
