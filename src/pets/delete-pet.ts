import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { change } from "../events/change.ts";
import type { petOperations } from "./contract.ts";
import { openOrderError } from "./open-order-error.ts";
import { removePet } from "./store.ts";

/** @throws ServiceError `not_found`, `pet_has_open_order` */
export async function deletePet(
  ctx: Context,
  { petId }: Input<typeof petOperations.deletePet>,
): Promise<undefined> {
  const removed = await change(ctx, removePet, [petId]);
  if (removed === undefined) throw await openOrderError(ctx.query, petId);
}
