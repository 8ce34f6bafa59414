import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { SMTPServerOptions } from "smtp-server";
import { until } from "../until.ts";
import { linkIn, type MailServer, startMailServer } from "./mail-server.ts";
import { petstore } from "./process.ts";
import { openJar, PUBLIC_ORIGIN } from "./provider-browser.ts";
import { startServer } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tests mail servers that misbehave, addresses that could redirect an email, and people who try to misuse emails.

const PASSWORD = "nine gentle otters";
const running: { stop(): Promise<unknown> }[] = [];
afterAll(() => Promise.all(running.map((one) => one.stop())));
const TLS = join(import.meta.dir, "../tls");
const pem = (name: string) => Bun.file(join(TLS, name)).text();
const CERTIFICATE = { key: await pem("database-server.key.pem"), cert: await pem("database-server.pem") };

async function start(env: Readonly<Record<string, string>>) {
  const server = await startServer({
    store: await freshEmbeddedStore(),
    env: {
      PETSTORE_PRODUCTION_URL: `${PUBLIC_ORIGIN}/v1`,
      PETSTORE_TRUSTED_PROXIES: "127.0.0.1",
      PETSTORE_SIGN_UP: "open",
      PETSTORE_MAIL_FROM: "petstore <pets@example.com>",
      ...env,
    },
  });
  running.push(server);
  const owner = openJar(server);
  await owner.call("POST /accounts", { email: "ada@example.com", password: PASSWORD });
  return {
    server,
    owner,
    invite: (email = "ben@example.com") => owner.call("POST /invitations", { email, role: "staff" }),
    unsent: async () => (await owner.call("GET /mails/unsent")).json,
    async firstUnsent() {
      let first: Awaited<ReturnType<typeof owner.call>>["json"];
      await until(async () => {
        [first] = (await owner.call("GET /mails/unsent")).json;
        return first !== undefined;
      });
      return first;
    },
    /** Resolves once no email is waiting to be sent. Up to four emails are sent at the same time, so they may arrive in any order. */
    async untilSent() {
      using accounts = new Database(join(server.store.dataDir, "accounts.sqlite"), { readonly: true });
      const queued = accounts.query("SELECT 1 FROM mail WHERE status = 'queued'");
      await until(() => queued.all().length === 0);
    },
  };
}

async function startMail(options?: SMTPServerOptions): Promise<MailServer> {
  const mail = await startMailServer(options);
  running.push(mail);
  return mail;
}

const refusing = (responseCode: number, isOnce = false): SMTPServerOptions => {
  let refusals = 0;
  return {
    onRcptTo(_address, _session, done) {
      if (isOnce && refusals > 0) return done();
      refusals++;
      done(Object.assign(new Error("No"), { responseCode }));
    },
  };
};

