import { z } from "zod";
import { enumSchema, timeSchema } from "../contract/schema.ts";
import { DELIVERY_ATTEMPTS_SHOWN_MAX } from "../limits.ts";

export const DELIVERY_STATUSES = ["queued", "delivered", "failed", "dropped"] as const;

export const deliveryStatus = enumSchema(DELIVERY_STATUSES, {
  id: "DeliveryStatus",
  description:
    "`queued` at first, then `delivered`, or `failed` after the last attempt. A delivery of an event becomes `dropped` if its " +
    "webhook is disabled before the event is delivered.",
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
      .meta({ description: "HTTP status of the response; null if there was no response." }),
    error: z
      .string()
      .nullable()
      .meta({ description: "The reason why there was no response; null if there was a response." }),
  })
  .meta({ id: "DeliveryAttempt", description: "One attempt to deliver." });
export type DeliveryAttempt = z.infer<typeof attempt>;

/** The fields that show the progress of delivering a message or an event. */
export const progress = {
  nextAttemptAt: timeSchema(
    "Earliest time of the next attempt, in UTC. While an attempt is running, this is the time at which the service stops waiting for its result. Absent " +
      "if the status is not `queued`, or if an earlier event of the same animal has to be delivered first.",
  ).optional(),
  attempts: z.array(attempt).meta({
    description: "The latest attempts, newest first.",
    maxItems: DELIVERY_ATTEMPTS_SHOWN_MAX,
  }),
};
