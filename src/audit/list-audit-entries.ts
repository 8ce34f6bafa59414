import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { AuditEntry, auditOperations } from "./contract.ts";
import { selectEntryPage } from "./store.ts";

/** The changes of both environments, newest first. */
export function listAuditEntries(
  { actor, query }: Context,
  input: Input<typeof auditOperations.listAuditEntries>,
): Maybe<Page<AuditEntry>> {
  return readPage(actor, input, ["listAuditEntries"], (below, count) =>
    query(selectEntryPage, [below, count]),
  );
}
