import type { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from "zod-openapi";
import { DELIVERY_DELAYS_MS, DELIVERY_TIMEOUT_MS } from "../../limits.ts";

/** Describes the requests that a service sends to webhooks, for the programs that receive them. */
export interface WebhookSection {
  readonly idExample: string;
  readonly gone: string;
  readonly requests: readonly WebhookRequest[];
}

export interface WebhookRequest {
  readonly name: string;
  /** The values that `type` can have in the request's body. */
  readonly types: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly schema: z.ZodType;
  readonly example: unknown;
}

/** Creates the `webhooks` of an OpenAPI 3.1 document, keyed by the name of the request. */
export function webhookObjects({ requests }: WebhookSection): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(requests.map((request) => [request.name, { post: webhookOperation(request) }]));
}

function webhookOperation({
  name,
  types: _,
  schema,
  example,
  ...described
}: WebhookRequest): ZodOpenApiOperationObject {
  return {
    operationId: `${name}Delivery`,
    ...described,
    // Webhook requests are signed, and carry no API key.
    security: [],
    parameters: ["WebhookIdHeader", "WebhookTimestamp", "WebhookSignature", "WebhookUserAgent"].map(
      (name) => ({
        $ref: `#/components/parameters/${name}`,
      }),
    ),
    requestBody: { required: true, content: { "application/json": { schema, example } } },
    responses: {
      "2XX": { $ref: "#/components/responses/WebhookAccepted" },
      410: { $ref: "#/components/responses/WebhookGone" },
      default: { $ref: "#/components/responses/WebhookRefused" },
    },
  };
}

/** Describes the header fields of every webhook delivery (Standard Webhooks) as OpenAPI parameters. */
export function webhookParameters({ idExample }: WebhookSection) {
  const [prefix] = idExample.split("_");
  return {
    WebhookIdHeader: headerField(
      "webhook-id",
      "The identifier of the delivery, the same in every attempt. If the receiver has already processed this identifier, it should answer 2xx and do nothing else.",
      `^${prefix}_[0-9A-Za-z]+$`,
      idExample,
    ),
    WebhookTimestamp: headerField(
      "webhook-timestamp",
      "Time of the attempt, in seconds since 1970. Refuse a delivery if this time is more than 5 minutes in the past or in the future, because the delivery may be a replay.",
      "^\\d+$",
      "1767268800",
    ),
    WebhookSignature: headerField(
      "webhook-signature",
      "`v1,`, followed by the HMAC-SHA256 (in base64) of `webhook-id`, `webhook-timestamp` and the body as sent, joined by full stops. " +
        "The key of the HMAC is the part of the secret after `whsec_`, decoded from base64. While the old secret is still valid after a rotation, there are " +
        "two signatures, separated by a space.",
      "^v1,[+/0-9A-Za-z]{43}=(?: v1,[+/0-9A-Za-z]{43}=)*$",
      "v1,3T/l76nBME5vNpbpqRQRN/N6vcimNBAGPSnmoQ1Ihhs=",
    ),
    WebhookUserAgent: headerField(
      "User-Agent",
      "The name and version of the program that sends the delivery.",
      "^petstore/",
      "petstore/1.0.0",
    ),
  };
}

function headerField(name: string, description: string, pattern: string, example: string) {
  const schema = { type: "string" as const, pattern };
  return { name, in: "header" as const, required: true, description, schema, example };
}

/** Describes the responses that the receiver of a webhook may send, and their effects on the delivery. */
export function webhookResponses({ gone }: WebhookSection) {
  const [, ...pauses] = DELIVERY_DELAYS_MS;
  return {
    WebhookAccepted: { description: "The delivery succeeded. Only the status of the response is used." },
    WebhookGone: { description: gone },
    WebhookRefused: {
      description:
        `Any other status, including redirects, or no response within ${inUnits(DELIVERY_TIMEOUT_MS)}: the delivery is retried ` +
        `after ${pauses.map(inUnits).join(", ")}, with a small random addition to each pause. If the last attempt fails, the delivery is \`failed\`.`,
    },
  };
}

/** Writes a duration with its unit: `5 s`, `2 h`. @param duration the duration in milliseconds */
function inUnits(duration: number): string {
  if (duration < 60_000) return `${duration / 1_000} s`;
  return duration < 3_600_000 ? `${duration / 60_000} min` : `${duration / 3_600_000} h`;
}
