import { expect, test } from "bun:test";
import { asOperator, createAccount } from "../src/accounts/accounts.ts";
import { createInvitation } from "../src/accounts/invitations/invitations.ts";
import { createResetLink } from "../src/accounts/invitations/password-reset.ts";
import { pruneLinks } from "../src/accounts/invitations/store.ts";
import { openDatabase } from "../src/storage/open.ts";
import { numberColumn } from "../src/storage/row.ts";
import { statement } from "../src/storage/statement.ts";
import { freshSettings, onEachEngine } from "./test-app.ts";

const countLinks = statement("SELECT count(*) AS links FROM one_time_link", numberColumn("links"));

onEachEngine(
  (store) => {
    test("a link is deleted once it has expired, and not before", async () => {
      const accounts = await openDatabase("accounts", await freshSettings(store));
      const { expiresAt } = await asOperator(accounts, (ctx) => createInvitation(ctx, { role: "staff" }));
      const account = { email: "ada@example.com", passwordHash: "x", role: "staff" } as const;
      const { id: accountId } = await asOperator(accounts, (ctx) => createAccount(ctx, account));
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
