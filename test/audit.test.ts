import { describe, expect, test } from "bun:test";
import { createAccount } from "../src/accounts/create-account.ts";
import { pruneAccounts } from "../src/accounts/prune-accounts.ts";
import { selectAccounts } from "../src/accounts/store.ts";
import { recordFailedSignIn } from "../src/audit/audited.ts";
import type { AuditEntry } from "../src/audit/contract.ts";
import { listAuditEntries } from "../src/audit/list-audit-entries.ts";
import { insertEntry, selectEntryPage } from "../src/audit/store.ts";
import type { Actor, Context } from "../src/context.ts";
import { FAILED_SIGN_IN_RETENTION_MS } from "../src/limits.ts";
import { systemRandomBytes } from "../src/platform/random.ts";
import type { Database, Query } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { noRows, statement } from "../src/storage/statement.ts";
import type { DatabaseName } from "../src/storage/store-files.ts";
import { createWebhook } from "../src/webhooks/create-webhook.ts";
import { freshDatabaseUrl } from "./postgres/database.ts";
import { freshEmbeddedStore } from "./wire/stores.ts";

const NOW = FAILED_SIGN_IN_RETENTION_MS * 10;
const STRANGER: Actor = {
  kind: "anonymous",
  environment: "production",
  address: "198.51.100.7",
  userAgent: "",
  isLocal: false,
  isSharedAddress: false,
  passkeyTokens: [],
  origin: "",
};
const contextOf = (query: Query, actor: Actor = { kind: "operator" }, now = NOW): Context => ({
  query,
  actor,
  now,
  randomBytes: systemRandomBytes,
  requestId: "",
});

for (const [engine, freshStore] of [
  ["SQLite", async () => ({ dataDir: (await freshEmbeddedStore()).dataDir })],
  ["PostgreSQL", async () => ({ dataDir: "", databaseUrl: await freshDatabaseUrl() })],
] as const) {
  const openAccounts = async () => openDatabase("accounts", await freshStore());
  describe(`the audit list on ${engine}`, () => {
    test("has a webhook's entries in its environment's database, append-only, and only with their changes", async () => {
      const store = await openDatabase("production", await freshStore());
      const list = () => store.read(selectEntryPage, [1_000, 10]);
      const body = { url: "https://hooks.example.com/" };
      const create = (query: Query) =>
        createWebhook(contextOf(query), { body }, { privateDestinations: "refuse" });
      const failing = store.write(async (query) => {
        await create(query);
        throw new Error("later in the transaction");
      });
      await expect(failing).rejects.toThrow("later in the transaction");
      expect(await list()).toEqual([]);
      await store.write(create);
      expect((await list()).map(({ action }) => action)).toEqual(["webhook.created"]);
      for (const sql of ["UPDATE audit_entry SET actor = 'x'", "DELETE FROM audit_entry"])
        await expect(store.run(statement(sql, noRows), [])).rejects.toThrow("append-only");
      await store.close();
    }, 60_000);

    test("is merged page by page: each entry once, each database's in its own order, whatever the clocks said", async () => {
      const options = await freshStore();
      const databases: Database[] = [];
      const sources = new Map<DatabaseName, Query>();
      for (const [index, name] of (["accounts", "production", "staging"] as const).entries()) {
        const database = await openDatabase(name, options);
        databases.push(database);
        sources.set(name, database.read);
        // Some at the same time, and now and then a clock that was set back.
        for (let entry = 0; entry < 30; entry++) {
          const at = NOW + Math.floor(entry / 3) * 1_000 - (entry % 11 === 7 ? 5_000 * index : 0);
          await database.run(insertEntry, [at, "key.created", "operator", "", "", null, `${entry}`, ""]);
        }
      }
      for (const limit of [1, 4, 7, 100]) {
        const seen: AuditEntry[] = [];
        let cursor: string | undefined;
        do {
          const page = await listAuditEntries({ kind: "operator" }, sources, { limit, cursor });
          seen.push(...page.items);
          cursor = page.next;
        } while (cursor !== undefined);
        const numbersIn = (name: string) =>
          seen.flatMap(({ id, subject }) => (id.startsWith(`${name}-`) ? [Number(subject)] : []));
        const all = Array.from({ length: 30 }, (_, entry) => 29 - entry);
        for (const name of sources.keys()) expect([limit, name, numbersIn(name)]).toEqual([limit, name, all]);
        // Where no clock was set back, the list is in the order of time.
        const times = seen.slice(0, 6).map(({ at }) => at);
        expect(times).toEqual(times.toSorted().toReversed());
      }
      for (const database of databases) await database.close();
    }, 60_000);

    test("is append-only, and an entry stands or falls with its change", async () => {
      const accounts = await openAccounts();
      const list = () => accounts.read(selectEntryPage, [1_000, 10]);
      const create = (query: Query) =>
        createAccount(contextOf(query), { email: "ada@example.com", passwordHash: "x", role: "staff" });
      await expect(
        accounts.write(async (query) => {
          await create(query);
          throw new Error("later in the transaction");
        }),
      ).rejects.toThrow("later in the transaction");
      expect([await list(), await accounts.read(selectAccounts, [])]).toEqual([[], []]);
      await accounts.write(create);
      const before = await list();
      expect(before).toHaveLength(1);
      for (const sql of ["UPDATE audit_entry SET actor = 'x'", "DELETE FROM audit_entry"])
        await expect(accounts.run(statement(sql, noRows), [])).rejects.toThrow("append-only");
      expect(await list()).toEqual(before);
      await accounts.close();
    }, 60_000);

    test("forgets failed sign-ins after 90 days, and nothing else", async () => {
      const accounts = await openAccounts();
      await accounts.write((query) =>
        createAccount(contextOf(query), { email: "ada@example.com", passwordHash: "x", role: "staff" }),
      );
      const old = NOW - FAILED_SIGN_IN_RETENTION_MS - 60_000;
      for (const at of [old, NOW - 60_000])
        await recordFailedSignIn(contextOf(accounts.run, STRANGER, at), "ada@example.com");
      await pruneAccounts(accounts, NOW);
      const actions = (await accounts.read(selectEntryPage, [1_000, 10])).map(({ action }) => action);
      expect(actions).toEqual(["sign-in.failed", "account.created"]);
      await accounts.close();
    }, 60_000);
  });
}
