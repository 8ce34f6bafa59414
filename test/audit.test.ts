import { expect, test } from "bun:test";
import { createAccount } from "../src/accounts/accounts.ts";
import { listAuditEntries, recordFailedSignIn } from "../src/accounts/audit/audit.ts";
import type { AuditEntry } from "../src/accounts/audit/contract.ts";
import { insertEntry, pruneFailedSignIns, selectEntryPage } from "../src/accounts/audit/store.ts";
import type { Actor } from "../src/context.ts";
import { FAILED_SIGN_IN_RETENTION_MS } from "../src/server/maintenance.ts";
import type { Database, Query } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { type Row, statement } from "../src/storage/statement.ts";
import type { DatabaseName } from "../src/storage/store-files.ts";
import { createWebhook } from "../src/webhooks/verbs.ts";
import { BROWSER } from "./call-console.ts";
import { freshSettings, onEachEngine, operatorContext } from "./test-app.ts";

const NOW = FAILED_SIGN_IN_RETENTION_MS * 10;
const STRANGER: Actor = { kind: "anonymous", ...BROWSER };
const createAda = (query: Query) => {
  const ada = { email: "ada@example.com", passwordHash: "x", role: "staff" } as const;
  return createAccount(operatorContext(query, NOW), ada);
};
const createHook = (query: Query) => {
  const body = { url: "https://hooks.example.com/" };
  return createWebhook(
    operatorContext(query, NOW),
    { body },
    { environment: "production", privateDestinations: "refuse" },
  );
};

onEachEngine(
  (store) => {
    test.each([
      ["accounts", "account", createAda],
      ["production", "webhook", createHook],
    ] as const)(
      "in %s the audit log is append-only, and each entry is committed together with its %s",
      async (...of) => {
        const [name, table, create] = of;
        const database = await openDatabase(name, await freshSettings(store));
        const actions = async () =>
          (await database.read(selectEntryPage, [1_000, 10])).map(({ action }) => action);
        const rows = statement<[], Row, string>(`SELECT id FROM ${table}`, (row) => row);
        const failing = database.write(async (query) => {
          await create(query);
          throw new Error("later in the transaction");
        });
        await expect(failing).rejects.toThrow("later in the transaction");
        expect([await actions(), await database.read(rows, [])]).toEqual([[], []]);
        await database.write<unknown>(create);
        for (const sql of ["UPDATE audit_entry SET actor = 'x'", "DELETE FROM audit_entry"])
          await expect(database.run(statement(sql), [])).rejects.toThrow("append-only");
        expect(await actions()).toEqual([`${table}.created`]);
        await database.close();
      },
    );

    test("pages merged from several databases show each audit entry once and in order, whatever the clocks showed", async () => {
      const options = await freshSettings(store);
      const databases: Database[] = [];
      const sources = new Map<DatabaseName, Query>();
      for (const [index, name] of (["accounts", "production", "staging"] as const).entries()) {
        const database = await openDatabase(name, options);
        databases.push(database);
        sources.set(name, database.read);
        // Adds three entries per second. In production and staging, every 11th entry has a time that is 5 or 10 s too early.
        for (let entry = 0; entry < 30; entry++) {
          const at = NOW + Math.floor(entry / 3) * 1_000 - (entry % 11 === 7 ? 5_000 * index : 0);
          await database.run(insertEntry, {
            at,
            action: "key.created",
            actorKind: "operator",
            actor: "",
            address: "",
            environment: null,
            subject: `${entry}`,
            detail: "",
          });
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
        // The six newest entries have correct times, so they must be sorted by time.
        const times = seen.slice(0, 6).map(({ at }) => at);
        expect(times).toEqual(times.toSorted().toReversed());
      }
      for (const database of databases) await database.close();
    });

    test("failed sign-ins are forgotten after 90 days, and nothing else", async () => {
      const accounts = await openDatabase("accounts", await freshSettings(store));
      await accounts.write(createAda);
      for (const at of [NOW - FAILED_SIGN_IN_RETENTION_MS - 60_000, NOW - 60_000])
        await recordFailedSignIn(
          { ...operatorContext(accounts.run, at), actor: STRANGER },
          "ada@example.com",
        );
      await accounts.run(pruneFailedSignIns, [NOW - FAILED_SIGN_IN_RETENTION_MS]);
      const actions = (await accounts.read(selectEntryPage, [1_000, 10])).map(({ action }) => action);
      expect(actions).toEqual(["sign-in.failed", "account.created"]);
      await accounts.close();
    });
  },
  { always: true },
);
