import { z } from "zod";
import { timeSchema } from "../contract/schema.ts";

export const attempt = z
  .object({
    time: timeSchema("When it began, in UTC."),
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