describe("a mail server that", () => {
  test("does not know the recipient (550) gets no retry, and the owner sees the failure", async () => {
    const mail = await startMail(refusing(550));
    const store = await start(mail.env);
    expect((await store.invite()).status).toBe(201);
    expect(await store.firstUnsent()).toMatchObject({
      kind: "invitation",
      email: "ben@example.com",
      isRetried: false,
      reason: "The mail server refused the email (550).",
    });
  });

  test("did not know the recipient (550) gets the email again, with a working link, when the owner or the operator asks for that", async () => {
    const mail = await startMail(refusing(550, true));
    const store = await start(mail.env);
    await store.invite();
    const { id } = await store.firstUnsent();
    const failedMails = async () =>
      (await store.owner.call("GET /overview?days=0")).json.attention.failedMails;
    expect(await failedMails()).toBe(1);
    const run = (...args: string[]) => petstore(store.server.store, args, { env: mail.env });
    expect((await run("doctor")).out).toContain(
      "warn  emails not sent: 1 email failed, the latest to ben@example.com: The mail server refused the email (550).",
    );
    expect((await run("accounts", "mails", "--output", "id")).out).toBe(`${id}\n`);
    const again = (mailId: string) => store.owner.call(`POST /mails/${mailId}/redeliver`);
    expect([(await again("mail_x")).status, (await again(id)).status]).toEqual([404, 204]);
    const [sent] = await mail.received(1);
    const browser = openJar(store.server, "203.0.113.50");
    const { token } = linkIn(sent ?? { text: "" });
    expect((await browser.call("POST /invitation/read", { token })).status).toBe(200);
    await until(async () => (await store.unsent()).length === 0);
    expect([(await again(id)).status, await failedMails()]).toEqual([409, 0]);
    expect((await run("accounts", "redeliver", id)).err).toContain("Only a failed email can be sent again.");
    expect((await run("doctor")).out).toContain("ok    emails not sent: none");
  });

  test("refused an invitation that was cancelled leaves nothing to send again", async () => {
    const mail = await startMail(refusing(550));
    const store = await start(mail.env);
    await store.invite();
    const { id } = await store.firstUnsent();
    const [invitation] = (await store.owner.call("GET /invitations")).json;
    await store.owner.call(`DELETE /invitations/${invitation.id}`);
    expect(await store.unsent()).toEqual([]);
    const again = await store.owner.call(`POST /mails/${id}/redeliver`);
    expect([again.status, again.json.message]).toEqual([
      409,
      "The link in this email is not valid any more. Create a new link.",
    ]);
  });

  test("asks to retry later (451) gets the email later, with another link; both links work until one is used", async () => {
    const mail = await startMail(refusing(451, true));
    const store = await start(mail.env);
    await store.invite();
    expect(await store.firstUnsent()).toMatchObject({
      isRetried: true,
      reason: "The mail server refused the email (451).",
    });
    const [sent] = await mail.received(1);
    // The service records an email as sent only once the mail server has accepted it.
    await until(async () => (await store.unsent()).length === 0);
    const browser = openJar(store.server, "203.0.113.50");
    const { token } = linkIn(sent ?? { text: "" });
    expect((await browser.call("POST /invitation/read", { token })).status).toBe(200);
  });

  test("has no TLS gets no password", async () => {
    const seen: unknown[] = [];
    const mail = await startMail({
      allowInsecureAuth: true,
      onAuth(auth, _session, done) {
        seen.push(auth);
        done(null, { user: "pets" });
      },
    });
    const store = await start({ PETSTORE_SMTP_URL: `smtp://pets:hush-hush@127.0.0.1:${mail.port}` });
    await store.invite();
    const { reason } = await store.firstUnsent();
    expect(reason).toContain("could not be reached");
    expect(reason).not.toContain("hush-hush");
    expect([seen, mail.mails]).toEqual([[], []]);
  });

  test("has an untrusted certificate gets neither password nor email", async () => {
    const mail = await startMail({ disabledCommands: [], authOptional: false, ...CERTIFICATE });
    const store = await start({ PETSTORE_SMTP_URL: `smtp://pets:hush-hush@localhost:${mail.port}` });
    await store.invite();
    expect((await store.firstUnsent()).reason).toMatch(/could not be reached.*certificate/i);
    expect(mail.mails).toEqual([]);
  });

  test("does not answer delays one attempt, but no change", async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", () => resolve()));
    running.push({
      async stop() {
        for (const socket of sockets) socket.destroy();
        silent.close();
      },
    });
    const { port } = silent.address() as { port: number };
    const store = await start({ PETSTORE_SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect((await store.invite()).status).toBe(201);
    expect((await store.firstUnsent()).isRetried).toBe(true);
    expect((await store.invite("carl@example.com")).status).toBe(201);
  });

  test("is unavailable delays the email", async () => {
    const store = await start({ PETSTORE_SMTP_URL: "smtp://127.0.0.1:9" });
    expect((await store.invite()).status).toBe(201);
    expect(await store.firstUnsent()).toMatchObject({ isRetried: true });
  });
});

test("STARTTLS and smtps sign in with the password if the certificate is valid", async () => {
  for (const scheme of ["smtp", "smtps"]) {
    const mail = await startMail({
      ...{ disabledCommands: [], authOptional: false, secure: scheme === "smtps" },
      ...CERTIFICATE,
      onAuth: ({ username, password }, _session, done) => done(null, { user: `${username} ${password}` }),
    });
    const env = {
      PETSTORE_SMTP_URL: `${scheme}://pets%40shop:p%2Fw@localhost:${mail.port}`,
      PETSTORE_MAIL_FROM: "pets@example.com",
      NODE_EXTRA_CA_CERTS: join(TLS, "database-authority.pem"),
    };
    const { startProcess } = await import("./process.ts");
    const store = await freshEmbeddedStore();
    const server = await startProcess({ store, env });
    running.push(server);
    const origin = new URL(server.production).origin;
    const created = await petstore(store, ["accounts", "create", "ada@example.com"], {
      input: `${PASSWORD}\n`,
    });
    expect(created.code).toBe(0);
    const asked = await fetch(`${origin}/console/api/password-reset/request`, {
      method: "POST",
      headers: { Origin: origin, "Content-Type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com" }),
    });
    expect(asked.status).toBe(204);
    const [sent] = await mail.received(1);
    expect(sent).toMatchObject({ user: "pets@shop p/w", isTls: true, to: ["ada@example.com"] });
    const doctor = await petstore(store, ["doctor"], { env });
    expect(doctor.out).toContain("ok    mail: ");
  }
});

