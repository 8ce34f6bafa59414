/** A deliberate fault, as an exact change of one file, and the tests that must detect it. */
export interface Fault {
  readonly fault: string;
  /** Below the project's root. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly before: string;
  readonly after: string;
  /** Run until one of their tests fails. */
  readonly tests: readonly string[];
}

export const FAULTS: readonly Fault[] = [
  {
    fault: "a commit is not flushed to disk (synchronous=NORMAL)",
    file: "src/storage/sqlite/connection.ts",
    before: "PRAGMA synchronous = FULL",
    after: "PRAGMA synchronous = NORMAL",
    tests: ["test/storage/sqlite.test.ts"],
  },
  {
    fault: "callers are answered before the commit",
    file: "src/storage/sqlite/group-commit.ts",
    before: "    writer.commit();\n",
    after: "    for (const job of batch) job.settle();\n    writer.commit();\n",
    tests: ["test/storage/sqlite.test.ts"],
  },
  {
    fault: "one path needs no key",
    file: "src/http/api-key-authenticator.ts",
    before: "authenticate: (context) => authenticate(check, context),",
    after: `authenticate: async (context) =>
      context.path.endsWith("/store/orders")
        ? {
            kind: "key",
            keyId: "key_1",
            keyName: "x",
            accountId: 1,
            role: "owner",
            environment: "production",
            access: "read-write",
          }
        : authenticate(check, context),`,
    tests: ["test/security/every-answer.test.ts"],
  },
  {
    fault: "a revoked key is accepted",
    file: "src/keys/verify-key.ts",
    before: "return revokedAt === undefined && (",
    after: "return revokedAt !== 0 && (",
    tests: ["test/wire/rules.test.ts"],
  },
  {
    fault: "production accepts a key of staging",
    file: "src/http/api-key-authenticator.ts",
    before: "environment !== undefined && environment !== check.environment)",
    after: "environment === undefined && environment !== check.environment)",
    tests: ["test/wire/rules.test.ts"],
  },
  {
    fault: "an Idempotency-Key does not hold the second request back",
    file: "src/http/idempotency/idempotency.ts",
    before: "  if (recorded !== undefined) return replay(recorded, request, work);\n  const response",
    after: "  if (recorded?.resourceId === -1) return replay(recorded, request, work);\n  const response",
    tests: ["test/wire/store.test.ts"],
  },
  {
    fault: "a cursor goes with any filter",
    file: "src/pets/list-pets.ts",
    before: '["listPets", status, categoryId, ids]',
    after: '["listPets"]',
    tests: ["test/wire/interface.test.ts"],
  },
  {
    fault: "64-bit integers are rounded to doubles",
    file: "client/src/exact-number.ts",
    before: "return toInt64(exact);",
    after: "return Number(exact);",
    tests: ["test/wire/values.test.ts"],
  },
  {
    fault: "an ETag does not change with the body",
    file: "src/http/response.ts",
    before: "xxHash3(body)",
    after: 'xxHash3("")',
    tests: ["test/wire/rules.test.ts"],
  },
  {
    fault: "a sold animal can be ordered",
    file: "src/pets/store.ts",
    before: "WHERE id = $1 AND status = 'available' AND",
    after: "WHERE id = $1 AND",
    tests: ["test/wire/store.test.ts"],
  },
  {
    fault: "a change through the console may come from any page",
    file: "src/console/session-authenticator.ts",
    before: 'if (method === "GET") return;',
    after: 'if (method !== "") return;',
    tests: ["test/wire/accounts.test.ts"],
  },
  {
    fault: "a cached response is served after a write",
    file: "src/http/response-cache.ts",
    before: "entry === undefined || entry.version !== version()",
    after: "entry === undefined",
    tests: ["test/response-cache.test.ts"],
  },
  {
    fault: "the rate limit is off",
    file: "src/http/rate-limit.ts",
    before: "if (window.used >= requests) {",
    after: "if (window.used < 0) {",
    tests: ["test/rate-limit.test.ts"],
  },
  {
    fault: "If-Match is ignored",
    file: "src/http/if-match.ts",
    before: 'if (header === "*" || tags.includes(tag)) return;',
    after: 'if (header === "*" || tag !== "") return;',
    tests: ["test/wire/conditional-requests.test.ts"],
  },
  {
    fault: "a cursor of production goes in staging",
    file: "src/contract/cursor.ts",
    before: "[...query, environment],",
    after: "[...query, environment === undefined],",
    tests: ["test/wire/store.test.ts"],
  },
  {
    fault: "a change is made for a request that the runtime refuses",
    file: "src/http/open-connection.ts",
    before: "if (!signal.aborted) return;",
    after: "if (signal !== undefined) return;",
    tests: ["test/abuse/honest-outcomes.test.ts"],
  },
  {
    fault: "idempotency records go by the time of day",
    file: "src/http/idempotency/elapsed-time.ts",
    before: "Math.floor(from + clock.monotonicMs())",
    after: "Math.max(from, clock.now())",
    tests: ["test/idempotency-retention.test.ts"],
  },
  {
    fault: "a backup with a trigger is restored",
    file: "src/storage/backup/own-schema.ts",
    before: "if (foreign !== undefined)",
    after: 'if (foreign?.type === "")',
    tests: ["test/storage/forged-backups.test.ts"],
  },
  {
    fault: "messages are delivered to private networks",
    file: "src/delivery/destination.ts",
    before:
      "  if (found === undefined) return;\n  throw new DeliveryError(\n    `The webhook's name leads to",
    after: "  if (found !== null) return;\n  throw new DeliveryError(\n    `The webhook's name leads to",
    tests: ["src/delivery/destination.test.ts"],
  },
  {
    fault: "the identifier of a removed animal is given out again",
    file: "src/storage/migrations/sqlite/store/0001-pets-categories-orders.sql",
    before: "CREATE TABLE pet (\n  id INTEGER PRIMARY KEY AUTOINCREMENT",
    after: "CREATE TABLE pet (\n  id INTEGER PRIMARY KEY",
    tests: ["test/wire/interface.test.ts", "test/wire/store.test.ts"],
  },
  {
    fault: "roles are ignored",
    file: "src/http/require-access.ts",
    before: "if (hasRole(actor.role, role)) return;",
    after: "if (hasRole(actor.role, role) || id) return;",
    tests: ["test/security/roles.test.ts"],
  },
  {
    fault: "a role that is taken away while a body arrives counts until the next request",
    file: "src/http/pipeline.ts",
    before: "await pipeline.authenticator.revalidate(context, endpoint.operation);",
    after: "",
    tests: ["test/security/roles.test.ts"],
  },
  {
    fault: "two owners can demote each other at once",
    file: "src/accounts/owners.ts",
    before: "await query(changeGuard, []);",
    after: "void [query, changeGuard];",
    tests: ["test/accounts-owners.test.ts"],
  },
  {
    fault: "a change is not in the audit list",
    file: "src/audit/audited.ts",
    before: "for (const row of rows) {",
    after: "for (const row of rows.slice(1)) {",
    tests: ["test/wire/audit.test.ts"],
  },
  {
    fault: "sign-up that is open by default takes forwarded requests",
    file: "src/console/session-authenticator.ts",
    before: "return isDirect && isLoopbackHost",
    after: "return isLoopbackHost",
    tests: ["test/wire/sign-up.test.ts"],
  },
  {
    fault: "an invitation outlives the rights of the account that made it",
    file: "src/invitations/store.ts",
    before: "(SELECT id FROM account WHERE role = 'owner')",
    after: "(SELECT id FROM account)",
    tests: ["test/wire/invitations.test.ts"],
  },
  {
    fault: "a read that fails ends the process",
    file: "src/storage/sqlite/reader.ts",
    before: "} catch {}",
    after: "} finally {}",
    tests: ["test/crash/damaged-page.test.ts"],
  },
  {
    fault: "damage that the service found does not make it unready",
    file: "src/server/scrub.ts",
    before: "problems === undefined || problems[name].length === 0",
    after: "problems !== null",
    tests: ["test/crash/scrub.test.ts"],
  },
  {
    fault: "the last owner can be removed or demoted",
    file: "src/accounts/owners.ts",
    before: '[1] === "owner") return;',
    after: '[1] !== "owner") return;',
    tests: ["test/accounts-owners.test.ts"],
  },
  {
    fault: "a store is opened whatever its files are",
    file: "src/storage/identity/open-marked.ts",
    before: "if (!open.has(folder)) await refuseUnfit(dataDir);",
    after: "if (open.has(folder)) await refuseUnfit(dataDir);",
    tests: ["test/storage/store-states.test.ts"],
  },
  {
    fault: "after a loss no identifiers are left out for those that nothing tells of",
    file: "src/storage/identity/floors.ts",
    before: "listed?.isClosed ? highestIds : withGap(highestIds)",
    after: "listed?.isClosed ? highestIds : highestIds",
    tests: ["test/storage/restored-identifiers.test.ts"],
  },
  {
    fault: "a backup is not read back",
    file: "src/storage/backup/backup.ts",
    before: "    verifyBackup(made, options.onProgress);\n",
    after: "",
    tests: ["test/storage/forged-backups.test.ts"],
  },
];
