import { afterAll, beforeAll, expect, test } from "bun:test";
import { linkIn, type MailServer, startMailServer } from "./mail-server.ts";
import { openJar, PUBLIC_ORIGIN } from "./provider-browser.ts";
import { onBothEngines, type Server } from "./server.ts";

// Tests emails to a real SMTP server: invitations, and links for people who have forgotten their password.

const PASSWORD = "nine gentle otters";

onBothEngines(({ freshStore, startServer }) => {
  let mailServer: MailServer;
  let server: Server;
  beforeAll(async () => {
    mailServer = await startMailServer();
    const env = {
      ...mailServer.env,
      PETSTORE_PRODUCTION_URL: `${PUBLIC_ORIGIN}/v1`,
      PETSTORE_TRUSTED_PROXIES: "127.0.0.1",
    };
    server = await startServer({ store: await freshStore(), env });
  });
  afterAll(async () => {
    await server.stop();
    await mailServer.stop();
  });

  test("an invitation is mailed and accepted; whoever forgets the password gets a link, and strangers learn nothing", async () => {
    const owner = openJar(server);
    await owner.call("POST /accounts", { email: "ada@example.com", password: PASSWORD });
    const invited = await owner.call("POST /invitations", { email: "Ben+pets@Example.com", role: "staff" });
    expect([invited.status, invited.json.isMailed]).toEqual([201, true]);
    const [invitation] = await mailServer.received(1);
    expect(invitation).toMatchObject({ from: "pets@example.com", to: ["ben+pets@example.com"] });
    expect(invitation?.raw).toContain("From: petstore <pets@example.com>");
    expect(invitation?.text).toContain("You've been invited to petstore as staff.");
    const { link, token } = linkIn(invitation ?? { text: "" });
    expect(link).toBe(`${PUBLIC_ORIGIN}/invitation#${token}`);
    // The link in the email differs from the one that the owner saw.
    expect(invited.json.link).not.toContain(token);

    const ben = openJar(server, "203.0.113.20");
    const accepted = await ben.call("POST /invitation/accept", { token, password: PASSWORD });
    expect([accepted.status, accepted.json.email]).toEqual([201, "ben+pets@example.com"]);
    const shown = invited.json.link.split("#")[1];
    expect((await ben.call("POST /invitation/read", { token: shown })).status).toBe(404);

    const stranger = openJar(server, "203.0.113.30");
    const ask = (email: string) => stranger.call("POST /password-reset/request", { email });
    const answers = [await ask("nobody@example.com"), await ask("BEN+pets@example.com")];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [204, ""],
      [204, ""],
    ]);
    const [, reset] = await mailServer.received(2);
    expect(reset?.to).toEqual(["ben+pets@example.com"]);
    const again = linkIn(reset ?? { text: "" });
    expect(again.link).toBe(`${PUBLIC_ORIGIN}/reset-password#${again.token}`);
    const use = () =>
      stranger.call("POST /password-reset", { token: again.token, password: "ten brave otters" });
    expect((await use()).status).toBe(204);
    expect((await use()).status).toBe(404);
    expect((await ben.call("GET /account/sessions")).status).toBe(401);
    const signedIn = await ben.call("POST /session", {
      email: "ben+pets@example.com",
      password: "ten brave otters",
    });
    expect(signedIn.status).toBe(201);
    const [, , notice] = await mailServer.received(3);
    expect(notice?.to).toEqual(["ben+pets@example.com"]);
    expect(notice?.text).toContain("Somebody used a link to set a new password");
    expect(notice?.text).toContain(`${PUBLIC_ORIGIN}/account`);

    const [{ id }] = (await owner.call("GET /accounts")).json.filter(
      ({ email }: { email: string }) => email === "ben+pets@example.com",
    );
    expect((await owner.call(`PATCH /accounts/${id}`, { role: "owner" })).status).toBe(200);
    const change = { currentPassword: PASSWORD, newPassword: "six patient herons" };
    expect((await owner.call("POST /account/password", change)).status).toBeLessThan(300);
    const told = (await mailServer.received(6)).slice(3);
    expect(told.map(({ to, text }) => [to[0], text.split("\r\n", 1)[0]]).toSorted()).toEqual([
      ["ada@example.com", "The password of your petstore account was changed (ada@example.com)."],
      ["ada@example.com", "ben+pets@example.com is now an owner of your petstore."],
      ["ben+pets@example.com", "ben+pets@example.com is now an owner of your petstore."],
    ]);
    expect((await owner.call("GET /mails/unsent")).json).toEqual([]);
  });
});