describe("an address", () => {
  test.each([
    "a,b@example.com",
    '"quoted"@example.com',
    "plus+tag@example.com",
    "x;y@example.com",
    "ünï@example.com",
    "a:b@example.com",
    "pair(comment)@example.com",
  ])("%j is one recipient, whatever its special characters mean elsewhere", async (email) => {
    const mail = await startMail();
    const store = await start(mail.env);
    await store.invite(email);
    await until(async () => mail.mails.length > 0 || (await store.unsent()).length > 0);
    const to = mail.mails.flatMap((one) => one.to);
    expect(to.length).toBeLessThanOrEqual(1);
    for (const [header] of mail.mails.map(({ raw }) => raw.split("\r\n\r\n")))
      expect(header?.match(/^(To|Cc|Bcc): /gim)).toEqual(["To: "]);
    expect(to).toEqual([email]);
  });

  test.each(["a@example.com\r\nBcc: eve@example.com", "<eve@example.com> a@example.com", "a@b@c"])(
    "%j is refused before it is stored",
    async (email) => {
      const mail = await startMail();
      const store = await start(mail.env);
      expect((await store.invite(email)).status).toBe(400);
    },
  );
});

describe("a link that was mailed", () => {
  test("ends when another invitation replaces it, or it is cancelled", async () => {
    const mail = await startMail();
    const store = await start(mail.env);
    await store.invite();
    const [first] = await mail.received(1);
    await store.invite();
    const [, second] = await mail.received(2);
    const browser = openJar(store.server, "203.0.113.60");
    const statusOf = async (sent = { text: "" }) =>
      (await browser.call("POST /invitation/read", { token: linkIn(sent).token })).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    const [{ id }] = (await store.owner.call("GET /invitations")).json;
    await store.owner.call(`DELETE /invitations/${id}`);
    expect(await statusOf(second)).toBe(404);
  });

  test("of a reset leaves a link valid that an owner has already handed over", async () => {
    const mail = await startMail();
    const store = await start(mail.env);
    const [{ id }] = (await store.owner.call("GET /accounts")).json;
    const { json } = await store.owner.call(`POST /accounts/${id}/reset-link`);
    await mail.received(1);
    const stranger = openJar(store.server, "203.0.113.70");
    await stranger.call("POST /password-reset/request", { email: "ada@example.com" });
    await mail.received(2);
    const token = json.link.split("#")[1];
    const used = await stranger.call("POST /password-reset", { token, password: "ten brave otters" });
    expect(used.status).toBe(204);
  });
});

