import { z } from "zod";
import { ENVIRONMENTS } from "../../context.ts";
import type { Operation } from "../../contract/operation.ts";
import { pagingParameters } from "../../contract/paging-parameters.ts";
import { enumSchema, textSchema, timeSchema } from "../../contract/schema.ts";

export const AUDIT_ACTIONS = [
  "account.created",
  "account.removed",
  "account.role-changed",
  "account.password-changed",
  "account.password-reset",
  "invitation.created",
  "invitation.accepted",
  "invitation.withdrawn",
  "reset-link.created",
  "key.created",
  "key.revoked",
  "key.rotated",
  "passkey.added",
  "passkey.removed",
  "session.created",
  "sign-in.failed",
  "webhook.created",
  "webhook.updated",
  "webhook.secret-rotated",
  "webhook.deleted",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const ACTOR_KINDS = ["key", "person", "anonymous", "operator"] as const;

const entry = z.object({
  id: z.string().meta({ description: "The database that has it, and its number there." }),
  at: timeSchema("Time of the change; of failed sign-ins, the minute."),
  action: enumSchema(AUDIT_ACTIONS, { description: "What was done." }),
  actor: z.object({
    kind: enumSchema(ACTOR_KINDS, { description: "What acted." }),
    name: textSchema({
      description: "The person's email address or the key's identifier; empty for others.",
    }),
  }),
  address: z.string().nullable().meta({ description: "Network address; null at the command line." }),
  environment: z.enum(ENVIRONMENTS).nullable(),
  subject: textSchema({
    description: "What it was done to: an email address, a key's identifier, or `webhook 1`.",
  }),
  detail: z.string(),
  times: z.number().meta({ description: "How often; more than 1 for failed sign-ins alone." }),
});
export type AuditEntry = z.infer<typeof entry>;

// For the console alone: the OpenAPI documents do not list it.
export const auditOperations = {
  listAuditEntries: {
    id: "listAuditEntries",
    method: "GET",
    path: "/audit",
    tag: "Console",
    summary: "List audit entries",
    description:
      "Changes of accounts, roles, invitations, keys and webhooks, sign-ins and their failures; newest first.",
    access: "read",
    role: "owner",
    query: pagingParameters,
    success: { status: 200, description: "A page of entries.", schema: z.array(entry), paged: true },
    errors: ["invalid_cursor"],
  },
} as const satisfies Record<string, Operation>;
