import type { Webhook } from "./contract.ts";

/** What the audit list says of a webhook: of its address the origin alone, since a path may hold a secret. */
export function auditTextsOf({ id, url }: Pick<Webhook, "id" | "url">): { subject: string; detail: string } {
  return { subject: `webhook ${id}`, detail: new URL(url).origin };
}
