import { endpoint } from "../http/endpoint.ts";
import { selectOpenOrderId } from "../pets/store.ts";
import { consoleOperations } from "./contract.ts";

/**
 * Lists the open orders of the given animals, with one index lookup for each animal. Animals without an open order are left out.
 */
export const openOrdersEndpoint = endpoint(
  consoleOperations.listOpenOrders,
  async ({ query }, { id: ids = [] }) => {
    const found = await Promise.all(
      ids.map(async (petId) =>
        (await query(selectOpenOrderId, [petId])).map((orderId) => ({ petId, orderId })),
      ),
    );
    return found.flat();
  },
);
