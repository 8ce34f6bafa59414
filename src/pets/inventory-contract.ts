import { z } from "zod";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { countSchema } from "../contract/schema.ts";

const inventory = z
  .object({
    available: countSchema({ description: "Number of available animals.", example: 12 }),
    pending: countSchema({ description: "Number of pending animals.", example: 3 }),
    sold: countSchema({ description: "Number of sold animals.", example: 40 }),
    withoutStatus: countSchema({ description: "Number of animals without a status.", example: 0 }),
  })
  .meta({
    id: "Inventory",
    description:
      "Number of animals with each status. The sum of the four counts is the number of all animals in the store.",
  });
export type Inventory = z.infer<typeof inventory>;

export const inventoryOperations = sharing({ tag: "Store", stability: "beta" }, {
  getInventory: {
    method: "GET",
    path: "/store/inventory",
    summary: "Count the animals",
    description:
      "Returns the number of animals with each status, all counted at the same moment. If more than 10,000 animals have the same status, the counts " +
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
