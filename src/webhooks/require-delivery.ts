import type { Int64 } from "exact-json/int64";
import { ServiceError } from "../errors.ts";
import type { Query } from "../storage/database.ts";
import type { Delivery } from "./delivery-contract.ts";
import { gatherDeliveries, selectDelivery } from "./delivery-store.ts";

/** @throws ServiceError `not_found` */
export async function requireDelivery(query: Query, webhookId: Int64, id: Int64): Promise<Delivery> {
  const [delivery] = gatherDeliveries(await query(selectDelivery, [webhookId, id]));
  if (delivery !== undefined) return delivery;
  throw new ServiceError("not_found", `Webhook ${webhookId} has no delivery ${id}.`);
}
