import { z } from "zod";
import type { Environment } from "../../context.ts";
import { named, type Operations } from "../../contract/operation.ts";
import { pagingParameters } from "../../contract/parameter.ts";

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
  "identity.linked",
  "identity.unlinked",
  "session.created",
  "sign-in.failed",
  "webhook.created",
  "webhook.updated",
  "webhook.secret-rotated",
  "webhook.deleted",
  "store.reset",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const ACTOR_KINDS = ["key", "person", "anonymous", "operator"] as const;

export interface AuditEntry {
  /** The identifier of the entry: the name of its database, followed by the entry's identifier in that database. */
  readonly id: string;
  /** Time of the change; for failed sign-ins, the minute when they happened. */
  readonly at: string;
  readonly action: AuditAction;
  /**
   * The actor who made the change. `name` is the person's email address or the key's identifier; it is empty for any other actor.
   */
  readonly actor: { readonly kind: (typeof ACTOR_KINDS)[number]; readonly name: string };
  /** The actor's network address; null if the change was made at the command line. */
  readonly address: string | null;
  readonly environment: Environment | null;
  /** The thing that was changed: an email address, a key's identifier, a webhook such as `webhook 1`, or `staging`. */
  readonly subject: string;
  readonly detail: string;
  /** Number of times that the event happened. This is 1 except for failed sign-ins: those in the same minute share an entry. */
  readonly times: number;
}

export const auditOperations = named({
  listAuditEntries: {
    method: "GET",
    path: "/audit",
    role: "owner",
    query: pagingParameters,
    success: { status: 200, schema: z.custom<readonly AuditEntry[]>(), paged: true },
  },
} as const satisfies Operations);
