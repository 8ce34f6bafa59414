import { test } from "bun:test";
import { until } from "../until.ts";
import { signUp } from "../wire/browser-session.ts";
import { linkIn, startMailServer } from "../wire/mail-server.ts";
import { startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { openBrowser } from "./browser.ts";
import { expectNoFaults, heading, withConsolePage } from "./console-page.ts";

test("an owner sends a failed email again, and a person who forgot the password sets a new one by a mailed link", async () => {
  await using closing = new AsyncDisposableStack();
  let isBack = false;
  const mail = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(
        address.startsWith("gone") && !isBack ? Object.assign(new Error("No"), { responseCode: 550 }) : null,
      ),
  });
  closing.defer(mail.stop);
  const server = await startServer({ store: await freshEmbeddedStore(), env: mail.env });
  closing.defer(async () => void (await server.stop()));
  const browser = await openBrowser();
  closing.defer(() => browser.close());
  const person = await signUp(server, "ada@example.com");
  for (const email of ["gone@example.com", "ben@example.com"])
    await person.call("POST /invitations", { email, role: "staff" });
  await mail.received(1);
  // The page reads the list of unsent emails only once. The test therefore opens the page only after the service has stored that
  // the mail server refused the email.
  await until(async () => (await person.read("/mails/unsent")).length === 1);
  await withConsolePage(browser, server, "/people", { person }, async (page) => {
    await page.getByRole("heading", { name: "Emails not sent" }).waitFor();
    await page.getByText("The mail server refused the email (550).").waitFor();
    await expectNoFaults(page);
    isBack = true;
    await Promise.all([
      page.getByText("The email to gone@example.com will be sent again").waitFor({ state: "attached" }),
      page.getByRole("button", { name: "Send again: Invitation, to gone@example.com" }).click(),
    ]);
    await mail.received(2);
  });
  await withConsolePage(browser, server, "/sign-in", {}, async (page) => {
    await page.getByText("Forgot your password?").click();
    await page.getByLabel("Your email").fill("ada@example.com");
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByText("If ada@example.com has an account").waitFor();
    await expectNoFaults(page);
    const [, , sent] = await mail.received(3);
    await page.goto(linkIn(sent ?? { text: "" }).link);
    await page.getByRole("textbox", { name: "New password" }).fill("ten brave otters");
    await page.getByRole("button", { name: "Set password" }).click();
    await heading(page, "Sign in");
    await page.getByText("You're signed out everywhere.").waitFor();
  });
});
