import { z } from "zod";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { int64Parameter, pagingParameters } from "../contract/parameter.ts";
import { enumSchema, int64Schema, overlapSchema, textSchema, timeSchema } from "../contract/schema.ts";
import { eventType } from "../event-kinds/event-kinds.ts";
import { WEBHOOKS_MAX } from "../limits.ts";
import { parseHttpUrl } from "../platform/http-url.ts";

const WEBHOOK_URL_LENGTH_MAX = 2_048; // maximum length of a URL, in characters; a longer URL is refused

export const WEBHOOK_STATUSES = ["enabled", "disabled"] as const;

/**
 * The pattern of webhook URLs: visible ASCII characters except `#`. Spaces and line breaks are refused. URL parsers ignore them,
 * so the URL that is called would differ from the stored URL.
 */
const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[!-"$-~]+$';
const isAllowedPort = (port: number) => port >= 1_024 || port === 80 || port === 443;
const url = textSchema({
  description:
    "URL that receives the events: https (in staging, http is also allowed), port 80, 443 or at least 1024, and without a user name, password or fragment.",
  example: "https://hooks.example.com/petstore",
})
  .max(WEBHOOK_URL_LENGTH_MAX, { error: `must have at most ${WEBHOOK_URL_LENGTH_MAX} characters` })
  .refine((text) => new RegExp(URL_PATTERN).test(text) && parseHttpUrl(text) !== undefined, {
    error: "must be an http or https URL in ASCII, without a fragment",
  })
  .refine((text) => !/^https?:\/\/[^/?#]*@/.test(parseHttpUrl(text)?.href ?? ""), {
    error: "must not contain a user name or a password: the receiver should verify the signature instead",
  })
  .refine((text) => isAllowedPort(Number(parseHttpUrl(text)?.port || 443)), {
    error: "must have port 80 or 443, or a port of at least 1024",
  })
  .meta({ pattern: URL_PATTERN });

const types = z
  .array(eventType, { error: "must be an array" })
  .min(1, { error: "must contain at least one type" })
  .refine((all) => new Set(all).size === all.length, { error: "must contain each type only once" })
  .meta({
    description: "Types of the events that the webhook receives.",
    uniqueItems: true,
    maxItems: eventType.options.length,
  });

const status = enumSchema(WEBHOOK_STATUSES, {
  id: "WebhookStatus",
  description:
    "A `disabled` webhook receives nothing. You can disable a webhook, and the service disables a webhook whose URL answers 410.",
});

const newWebhook = z
  .object({
    url,
    types: types.optional().meta({ description: "Types of the events to send; all types if left out." }),
    status: status.optional().meta({ description: "`enabled` if left out." }),
  })
  .meta({ id: "NewWebhook", description: "A webhook to add." });

const webhookPatch = z
  .object({
    url: url.optional(),
    types: types.optional(),
    status: status.optional(),
  })
  .meta({ id: "WebhookPatch", description: "Changes to a webhook, as a JSON Merge Patch (RFC 7396)." });

const webhook = z
  .object({
    id: int64Schema({ minimum: 1, description: "Unique identifier, assigned by the service.", example: 1 }),
    url,
    types,
    status,
    createdAt: timeSchema("Time of creation, in UTC."),
  })
  .meta({ id: "Webhook", description: "A URL that events are sent to." });
export type Webhook = z.infer<typeof webhook>;

const webhookWithSecret = webhook
  .extend({
    secret: z.string().meta({
      description:
        "Secret that signs the deliveries (Standard Webhooks): `whsec_` and 32 bytes in base64. The secret is not shown again.",
      example: "whsec_cGV0c3RvcmUtZXhhbXBsZS1zZWNyZXQtMzJieXRlcyE=",
    }),
  })
  .meta({ id: "WebhookWithSecret", description: "A webhook with its new secret." });
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

const rotation = z
  .object({
    overlapHours: overlapSchema("Hours during which deliveries are also signed with the old secret"),
  })
  .meta({ id: "SecretRotation", description: "Options for replacing a webhook's secret." });

const example = {
  id: 1,
  url: "https://hooks.example.com/petstore",
  types: ["pet.created", "pet.updated"],
  status: "enabled",
  createdAt: "2026-01-01T12:00:00.000Z",
};
const withSecret = { ...example, secret: "whsec_cGV0c3RvcmUtZXhhbXBsZS1zZWNyZXQtMzJieXRlcyE=" };
export const pathParameters = {
  webhookId: int64Parameter({ description: "Identifier of the webhook.", example: 1 }),
};
export const all = { tag: "Webhooks", role: "owner", stability: "beta" } as const;

export const webhookOperations = sharing(all, {
  listWebhooks: {
    method: "GET",
    path: "/webhooks",
    summary: "List webhooks",
    description: "Lists webhooks, newest first, one page at a time.",
    query: pagingParameters,
    success: {
      status: 200,
      description: "A page of webhooks.",
      schema: z.array(webhook).meta({ id: "Webhooks", description: "Webhooks, newest first." }),
      example: [example],
      paged: true,
    },
    errors: ["invalid_cursor"],
  },
  createWebhook: {
    method: "POST",
    path: "/webhooks",
    summary: "Add a webhook",
    description: `Adds a URL that receives all later events. An environment can have at most ${WEBHOOKS_MAX} webhooks. The service generates the secret, and refuses a body that contains a secret. The secret appears only in this response, and in a replay of this response with the same \`Idempotency-Key\` within 24 hours.`,
    body: {
      schema: newWebhook,
      refused: { secret: "must be left out: the service generates the secret and shows it once" },
      examples: { pets: { url: example.url, types: example.types }, everything: { url: example.url } },
    },
    success: {
      status: 201,
      description: "The webhook was added.",
      schema: webhookWithSecret,
      example: withSecret,
      location: "/webhooks/{id}",
      secret: "secret",
    },
    errors: ["conflict"],
  },
  getWebhook: {
    method: "GET",
    path: "/webhooks/{webhookId}",
    summary: "Get a webhook",
    description: "Returns one webhook, without its secret.",
    pathParameters,
    success: { status: 200, description: "The webhook.", schema: webhook, example },
    errors: ["not_found"],
  },
  updateWebhook: {
    method: "PATCH",
    path: "/webhooks/{webhookId}",
    summary: "Change a webhook",
    description:
      "Changes the given members (RFC 7396). If `status` becomes `disabled`, the queued deliveries are dropped. If `status` becomes `enabled`, the webhook receives the events that happen from then on.",
    pathParameters,
    body: {
      schema: webhookPatch,
      refused: {
        secret: "must be left out: to get a new secret, use POST /webhooks/{webhookId}/rotate-secret",
      },
      mediaTypes: ["application/merge-patch+json", "application/json"],
      examples: { disabled: { status: "disabled" }, moved: { url: "https://hooks.example.com/pets" } },
    },
    success: {
      status: 200,
      description: "The changed webhook.",
      schema: webhook,
      example: { ...example, status: "disabled" },
    },
    errors: ["not_found"],
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/webhooks/{webhookId}",
    summary: "Remove a webhook",
    description: "Removes a webhook and its deliveries. The webhook's identifier is not used again.",
    pathParameters,
    success: { status: 204, description: "The webhook was removed." },
    errors: ["not_found"],
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/webhooks/{webhookId}/rotate-secret",
    summary: "Rotate a webhook's secret",
    description:
      "Gives a webhook a new secret. Deliveries are signed with both secrets until the overlap ends, or until the next rotation.",
    pathParameters,
    body: {
      schema: rotation,
      examples: { soon: { overlapHours: 1 }, default: {} },
    },
    success: {
      status: 200,
      description: "The webhook with its new secret.",
      schema: webhookWithSecret,
      example: withSecret,
      secret: "secret",
    },
    errors: ["not_found"],
  },
} as const satisfies DocumentedOperations);
