import type { Int64 } from "exact-json/int64";
import { ServiceError } from "../errors.ts";
import type { Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { requirePet } from "./require-pet.ts";
import { selectOpenOrderId } from "./store.ts";

/** Why an animal without an open order was not found: `not_found` or `pet_has_open_order`. */
export async function openOrderError(query: Query, petId: Int64): Promise<ServiceError> {
  await requirePet(query, petId);
  const orderId = singleRow(await query(selectOpenOrderId, [petId]));
  return new ServiceError(
    "pet_has_open_order",
    `Animal ${petId} has an open order: ${orderId}. Complete or cancel it first.`,
  );
}
