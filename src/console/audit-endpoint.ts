import { type AuditSources, listAuditEntries } from "../accounts/audit/audit.ts";
import { auditOperations } from "../accounts/audit/contract.ts";
import { ENVIRONMENTS } from "../context.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import type { Database } from "../storage/database.ts";
import type { DatabaseName } from "../storage/store-files.ts";

/**
 * The audit list of the accounts and of every environment that this process serves.
 *
 * @param stores filled while the services start
 */
export function auditEndpoint(accounts: Database, stores: ReadonlyMap<DatabaseName, Database>): Endpoint {
  const sources = (): AuditSources =>
    new Map([
      ["accounts" as const, accounts.read],
      ...ENVIRONMENTS.flatMap((name) => {
        const store = stores.get(name);
        return store === undefined ? [] : [[name, store.read] as const];
      }),
    ]);
  return endpoint(auditOperations.listAuditEntries, ({ actor }, input) =>
    listAuditEntries(actor, sources(), input),
  );
}
