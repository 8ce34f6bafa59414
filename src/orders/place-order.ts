import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { change } from "../events/change.ts";
import { requirePet } from "../pets/require-pet.ts";
import { reservePet, selectOpenOrderId } from "../pets/store.ts";
import type { Query } from "../storage/database.ts";
import type { Order, orderOperations } from "./contract.ts";
import { insertOrder } from "./store.ts";

/** @throws ServiceError `not_found`, `pet_not_available` */
export async function placeOrder(
  ctx: Context,
  { body }: Input<typeof orderOperations.placeOrder>,
): Promise<Order> {
  const { petId, quantity = 1, shipDate, ...rest } = body;
  rest satisfies Record<string, never>;
  let order: Order | undefined;
  await change(ctx, reservePet, [petId], {
    before: { status: "available" },
    async first() {
      order = await change(ctx, insertOrder, [petId, quantity, shipDate ? Date.parse(shipDate) : null, 0]);
    },
  });
  if (order === undefined) throw await notAvailableError(ctx.query, petId);
  return order;
}

/** Why an animal could not be reserved: `not_found`, or `pet_not_available` with what stands in the way. */
async function notAvailableError(query: Query, petId: Int64): Promise<ServiceError> {
  const { status } = await requirePet(query, petId);
  const [orderId] = await query(selectOpenOrderId, [petId]);
  const reason =
    orderId === undefined
      ? `is not available: ${status === undefined ? "it has no status" : `it is ${status}`}.`
      : `has an open order: ${orderId}.`;
  return new ServiceError("pet_not_available", `Animal ${petId} ${reason}`);
}
