import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { messagesDocument, petstoreDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import { accountId, type BrowserSession, openBrowserSession } from "../wire/browser-session.ts";
import { createDestination } from "../wire/deliveries.ts";
import { petstore, type ServerProcess, startProcess } from "../wire/process.ts";
import { type Reply, replyOf, send, sendRaw } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore, type Store } from "../wire/stores.ts";

// Sends secrets, such as passwords and keys, in every right and wrong way. After that, no output that other people can read may
// contain one of them.

const PASSWORD = "canary-password-Zq81";
const NEXT_PASSWORD = "canary-password-Zq82";
const WRONG_PASSWORD = "canary-password-Zq83";
const DATABASE_PASSWORD = "canary-database-Zq84";
const WEBHOOK_PASSWORD = "canary-webhook-Zq85";
const WEBHOOK_PATH = "canary-path-Zq86";
const SIGNING = Buffer.from("canary-signing-secret-Zq87-bytes").toString("base64");
const EVENTS_PATH = "canary-events-Zq88";
const ADA = "ada@example.com";

interface Secrets {
  readonly key: string;
  readonly staging: string;
  readonly session: string;
  /** Tokens with which a person signed in to production is signed in to staging: one that has been used, and one that has not. */
  readonly transfers: readonly string[];
  /** The tokens of an invitation link and of a password-reset link. */
  readonly links: readonly string[];
  /** The secrets that sign a webhook's deliveries: the original one, and the one that replaced it. */
  readonly signing: readonly string[];
}

/** All responses, except those that are meant to show a secret to its owner. */
type Replies = Reply[];

const stores: [engine: string, fresh: () => Promise<Store>, contents: (store: Store) => Promise<string>][] = [
  ["SQLite", freshEmbeddedStore, filesOf],
  ["PostgreSQL", storeWithPassword, rowsOf],
];

for (const [engine, freshStore, contentsOf] of stores) {
  describe(`on ${engine}`, () => {
    test("no key, password, session or configured secret is in a log, an error, a metric or the stored data", async () => {
      const store = await freshStore();
      const destination = createDestination(500);
      const server = await startProcess({ store, env: webhookEnvironment(new URL(destination.url).port) });
      const replies: Replies = [];
      const secrets = await openAccount(server, replies);
      await useKeys(server, secrets, replies);
      await misuseKeys(server, secrets, replies);
      await signInAndOut(server, secrets, replies);
      await server.logged("a message was not delivered");
      await destination.stop();
      await send("POST", `${server.messages}/messages`, { key: secrets.key, body: '{"message":"again"}' });
      await server.logged("could not be reached");
      const commandOutput = await commandLine(store);
      const metrics = await send("GET", server.metrics);
      await breakStore(store);
      const faults = [
        await send("GET", `${server.production}/pets?limit=9`, { key: secrets.key }),
        await send("POST", `${server.production}/pets?key=${secrets.key}`, { key: secrets.key, body: "{}" }),
        await send("POST", `${server.production}/pets`, {
          key: secrets.key,
          body: '{"name":"x","categoryId":1}',
        }),
      ];
      expect(faults.map(({ status }) => status)).toEqual([500, 400, 500]);
      await server.logged('"msg":"fault"');
      const kept = await contentsOf(store);
      await server.stop();

      const outputs: Record<string, string> = {
        "the log": server.log(),
        "standard error": await server.errors(),
        metrics: metrics.body,
        answers: [...replies, ...faults].map(asText).join("\n"),
        "the command line": commandOutput,
        "what is stored": kept,
      };
      expect(
        [secrets.key, secrets.staging, secrets.session, ...secrets.links, ...secrets.transfers].map(
          ({ length }) => length,
        ),
      ).toEqual([...[59, 59, 43, 43, 43, 43, 43]]);
      // Makes sure that the searched outputs are the real ones, and are not empty.
      expect(outputs["the log"]).toContain('"operation":"createPet"');
      expect(outputs["metrics"]).toContain("petstore_requests_total");
      expect(outputs["what is stored"]).toContain(ADA);
      const canaries = Object.entries(everyCanary(secrets));
      for (const [output, text] of Object.entries(outputs)) {
        // Searches in lower case, because the log contains the email addresses of sign-ins in lower case, and a person may type a
        // password into the email field.
        const small = text.toLowerCase();
        const found = canaries.filter(
          ([name, canary]) => !MAY_HAVE[output]?.test(name) && small.includes(canary.toLowerCase()),
        );
        expect([output, found.map(([name]) => name)]).toEqual([output, []]);
      }
    });
  });
}

