import { describe, expect, test } from "bun:test";
import { createAccount } from "../src/accounts/create-account.ts";
import { pruneAccounts } from "../src/accounts/prune-accounts.ts";
import { selectAccounts } from "../src/accounts/store.ts";
import { recordFailedSignIn } from "../src/audit/audited.ts";
import { selectEntryPage } from "../src/audit/store.ts";
import type { Actor, Context } from "../src/context.ts";
import { FAILED_SIGN_IN_RETENTION_MS } from "../src/limits.ts";
import { systemRandomBytes } from "../src/platform/random.ts";
import type { Query } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { noRows, statement } from "../src/storage/statement.ts";
import { freshDatabaseUrl } from "./postgres/database.ts";
import { freshEmbeddedStore } from "./wire/server.ts";

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

for (const [engine, openAccounts] of [
  ["SQLite", async () => openDatabase("accounts", { dataDir: (await freshEmbeddedStore()).dataDir })],
  [
    "PostgreSQL",
    async () => openDatabase("accounts", { dataDir: "", databaseUrl: await freshDatabaseUrl() }),
  ],
] as const) {
  describe(`the audit list on ${engine}`, () => {
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
