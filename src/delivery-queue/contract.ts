import { z } from "zod";
import { enumSchema, timeSchema } from "../contract/schema.ts";
import { DELIVERY_ATTEMPTS_SHOWN_MAX } from "../limits.ts";

export const DELIVERY_STATUSES = ["queued", "delivered", "failed", "dropped"] as const;

export const deliveryStatus = enumSchema(DELIVERY_STATUSES, {
  id: "DeliveryStatus",
  description:
    "`queued` until it is `delivered`; `failed` when no further attempt is made. Only events are `dropped`: when their " +
    "webhook is disabled first.",
});

const attempt = z
  .object({
    createdAt: timeSchema("When it began, in UTC."),
    durationMs: z.int().min(0).meta({ description: "Milliseconds until its end.", example: 84 }),
    status: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .meta({ description: "HTTP status of the answer; null without one." }),
    error: z.string().nullable().meta({ description: "Why there was no answer; null with one." }),
  })
  .meta({ id: "DeliveryAttempt", description: "One try to deliver." });
export type DeliveryAttempt = z.infer<typeof attempt>;

/** Members that tell how far the delivery of a message or an event has come. */
export const progress = {
  nextAttemptAt: timeSchema(
    "Earliest time of the next attempt, in UTC. While an attempt is under way, the time at which it counts as lost. " +
      "Absent unless `queued`, and behind an earlier event of the same animal.",
  ).optional(),
  attempts: z.array(attempt).meta({
    description: "Its last attempts, newest first.",
    maxItems: DELIVERY_ATTEMPTS_SHOWN_MAX,
  }),
};