/**
 * The outputs that may contain a secret: the stored data contains the secrets and addresses that deliveries need, and an owner can
 * see the addresses.
 */
const MAY_HAVE: Readonly<Record<string, RegExp>> = {
  "what is stored": /^an? (event|rotated)/,
  answers: /^an event webhook's path/,
};

function everyCanary({
  key,
  staging,
  session,
  transfers: [used = "", unused = ""],
  links: [invitation = "", reset = ""],
  signing: [made = "", rotated = ""],
}: Secrets): Record<string, string> {
  const plain = {
    "the key": key,
    "the key's secret part": key.slice("pet_live_".length, -7),
    "the staging key": staging,
    "the session": session,
    "a used transfer token": used,
    "an unused transfer token": unused,
    "an invitation's token": invitation,
    "a reset link's token": reset,
    "the password": PASSWORD,
    "the next password": NEXT_PASSWORD,
    "the wrong password": WRONG_PASSWORD,
    "the database's password": DATABASE_PASSWORD,
    "the webhook's password": WEBHOOK_PASSWORD,
    "the webhook's path": WEBHOOK_PATH,
    "the signing secret": SIGNING,
    "an event webhook's secret": made.slice("whsec_".length),
    "a rotated secret": rotated.slice("whsec_".length),
    "an event webhook's path": EVENTS_PATH,
  };
  const encoded = Object.entries(plain).flatMap(([name, text]) => [
    [`${name}, in hexadecimal`, Buffer.from(text).toString("hex")],
    [`${name}, in base64`, Buffer.from(text).toString("base64").replace(/=+$/, "")],
  ]);
  return { ...plain, ...Object.fromEntries(encoded) };
}

function webhookEnvironment(port: string): Record<string, string> {
  return {
    PETSTORE_LOG: "debug",
    PETSTORE_MESSAGES_WEBHOOK: `http://canary:${WEBHOOK_PASSWORD}@127.0.0.1:${port}/${WEBHOOK_PATH}`,
    PETSTORE_MESSAGES_WEBHOOK_PRIVATE: "allow",
    PETSTORE_MESSAGES_WEBHOOK_SECRET: `whsec_${SIGNING}`,
  };
}

async function openAccount(server: ServerProcess, replies: Replies): Promise<Secrets> {
  const browser = openBrowserSession(server);
  replies.push(withoutCookie(await browser.call("POST /accounts", { email: ADA, password: PASSWORD })));
  const session = (browser.cookie() ?? "").split("=")[1] ?? "";
  const made = await browser.call("POST /keys", { name: "till" });
  for (const request of [
    "GET /keys",
    "GET /account/sessions",
    "GET /session",
    "GET /overview",
    "GET /developers",
    "GET /messages",
  ])
    replies.push(await browser.call(request));
  const links = await followLinks(server, browser);
  const url = `https://hooks.example.invalid/${EVENTS_PATH}`;
  const webhook = (await browser.call("POST /webhooks", { url })).json;
  const rotated = (await browser.call("POST /webhooks/1/rotate-secret", {})).json;
  await browser.call("POST /webhooks/1/test");
  await server.logged("an event was not delivered");
  for (const request of [
    ...[
      "POST /webhooks/1/test",
      "GET /webhooks",
      "GET /webhooks/1",
      "GET /webhooks/1/deliveries",
      "GET /audit",
    ],
    "PATCH /webhooks/1",
  ]) {
    const body = request.startsWith("PATCH") ? [{ status: "disabled" }] : [];
    replies.push(await browser.call(request, ...body));
  }
  return {
    ...{ key: made.json.token, links, transfers: await transferSession(server, browser, replies) },
    signing: [webhook.secret, rotated.secret],
    staging: await makeKey(server.store, { environment: "staging" }),
    session,
  };
}

