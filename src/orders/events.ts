import { z } from "zod";
import { eventKind } from "../events/kind.ts";
import { order } from "./contract.ts";

const previousOrder = order
  .pick({ complete: true })
  .partial()
  .extend({
    completedAt: z
      .null()
      .optional()
      .meta({ description: "Always null, because an order has no `completedAt` until it is completed." }),
  })
  .meta({
    id: "PreviousOrder",
    description: "The members that were changed, with their old values.",
  });

export const orderEvents = eventKind({
  id: "OrderEvent",
  types: ["order.placed", "order.completed", "order.cancelled"],
  animal: "petId",
  data: order,
  previous: previousOrder,
});
