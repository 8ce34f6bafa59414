import { z } from "zod";
import { enumSchema, timeSchema } from "../contract/schema.ts";
import { DELIVERY_ATTEMPTS_SHOWN_MAX } from "../limits.ts";

export const DELIVERY_STATUSES = ["queued", "delivered", "failed", "dropped"] as const;

export const deliveryStatus = enumSchema(DELIVERY_STATUSES, {
  id: "DeliveryStatus",
  description:
    "`queued` until it is `delivered`, or `failed` after the last attempt. A delivery of an event is `dropped` if its " +
    "webhook is disabled before it is delivered.",
});

const attempt = z
  .object({
    createdAt: timeSchema("Start of the attempt, in UTC."),
    durationMs: z
      .int()
      .min(0)
      .meta({ description: "Duration of the attempt, in milliseconds.", example: 84 }),
    status: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .meta({ description: "HTTP status of the response; null if there was none." }),
    error: z
      .string()
      .nullable()
      .meta({ description: "The reason why there was no response; null if there was one." }),
  })
  .meta({ id: "DeliveryAttempt", description: "One attempt to deliver." });
export type DeliveryAttempt = z.infer<typeof attempt>;

/** The members that show the progress of a delivery of a message or of an event. */
export const progress = {
  nextAttemptAt: timeSchema(
    "Earliest time of the next attempt, in UTC; during an attempt, the time at which that attempt counts as lost. Present only " +
      "while the status is `queued`, and absent while an earlier event of the same animal has to be delivered first.",
  ).optional(),
  attempts: z.array(attempt).meta({
    description: "The latest attempts, newest first.",
    maxItems: DELIVERY_ATTEMPTS_SHOWN_MAX,
  }),
};
