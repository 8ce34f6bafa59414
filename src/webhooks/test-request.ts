import { z } from "zod";
import type { WebhookRequest } from "../contract/openapi/webhooks.ts";
import { timeSchema } from "../contract/schema.ts";
import { TEST_TYPE } from "./delivery-contract.ts";

const payload = z
  .object({
    type: z.literal(TEST_TYPE).meta({ description: "What happened." }),
    timestamp: timeSchema("Time at which the test was asked for, in UTC."),
    data: z.object({}).meta({ description: "Empty." }),
  })
  .meta({ id: "WebhookTestPayload", description: "The body of a test." });

/** What `testWebhook` has delivered. */
export const testRequest: WebhookRequest = {
  type: TEST_TYPE,
  summary: "A test was asked for",
  description: "Sent by `testWebhook`, also to a webhook that takes other types. It is no event.",
  schema: payload,
  example: { type: TEST_TYPE, timestamp: "2026-01-01T12:00:00.000Z", data: {} },
};