describe("a stranger who asks for resets", () => {
  test("cannot fill anybody's mailbox, and has to wait by network address", async () => {
    const mail = await startMail();
    const store = await start(mail.env);
    const stranger = openJar(store.server, "203.0.113.80");
    const statuses: number[] = [];
    for (let count = 0; count < 22; count++)
      statuses.push(
        (await stranger.call("POST /password-reset/request", { email: "ada@example.com" })).status,
      );
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(204));
    expect(statuses).toContain(429);
    await store.untilSent();
    expect(mail.mails.filter(({ to }) => to.includes("ada@example.com"))).toHaveLength(5);
  });

  test("causes the same rows to be written for a known and an unknown address", async () => {
    const store = await start({ PETSTORE_SMTP_URL: "smtp://127.0.0.1:9" });
    const stranger = openJar(store.server, "203.0.113.90");
    for (const email of ["ada@example.com", "nobody@example.com"]) {
      const { status, body } = await stranger.call("POST /password-reset/request", { email });
      expect([status, body]).toEqual([204, ""]);
    }
    expect((await stranger.call("POST /password-reset/request", { email: "no address" })).status).toBe(400);
    // A request beyond the limit also stores a row. Otherwise it would be faster than a request for an unknown address, and the
    // time would reveal that the address is known.
    for (let count = 0; count < 6; count++)
      await stranger.call("POST /password-reset/request", { email: "ada@example.com" });
    const file = join(store.server.store.dataDir, "accounts.sqlite");
    using accounts = new Database(file, { readonly: true });
    expect(
      accounts
        .query(
          "SELECT status, count(*) AS rows FROM mail WHERE email = 'ada@example.com' GROUP BY status ORDER BY status",
        )
        .all(),
    ).toEqual([
      { status: "dropped", rows: 2 },
      { status: "queued", rows: 5 },
    ]);
  });
});

test("somebody who signs up with another person's address can have at most ten notices of a kind sent there in a day", async () => {
  const mail = await startMail();
  const store = await start(mail.env);
  const eve = openJar(store.server, "203.0.113.95");
  await eve.call("POST /accounts", { email: "victim@example.com", password: PASSWORD });
  const passwords = [PASSWORD, "ten brave otters"];
  for (let count = 0; count < 13; count++) {
    const [currentPassword, newPassword] = count % 2 === 0 ? passwords : passwords.toReversed();
    const changed = await eve.call("POST /account/password", { currentPassword, newPassword });
    expect(changed.status).toBe(204);
  }
  await store.untilSent();
  expect(mail.mails.filter(({ to }) => to.includes("victim@example.com"))).toHaveLength(10);
});

test("the start refuses incomplete or invalid mail settings, and mail without a public address unless it serves only loopback", async () => {
  const store = await freshEmbeddedStore();
  const env = { PETSTORE_SMTP_URL: "smtp://pets:hush-hush@mail.example.com" };
  const half = await petstore(store, ["serve"], { env });
  expect([half.code, half.err]).toEqual([2, expect.stringContaining("PETSTORE_MAIL_FROM is missing")]);
  const open = await petstore(store, ["serve"], {
    env: { ...env, PETSTORE_MAIL_FROM: "pets@example.com", PETSTORE_HOST: "0.0.0.0" },
  });
  expect([open.code, open.err]).toEqual([2, expect.stringContaining("PETSTORE_PRODUCTION_URL is missing")]);
  const bad = await petstore(store, ["serve"], {
    env: { PETSTORE_SMTP_URL: "http://pets:hush-hush@x", PETSTORE_MAIL_FROM: "a@b\nBcc: c@d" },
  });
  expect([bad.code, bad.err]).toEqual([2, expect.stringContaining("PETSTORE_MAIL_FROM must be")]);
  expect(`${half.err}${open.err}${bad.err}`).not.toContain("hush-hush");
});
