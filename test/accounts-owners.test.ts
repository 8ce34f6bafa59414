import { expect, test } from "bun:test";
import { createAccount, removeAccount, requireAccount, setRole } from "../src/accounts/accounts.ts";
import { resetPassword } from "../src/accounts/invitations/password-reset.ts";
import { selectSessions } from "../src/accounts/sessions/session-store.ts";
import { beginSession } from "../src/accounts/sessions/sessions.ts";
import { selectAccounts } from "../src/accounts/store.ts";
import type { Context } from "../src/context.ts";
import type { Role } from "../src/contract/operation.ts";
import { createKey, listKeys, revokeKey, rotateKey } from "../src/keys/verbs.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { BROWSER } from "./call-console.ts";
import { freshSettings, onEachEngine, operatorContext } from "./test-app.ts";

// Several processes decide about owners and API keys at the same time. The tests imitate this with two connections to one database,
// on SQLite and on PostgreSQL.

const asOperator = <Result>(database: Database, work: (ctx: Context) => Promise<Result>) =>
  database.write((query) => work(operatorContext(query, 1)));
const make = (database: Database, email: string, role: Role = "staff") =>
  asOperator(database, (ctx) => createAccount(ctx, { email, passwordHash: "x", role }));
const rolesIn = async (database: Database) =>
  (await database.read(selectAccounts, [])).map(({ role }) => role).toSorted();

onEachEngine(
  (store) => {
    const open = async () => openDatabase("accounts", await freshSettings(store));
    async function openTwice() {
      const settings = await freshSettings(store);
      return [await openDatabase("accounts", settings), await openDatabase("accounts", settings)] as const;
    }

    test("when two first accounts are created at once, one is an owner's and the other is staff's", async () => {
      for (let round = 0; round < 5; round++) {
        const databases = await openTwice();
        await Promise.all(databases.map((database, index) => make(database, `${index}@example.com`)));
        expect(await rolesIn(databases[0])).toEqual(["owner", "staff"]);
        for (const database of databases) await database.close();
      }
    });

    test("when two owners demote or remove each other at once, one owner is left", async () => {
      const databases = await openTwice();
      const [one, other] = databases;
      let first = (await make(one, "0@example.com")).id;
      for (let round = 1; round <= 10; round++) {
        const second = (await make(one, `${round}@example.com`, "owner")).id;
        const unmake = [
          (ctx: Context) => setRole(ctx, { accountId: second, role: "viewer" }),
          (ctx: Context) => removeAccount(ctx, { accountId: first }),
        ] as const;
        const outcomes = await Promise.allSettled([
          asOperator<unknown>(one, unmake[0]),
          asOperator<unknown>(other, unmake[1]),
        ]);
        expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
        expect((await rolesIn(one)).filter((role) => role === "owner")).toEqual(["owner"]);
        if (outcomes[0].status === "rejected") first = second;
      }
      for (const database of databases) await database.close();
    });

    test("concurrent creates and rotations succeed until the account has 100 valid keys", async () => {
      const databases = await openTwice();
      const [one, other] = databases;
      const { id: accountId } = await make(one, "ada@example.com");
      const add = (ctx: Context, options = {}) =>
        createKey(ctx, { accountId, environment: "staging", name: "k", access: "read", ...options });
      const { key } = await asOperator(one, async (ctx) => {
        await revokeKey(ctx, { keyId: (await add(ctx)).key.id });
        await add({ ...ctx, now: 0 }, { expiresAt: 1 });
        for (let count = 1; count < 95; count++) await add(ctx);
        return add(ctx);
      });
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 9 }, (_, index) => asOperator(index % 2 ? one : other, (ctx) => add(ctx))),
        asOperator(other, (ctx) => rotateKey(ctx, { key })),
      ]);
      const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? outcome.reason : []));
      expect(refusals.map(({ code }) => code)).toEqual(Array(5).fill("conflict"));
      expect(await asOperator(one, (ctx) => listKeys(ctx, { accountId }))).toHaveLength(102);
      await expect(asOperator(one, (ctx) => rotateKey(ctx, { key }))).rejects.toMatchObject({
        code: "conflict",
      });
      await asOperator(one, (ctx) => revokeKey(ctx, { keyId: key.id }));
      await asOperator(one, (ctx) => add(ctx));
      for (const database of databases) await database.close();
    });

    test("a session that begins while the password is changed does not outlive the old password", async () => {
      const databases = await openTwice();
      const [one, other] = databases;
      const account = await make(one, "ada@example.com");
      let passwordHash = "x";
      for (let round = 0; round < 30; round++) {
        const changed = `x${round}`;
        await Promise.all([
          asOperator(one, (ctx) => beginSession(ctx, { ...BROWSER, account, passwordHash })),
          asOperator(other, (ctx) => resetPassword(ctx, { account, passwordHash: changed })),
        ]);
        expect(
          await one.read(selectSessions, {
            accountId: account.id,
            now: 2,
            idleSince: 0,
          }),
        ).toEqual([]);
        passwordHash = changed;
      }
      for (const database of databases) await database.close();
    });

    test("the local operator has an owner's rights and keeps its role, but is not counted as an owner", async () => {
      const database = await open();
      const operator = await asOperator(database, (ctx) => requireAccount(ctx));
      expect(operator.role).toBe("owner");
      const { id, role } = await make(database, "sole@example.com");
      expect(role).toBe("owner");
      await expect(
        asOperator(database, (ctx) => setRole(ctx, { accountId: id, role: "staff" })),
      ).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("the last owner") });
      await expect(
        asOperator(database, (ctx) => setRole(ctx, { accountId: operator.id, role: "viewer" })),
      ).rejects.toMatchObject({ code: "not_found" });
      await database.close();
    });
  },
  { always: true },
);
