import { expect, test } from "bun:test";
import { createAccount } from "../src/accounts/accounts.ts";
import { claimMails, insertResetMail } from "../src/accounts/mail/store.ts";
import { openDatabase } from "../src/storage/open.ts";
import { freshSettings, onEachEngine, operatorContext } from "./test-app.ts";

onEachEngine((store) => {
  test("a password reset for an address without an account is never claimed, even before it is deleted", async () => {
    const accounts = await openDatabase("accounts", await freshSettings(store));
    const { email } = await accounts.write((query) =>
      createAccount(operatorContext(query, 1), {
        email: "ada@example.com",
        passwordHash: "x",
        role: "owner",
      }),
    );
    for (const to of ["nobody@example.com", email])
      await accounts.run(insertResetMail, {
        ...{ id: to, email: to, detail: "" },
        createdAt: 1,
        limit: 5,
        since: 0,
      });
    const claimed = await accounts.run(claimMails(accounts.locks.claim), [2, 3, 10]);
    expect(claimed).toMatchObject([{ email }]);
    await accounts.close();
  });
});
