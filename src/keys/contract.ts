import { z } from "zod";
import { ACCESS_LEVELS, type Operation } from "../contract/operation.ts";
import { opaqueParameter } from "../contract/parameter.ts";
import { enumSchema, overlapSchema, textSchema, timeSchema } from "../contract/schema.ts";

// For the console alone: the OpenAPI documents do not list these operations.

const name = textSchema({ description: "What the key is for.", example: "price display" });
const access = enumSchema(ACCESS_LEVELS, { description: "What the key may do." });

const newKey = z.object({
  name,
  access: access.optional(),
  expiresAt: timeSchema("Time at which it expires; null or left out for never.").nullable().optional(),
});

const key = z.object({
  id: z.string().meta({ description: "Identifier of the key, not the key itself." }),
  account: textSchema({ description: "Email address of the account that owns it." }),
  name,
  access,
  createdAt: timeSchema("Time of creation."),
  expiresAt: timeSchema("Time at which it expires.").nullable(),
  lastUsedAt: timeSchema("Last use, to the minute.").nullable(),
  revokedAt: timeSchema("Time of the revocation.").nullable(),
  redacted: z.string().meta({ description: "Its first and last characters: pet_live_9ndK…NnlR" }),
  replacedBy: z.string().nullable().meta({ description: "Identifier of the key that has replaced it." }),
});
export type KeyView = z.infer<typeof key>;

const madeKey = z.object({
  token: z.string().meta({ description: "The key itself. It is not shown again." }),
  key,
});
export type MadeKey = z.infer<typeof madeKey>;

const rotation = z.object({
  overlapHours: overlapSchema("Hours in which the old key goes on"),
});

const refusal = z.object({
  at: timeSchema("Time of the request."),
  method: z.string(),
  path: z.string().meta({ description: "Without the query." }),
  status: z.number(),
  code: z.string(),
  requestId: z.string(),
});
export type RefusalView = z.infer<typeof refusal>;

const request = z.object({
  at: timeSchema("Time of the request."),
  method: z.string(),
  route: z.string().meta({ description: "`/v1/pets/{petId}`; empty for a path that no route matches." }),
  status: z.number(),
  requestId: z.string(),
});
export type KeyRequestView = z.infer<typeof request>;

const keyId = opaqueParameter({ description: "The key.", expected: "a key's identifier" });

const console = { tag: "Console" } as const;

export const keyOperations = {
  listKeys: {
    ...console,
    id: "listKeys",
    method: "GET",
    path: "/keys",
    summary: "List API keys",
    description: "This account's keys for this environment, newest first, revoked and expired ones too.",
    access: "read",
    success: { status: 200, description: "The keys.", schema: z.array(key) },
  },
  listAllKeys: {
    ...console,
    id: "listAllKeys",
    method: "GET",
    path: "/keys/all",
    summary: "List everybody's API keys",
    description:
      "The keys of every account for this environment, newest first, revoked and expired ones too.",
    access: "read",
    role: "owner",
    success: { status: 200, description: "The keys.", schema: z.array(key) },
  },
  createKey: {
    ...console,
    id: "createKey",
    method: "POST",
    path: "/keys",
    summary: "Create an API key",
    description: "Creates a key. This response alone contains it. A viewer's may only read.",
    access: "read-write",
    role: "viewer",
    body: {
      schema: newKey,
      mediaTypes: ["application/json"],
      examples: { display: { name: "price display" } },
    },
    success: { status: 201, description: "The key was created.", schema: madeKey },
  },
  createOneHourKey: {
    ...console,
    id: "createOneHourKey",
    method: "POST",
    path: "/keys/one-hour",
    summary: "Create a read key for an hour",
    description:
      "Creates a key for the requests of the API reference. It may only read, and expires after an hour.",
    access: "read-write",
    role: "viewer",
    success: { status: 201, description: "The key was created.", schema: madeKey },
  },
  revokeKey: {
    ...console,
    id: "revokeKey",
    method: "DELETE",
    path: "/keys/{keyId}",
    summary: "Revoke an API key",
    description: "Revokes a key of one's own for good; an owner revokes anybody's.",
    access: "read-write",
    role: "viewer",
    pathParameters: { keyId },
    success: { status: 204, description: "The key is revoked." },
  },
  rotateKey: {
    ...console,
    id: "rotateKey",
    method: "POST",
    path: "/keys/{keyId}/rotate",
    summary: "Rotate an API key",
    description:
      "Replaces a key of one's own by a new one, which this response alone contains, with its name, access and lifetime, counted from now. The old one goes on for an overlap, or until its own expiry.",
    access: "read-write",
    role: "viewer",
    pathParameters: { keyId },
    body: { schema: rotation, mediaTypes: ["application/json"], examples: { default: {} } },
    success: { status: 201, description: "The new key.", schema: madeKey },
  },
  listRequests: {
    ...console,
    id: "listRequests",
    method: "GET",
    path: "/keys/{keyId}/requests",
    summary: "List a key's last requests",
    description: "The last requests with a key of one's own, newest first; an owner sees anybody's.",
    access: "read",
    pathParameters: { keyId },
    success: { status: 200, description: "The requests.", schema: z.array(request) },
  },
  listRefusals: {
    ...console,
    id: "listRefusals",
    method: "GET",
    path: "/keys/{keyId}/refusals",
    summary: "List a key's refused requests",
    description:
      "The last requests with a key of one's own that were refused, newest first; an owner sees anybody's.",
    access: "read",
    pathParameters: { keyId },
    success: { status: 200, description: "The requests.", schema: z.array(refusal) },
  },
} as const satisfies Record<string, Operation>;
