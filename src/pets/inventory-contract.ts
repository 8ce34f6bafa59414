import { z } from "zod";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { countSchema } from "../contract/schema.ts";

const inventory = z
  .object({
    available: countSchema({ description: "Animals that are available.", example: 12 }),
    pending: countSchema({ description: "Animals that are pending.", example: 3 }),
    sold: countSchema({ description: "Animals that are sold.", example: 40 }),
    withoutStatus: countSchema({ description: "Animals without a status.", example: 0 }),
  })
  .meta({
    id: "Inventory",
    description: "How many animals have each status. The four numbers add up to all animals of the store.",
  });
export type Inventory = z.infer<typeof inventory>;

export const inventoryOperations = sharing({ tag: "Store", stability: "beta" }, {
  getInventory: {
    method: "GET",
    path: "/store/inventory",
    summary: "Count the animals",
    description:
      "Returns how many animals have each status, counted at one moment. If more than 10,000 animals have the same status, the counts " +
      "may be up to 5 seconds old.",
    isCached: false,
    success: {
      status: 200,
      description: "The counts.",
      schema: inventory,
      example: { available: 12, pending: 3, sold: 40, withoutStatus: 0 },
      searchParameters: [],
    },
  },
} as const satisfies DocumentedOperations);
