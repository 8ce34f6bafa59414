import { z } from "zod";
import { ENVIRONMENTS } from "../context.ts";
import {
  ACCESS_LEVELS,
  type AccessLevel,
  type DocumentedOperations,
  named,
  type Operations,
  ROLES,
  sharing,
} from "../contract/operation.ts";
import { opaqueParameter } from "../contract/parameter.ts";
import { enumSchema, overlapSchema, textSchema, timeSchema } from "../contract/schema.ts";

const ownKey = z
  .object({
    id: textSchema({
      description: "Identifier of the API key. This is not the key itself.",
      example: "key_4aYQwJdbBo8sV0rz",
    }),
    name: textSchema({ description: "Purpose of the key.", example: "till" }),
    environment: z.enum(ENVIRONMENTS).meta({ description: "Environment that the key is for." }),
    access: z.enum(ACCESS_LEVELS).meta({
      description:
        "Current access of the key: `read`, `sell` (read, and also place, complete and cancel orders) or `read-write`. While the account is a viewer, the key can only read.",
    }),
    role: z.enum(ROLES).meta({ description: "Current role of the account that owns the key." }),
    createdAt: timeSchema("Time at which the key was created, in UTC."),
    expiresAt: timeSchema(
      "Time at which the key expires, in UTC; absent if the key does not expire.",
    ).optional(),
  })
  .meta({ id: "Key", description: "The API key that sent the request." });
export type Key = z.infer<typeof ownKey>;

export const ownKeyOperations = sharing({ tag: "Key", stability: "beta" }, {
  getKey: {
    method: "GET",
    path: "/key",
    summary: "Get the key in use",
    description:
      "Describes the API key that sent this request: its name, environment, access and expiry, and the role of the account that owns it.",
    isCached: false,
    success: {
      status: 200,
      description: "The key.",
      schema: ownKey,
      example: {
        id: "key_4aYQwJdbBo8sV0rz",
        name: "till",
        environment: "production",
        access: "read-write",
        role: "staff",
        createdAt: "2026-01-01T12:00:00.000Z",
      },
    },
  },
} as const satisfies DocumentedOperations);

// The operations below exist only for the console, so no OpenAPI document lists them.

const name = textSchema({ description: "What the key is for.", example: "price display" });
const access = enumSchema(ACCESS_LEVELS, { description: "What the key may do." });

const newKey = z.object({
  name,
  access: access.optional(),
  expiresAt: timeSchema("Time at which the key expires; null, or left out, if the key never expires.")
    .nullable()
    .optional(),
});

/** An API key as the console shows it, without its secret. Times are in RFC 3339. */
export interface KeyView {
  /** Identifier of the API key. It is not secret. */
  readonly id: string;
  /** Email address of the key's owner. */
  readonly account: string;
  readonly name: string;
  readonly access: AccessLevel;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** Time when the key was last used, accurate to one minute. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  /** The first and last characters of the API key, such as `pet_live_9ndK…NnlR`. */
  readonly redacted: string;
  /** The identifier of the key that replaced this key when it was rotated. */
  readonly replacedBy: string | null;
}

/** A new API key. `token` is the key itself, which is shown only once. */
export interface MadeKey {
  readonly token: string;
  readonly key: KeyView;
}

const rotation = z.object({
  overlapHours: overlapSchema("Hours during which the old key still works"),
});

interface LoggedRequest {
  /** Time of the request, in RFC 3339. */
  readonly at: string;
  readonly method: string;
  readonly status: number;
  readonly requestId: string;
}

export interface KeyRequestView extends LoggedRequest {
  /** The template of the request's path, such as `/v1/pets/{petId}`; empty if no template matches the path. */
  readonly route: string;
}

export interface RefusalView extends LoggedRequest {
  readonly path: string;
  readonly code: string;
}

const keyId = opaqueParameter({ description: "The key.", expected: "a key's identifier" });

export const keyOperations = named({
  listKeys: {
    method: "GET",
    path: "/keys",
    success: { status: 200, schema: z.custom<readonly KeyView[]>() },
  },
  listAllKeys: {
    method: "GET",
    path: "/keys/all",
    role: "owner",
    success: { status: 200, schema: z.custom<readonly KeyView[]>() },
  },
  createKey: {
    method: "POST",
    path: "/keys",
    role: "viewer",
    body: { schema: newKey },
    success: { status: 201, schema: z.custom<MadeKey>() },
    errors: ["conflict"],
  },
  createOneHourKey: {
    method: "POST",
    path: "/keys/one-hour",
    role: "viewer",
    success: { status: 201, schema: z.custom<MadeKey>() },
    errors: ["conflict"],
  },
  revokeKey: {
    method: "DELETE",
    path: "/keys/{keyId}",
    role: "viewer",
    pathParameters: { keyId },
    success: { status: 204 },
  },
  rotateKey: {
    method: "POST",
    path: "/keys/{keyId}/rotate",
    role: "viewer",
    pathParameters: { keyId },
    body: { schema: rotation },
    success: { status: 201, schema: z.custom<MadeKey>() },
    errors: ["conflict"],
  },
  listRequests: {
    method: "GET",
    path: "/keys/{keyId}/requests",
    pathParameters: { keyId },
    success: { status: 200, schema: z.custom<readonly KeyRequestView[]>() },
  },
  listRefusals: {
    method: "GET",
    path: "/keys/{keyId}/refusals",
    pathParameters: { keyId },
    success: { status: 200, schema: z.custom<readonly RefusalView[]>() },
  },
} as const satisfies Operations);
