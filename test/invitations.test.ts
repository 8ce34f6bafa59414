import { expect, test } from "bun:test";
import { asOperator, createAccount } from "../src/accounts/accounts.ts";
import {
  createAcceptInvitation,
  createInvitation,
  createOwnerLink,
  type NewLink,
  OWNER_LINKS_MAX,
  withdrawInvitation,
} from "../src/accounts/invitations/invitations.ts";
import { createResetLink } from "../src/accounts/invitations/password-reset.ts";
import { pruneLinks, selectInvitations } from "../src/accounts/invitations/store.ts";
import { createPasswords } from "../src/accounts/passwords.ts";
import { createLoginThrottle } from "../src/accounts/sessions/login-throttle.ts";
import { selectAccounts } from "../src/accounts/store.ts";
import type { Context, SessionActor } from "../src/context.ts";
import { LINK_LIFE_MS } from "../src/limits.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open.ts";
import { numberColumn } from "../src/storage/row.ts";
import { statement } from "../src/storage/statement.ts";
import { BROWSER } from "./call-console.ts";
import { CHEAP_PASSWORDS } from "./cheap-passwords.ts";
import { freshSettings, onEachEngine, operatorContext } from "./test-app.ts";

const countLinks = statement("SELECT count(*) AS links FROM one_time_link", numberColumn("links"));

const ADA = { email: "ada@example.com", passwordHash: "x", role: "staff" } as const;
const passwords = createPasswords(CHEAP_PASSWORDS);

/** Accepts an invitation link as a browser would. Resolves to the role of the new account, or to the error code. */
function accept(accounts: Database, link: NewLink | undefined, email: string): Promise<string> {
  const token = link?.path.split("#")[1] ?? "";
  const check = { accounts, passwords, throttle: createLoginThrottle(accounts) };
  const verb = createAcceptInvitation(check, "invite");
  const ctx: Context = {
    ...operatorContext(accounts.read, Date.now()),
    actor: { kind: "anonymous", ...BROWSER },
    write: accounts.write,
  };
  return verb(ctx, { body: { token, email, password: "nine gentle otters" } }).then(
    ({ account }) => account.role,
    ({ code }) => code,
  );
}

onEachEngine(
  (store) => {
    async function openTwice() {
      const settings = await freshSettings(store);
      return [await openDatabase("accounts", settings), await openDatabase("accounts", settings)] as const;
    }

    test("the first account, however it is created, ends only the links for the first owner", async () => {
      const [accounts, other] = await openTwice();
      const first = await asOperator(accounts, createOwnerLink);
      const second = await asOperator(other, createOwnerLink);
      const named = { email: "bea@example.com", role: "owner" } as const;
      const invited = await asOperator(accounts, (ctx) => createInvitation(ctx, named));
      const staff = await asOperator(accounts, (ctx) => createInvitation(ctx, { role: "staff" }));
      await asOperator(accounts, (ctx) => createAccount(ctx, ADA));
      expect(await asOperator(other, createOwnerLink)).toBeUndefined();
      for (const link of [first, second])
        expect(await accept(other, link, "eve@example.com")).toBe("not_found");
      expect(await accept(other, invited, named.email)).toBe("owner");
      expect(await accept(accounts, staff, "cy@example.com")).toBe("staff");
      const later = await asOperator(accounts, (ctx) => createInvitation(ctx, { role: "owner" }));
      expect(await accept(other, later, "dan@example.com")).toBe("owner");
      for (const database of [accounts, other]) await database.close();
    });

    test("when two people use two links for the first owner at once, only one gets an account", async () => {
      for (let round = 0; round < 5; round++) {
        const databases = await openTwice();
        const links = [
          await asOperator(databases[0], createOwnerLink),
          await asOperator(databases[1], createOwnerLink),
        ];
        const outcomes = await Promise.all(
          databases.map((database, index) => accept(database, links[index], `${index}@example.com`)),
        );
        expect(outcomes.toSorted()).toEqual(["not_found", "owner"]);
        const accounts = await databases[0].read(selectAccounts, []);
        expect([accounts.length, await databases[0].read(countLinks, [])]).toEqual([1, [0]]);
        for (const database of databases) await database.close();
      }
    });

    test("a link for the first owner that is made at the same time as the first account is not valid afterwards", async () => {
      for (let round = 0; round < 5; round++) {
        const [one, other] = await openTwice();
        await Promise.all([
          asOperator(one, (ctx) => createAccount(ctx, ADA)),
          asOperator(other, createOwnerLink),
        ]);
        expect(await one.read(countLinks, [])).toEqual([0]);
        for (const database of [one, other]) await database.close();
      }
    });

    test("a restart loop makes a bounded number of links for the first owner", async () => {
      const accounts = await openDatabase("accounts", await freshSettings(store));
      const start = (now: number) => accounts.write((query) => createOwnerLink(operatorContext(query, now)));
      for (let count = 0; count < OWNER_LINKS_MAX; count++) expect(await start(1)).toBeDefined();
      for (let count = 0; count < 5; count++) expect(await start(2)).toBeUndefined();
      expect(await accounts.read(countLinks, [])).toEqual([OWNER_LINKS_MAX]);
      expect(await start(LINK_LIFE_MS + 1)).toBeDefined();
      await accounts.close();
    });

    test("an owner's invitations without an address are all valid, until one is withdrawn", async () => {
      const accounts = await openDatabase("accounts", await freshSettings(store));
      const { id: accountId, createdAt } = await asOperator(accounts, (ctx) => createAccount(ctx, ADA));
      const actor: SessionActor = {
        ...{ kind: "session", sessionId: "ses_1", role: "owner", accountCreatedAt: createdAt },
        ...{ ...BROWSER, accountId, email: ADA.email },
      };
      const invite = () =>
        asOperator(accounts, (ctx) => createInvitation({ ...ctx, actor }, { role: "staff" }));
      const links = [await invite(), await invite(), await invite()];
      const [newest] = await accounts.read(selectInvitations, [Date.now()]);
      await asOperator(accounts, (ctx) => withdrawInvitation(ctx, { invitationId: newest?.id ?? "" }));
      const outcomes = [];
      for (const [index, link] of links.entries())
        outcomes.push(await accept(accounts, link, `${index}@example.com`));
      expect(outcomes.toSorted()).toEqual(["not_found", "staff", "staff"]);
      await accounts.close();
    });

    test("a link is deleted once it has expired, and not before", async () => {
      const accounts = await openDatabase("accounts", await freshSettings(store));
      const { expiresAt } = await asOperator(accounts, (ctx) => createInvitation(ctx, { role: "staff" }));
      const { id: accountId } = await asOperator(accounts, (ctx) => createAccount(ctx, ADA));
      const reset = await asOperator(accounts, (ctx) => createResetLink(ctx, { accountId }));
      const prune = (now: number) => accounts.run(pruneLinks, [now]);
      await prune(expiresAt - 1);
      expect(await accounts.read(countLinks, [])).toEqual([2]);
      await prune(reset.expiresAt);
      expect(await accounts.read(countLinks, [])).toEqual([0]);
      await accounts.close();
    });
  },
  { always: true },
);