/** Signs the person in to staging with a token, and checks that tokens are refused everywhere else. */
async function transferSession(
  { production, staging }: ServerProcess,
  person: BrowserSession,
  replies: Replies,
): Promise<readonly string[]> {
  const askForToken = async () => (await person.call("POST /session/transfer-token")).json;
  const [{ url, token: used }, { token: unused }] = [await askForToken(), await askForToken()];
  const submit = async (token: string, origin: string, query = "") => {
    const headers = { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" };
    const reply = await send("POST", url + query, { headers, body: `token=${token}&page=/` });
    replies.push(withoutCookie(reply));
    return reply.headers.get("Location");
  };
  const { origin } = new URL(production);
  expect(await submit(used, origin)).toBe("/");
  expect(await submit(used, origin)).toBe("/sign-in?from=production");
  expect(await submit(unused, new URL(staging).origin)).toBe("/sign-in?from=production");
  expect(await submit("x", origin, `?token=${unused}`)).toBe("/sign-in?from=production");
  return [used, unused];
}

/** Invites a person and resets a password. Opens and uses the links for both. */
async function followLinks(server: ServerProcess, owner: BrowserSession): Promise<readonly string[]> {
  const email = "lin@example.com";
  const stranger = openBrowserSession(server);
  const tokenOf = async (request: string, body?: object) =>
    (await owner.call(request, body)).json.link.split("#")[1];
  const invitation = await tokenOf("POST /invitations", { email, role: "staff" });
  await stranger.call("POST /invitation/read", { token: invitation });
  const accepted = await stranger.call("POST /invitation/accept", { token: invitation, password: PASSWORD });
  const id = await accountId(owner, email);
  const reset = await tokenOf(`POST /accounts/${id}/reset-link`);
  const used = await stranger.call("POST /password-reset", { token: reset, password: NEXT_PASSWORD });
  expect([accepted.status, used.status]).toEqual([201, 204]);
  return [invitation, reset];
}

/** Calls every operation with an API key in the right header, with both valid and invalid requests. */
async function useKeys(server: ServerProcess, { key, staging }: Secrets, replies: Replies): Promise<void> {
  const body = '{"name":"x","categoryId":1,"petId":1,"message":"x","status":"available"}';
  const bases = [
    [server.production, key, petstoreDocument],
    [server.staging, staging, stagingDocument],
    [server.messages, key, messagesDocument],
  ] as const;
  for (const [base, own, { operations }] of bases) {
    for (const { method, path } of operations) {
      const address = base + path.replaceAll(/\{\w+\}/g, "1");
      const sent = method === "GET" || method === "DELETE" ? {} : { body };
      replies.push(await send(method, address, { key: own, ...sent }));
      replies.push(await send(method, address, { key: `${own}x`, ...sent }));
      replies.push(await send(method, address, { key: own === key ? staging : key, ...sent }));
      replies.push(await send(method, `${address}?nonsense=1`, { key: own, ...sent }));
    }
  }
}

/** Puts an API key in every place in a request where it does not belong, both with and without a valid credential. */
async function misuseKeys(
  { production, messages }: ServerProcess,
  { key }: Secrets,
  replies: Replies,
): Promise<void> {
  const { origin } = new URL(production);
  const paths = [
    ...[
      `/v1/${key}`,
      `/v1/pets/${key}`,
      `/v1/store/orders/${key}/complete`,
      `/${key}`,
      `/docs/assets/${key}`,
    ],
    ...[`/v1/pets?key=${key}`, `/v1/pets?status=${key}`, `/v1/pets?cursor=${key}`, `/v1/pets?${key}=1`],
    ...[`/v1/pets?id=${key}`, `/?key=${key}`, `/docs?key=${key}`, `/console/api/${key}`],
  ];
  const headers: Record<string, string>[] = [
    { "X-Request-Id": key },
    { Cookie: `petstore-production=${key}` },
    { Authorization: `Basic ${btoa(`${key}:`)}` },
    { Authorization: key },
    {
      "X-API-Key": key,
      "User-Agent": key,
      Referer: `https://x.example/${key}`,
      Origin: `https://${key}.example`,
    },
    { Accept: `application/problem+json;q=1, text/${key}`, "If-None-Match": `"${key}"` },
    { "Content-Type": `text/${key}` },
  ];
  const bodies = [`{"key":"${key}"}`, `{"name":{"${key}":1}}`, `"${key}"`, `{${key}`, `{"status":"${key}"}`];
  for (const credential of [{ key }, {}]) {
    for (const path of paths) {
      for (const method of ["GET", "PUT"]) replies.push(await send(method, origin + path, credential));
    }
    for (const one of headers) {
      const isAuthorization = "Authorization" in one;
      const options = { ...(isAuthorization ? {} : credential), headers: one };
      replies.push(await send("GET", `${production}/pets`, options));
      replies.push(await send("POST", `${messages}/messages`, { ...options, body: "{" }));
    }
    for (const body of bodies) {
      for (const address of [`${production}/pets`, `${production}/store/orders`, `${messages}/messages`])
        replies.push(await send("POST", address, { ...credential, body }));
      replies.push(await send("PATCH", `${production}/pets/1`, { ...credential, body }));
    }
  }
  const raw = `GET /v1/pets HTTP/1.1\r\nHost: ${key}:x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
  for (const bytes of [raw, raw.replace("GET", key), raw.replace("Host:", `${key}\r\nHost:`)])
    replies.push(replyOf(0, new Headers(), await sendRaw(production, bytes)));
}

/** Signs in with right and wrong passwords, both in the password field and in the email field. */
async function signInAndOut(server: ServerProcess, { key }: Secrets, replies: Replies): Promise<void> {
  const browser = openBrowserSession(server);
  const statuses: number[] = [];
  async function call(request: string, body?: unknown, headers?: Record<string, string>): Promise<void> {
    const reply = await browser.call(request, body, headers);
    statuses.push(reply.status);
    replies.push(withoutCookie(reply));
  }
  await call("POST /session", { email: ADA, password: WRONG_PASSWORD });
  await call("POST /session", { email: PASSWORD, password: ADA });
  await call("POST /accounts", { email: PASSWORD, password: PASSWORD });
  await call("POST /accounts", { email: `${"x".repeat(300)}@example.com`, password: PASSWORD });
  await call("POST /session", { email: ADA, password: [PASSWORD] });
  await call(`POST /session?password=${PASSWORD}`, { email: ADA, password: PASSWORD });
  await call("POST /session", { email: ADA, password: PASSWORD }, { Origin: `https://${PASSWORD}.example` });
  await call("POST /session", { email: ADA, password: key });
  await call("POST /session", { email: ADA, password: PASSWORD });
  await call("POST /account/password", { currentPassword: WRONG_PASSWORD, newPassword: NEXT_PASSWORD });
  await call("POST /account/password", { currentPassword: PASSWORD, newPassword: ADA });
  await call("POST /account/password", { currentPassword: PASSWORD, newPassword: NEXT_PASSWORD });
  await call("POST /account/delete", { password: WRONG_PASSWORD });
  await call("POST /account/delete", { passwort: NEXT_PASSWORD });
  await call("DELETE /session");
  expect(statuses).toEqual([401, 401, 400, 400, 400, 400, 403, 401, 201, 400, 400, 204, 400, 400, 204]);
}

/** Returns the output of petstore commands, without the API keys that they are meant to print. */
async function commandLine(store: Store): Promise<string> {
  const runs = [
    await petstore(store, ["accounts", "create", "grace@example.com"], { input: `${PASSWORD}\n` }),
    await petstore(store, ["accounts", "create", "grace@example.com"], { input: `${PASSWORD}\n` }),
    await petstore(store, ["accounts", "reset-password", "grace@example.com"], {
      input: `${NEXT_PASSWORD}\n`,
    }),
    await petstore(store, ["accounts", "list", "--json"]),
    await petstore(store, ["keys", "list", "--json"]),
    await petstore(store, ["keys", "list"]),
    await petstore(store, ["migrate", "--status"]),
    await petstore(store, ["serve"], {
      env: { ...webhookEnvironment("1"), PETSTORE_MESSAGES_WEBHOOK_PRIVATE: "refuse" },
    }),
    await petstore(store, ["keys", "list"], { env: { PETSTORE_DATABASE_URL: unreachable() } }),
    await petstore(store, ["copy", "--from", unreachable(), "--to", unreachable()]),
  ];
  expect(runs.map(({ code }) => code)).toEqual([0, 2, 0, 0, 0, 0, 0, 2, 1, 1]);
  return runs.map(({ out, err }) => out + err).join("\n");
}

const unreachable = () => `postgres://petstore:${DATABASE_PASSWORD}@127.0.0.1:1/petstore`;

/** Removes `Set-Cookie`, which only the owner of the session can see. */
function withoutCookie(reply: Reply): Reply {
  const headers = new Headers(reply.headers);
  headers.delete("set-cookie");
  return replyOf(reply.status, headers, reply.body);
}

function asText({ headers, body }: Reply): string {
  return `${JSON.stringify([...headers])}\n${body}`;
}

async function storeWithPassword(): Promise<Store> {
  const store = await freshPostgresStore();
  const address = new URL(store.settings["PETSTORE_DATABASE_URL"] ?? "");
  address.password = DATABASE_PASSWORD;
  return { ...store, settings: { ...store.settings, PETSTORE_DATABASE_URL: address.href } };
}

/** Breaks a running service by renaming the table of animals. */
async function breakStore({ dataDir, settings }: Store): Promise<void> {
  const url = settings["PETSTORE_DATABASE_URL"];
  if (url === undefined) {
    const database = new Database(`${dataDir}/production.sqlite`);
    database.run("PRAGMA busy_timeout = 5000");
    database.run("ALTER TABLE pet RENAME TO gone");
    database.close();
    return;
  }
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe("ALTER TABLE production.pet RENAME TO gone");
  await sql.close();
}

async function filesOf({ dataDir }: Store): Promise<string> {
  const files = [...new Bun.Glob("**/*").scanSync({ cwd: dataDir, absolute: true, dot: true })];
  const texts = files.map(async (file) => Buffer.from(await Bun.file(file).bytes()).toString("latin1"));
  return (await Promise.all(texts)).join("\n");
}

/**
 * Returns everything that the store contains as text: all rows of all tables, with binary columns in hexadecimal, and the files in
 * the data folder, which should be empty.
 */
async function rowsOf(store: Store): Promise<string> {
  const sql = new SQL(store.settings["PETSTORE_DATABASE_URL"] ?? "", { max: 1 });
  const tables: { name: string }[] = await sql.unsafe(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows: { text: string }[] = await sql.unsafe(`SELECT one::text AS text FROM ${name} AS one`);
    texts.push(...rows.map(({ text }) => text));
  }
  await sql.close();
  return [...texts, await filesOf(store)].join("\n");
}
