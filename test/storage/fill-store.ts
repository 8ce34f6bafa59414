import { requireAccount } from "../../src/accounts/accounts.ts";
import { runAudited } from "../../src/accounts/audit/audit.ts";
import { insertIdentity } from "../../src/accounts/identities/store.ts";
import { loadConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { createSoftwareAuthenticator } from "../software-authenticator.ts";
import { operatorContext } from "../test-app.ts";
import { type BrowserSession, openBrowserSession, PASSWORD, signUp } from "../wire/browser-session.ts";
import { createDestination } from "../wire/deliveries.ts";
import { startMailServer } from "../wire/mail-server.ts";
import { send } from "../wire/send.ts";
import { makeKey, startServer } from "../wire/server.ts";
import { environment, type Store } from "../wire/stores.ts";

/** Names of animals that are likely to break encoding, quoting or comparison. */
const NAMES = ["Nala", "", 'O\'Neill \\ "x"', "熊猫 😀", "e\u0301 é ß ﬁ", "\t\r\n", "x".repeat(255)] as const;
const CATEGORIES = ["9223372036854775807", "-9223372036854775808", "9007199254740993", "0", "7"] as const;
const STATUSES = ["available", "pending", "sold", undefined] as const;
export const OWNER = { email: "owner@example.com", password: PASSWORD } as const;

export interface Filled {
  /** API keys for production and for staging. */
  readonly production: string;
  readonly staging: string;
}

/** Uses a store as people and programs would, until every table has rows. Then stops the service. */
export async function fillStore(store: Store): Promise<Filled> {
  const [hook, refusing, inbox] = [createDestination(204), createDestination(500), createDestination(204)];
  const mailServer = await startMailServer();
  const server = await startServer({
    store,
    env: {
      ...mailServer.env,
      PETSTORE_WEBHOOKS_PRIVATE: "allow",
      PETSTORE_MESSAGES_WEBHOOK: inbox.url,
      PETSTORE_MESSAGES_WEBHOOK_PRIVATE: "allow",
    },
  });
  try {
    const production = await makeKey(store);
    const staging = await makeKey(store, { environment: "staging" });
    const call = caller(server.production, production);
    for (const { url } of [hook, refusing]) await call("POST /webhooks", { url });
    await sellAnimals(call);
    await Promise.all([hook.received(1), refusing.received(1)]);
    await call("POST /webhooks/1/rotate-secret", {});
    await call("PATCH /webhooks/1", { status: "disabled" });
    await rehearse(caller(server.staging, staging));
    await sendMessages(caller(server.messages, production));
    await inbox.received(NAMES.length);
    const { origin } = new URL(server.production);
    await usePeople(await signUp(server, OWNER.email), openBrowserSession(server), origin);
    await mailServer.received(1);
    await linkIdentity(store);
    return { production, staging };
  } finally {
    await server.stop();
    await Promise.all([hook, refusing, inbox, mailServer].map(({ stop }) => stop()));
  }
}

/** Links the owner's account to a person at an identity provider. */
async function linkIdentity(store: Store): Promise<void> {
  const accounts = await openDatabase("accounts", loadConfig({}, environment(store)));
  await accounts.write(async (query) => {
    const ctx = operatorContext(query, Date.now());
    const { id } = await requireAccount(ctx, OWNER.email);
    const row = {
      id: "idn_1",
      accountId: id,
      issuer: "https://issuer.example",
      subject: "subject",
      name: OWNER.email,
      createdAt: ctx.now,
    };
    await runAudited(ctx, insertIdentity, row, () => ({ subject: OWNER.email }));
  });
  await accounts.close();
}

type Call = (
  request: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Creates a function that sends requests with an API key. The function throws if a request fails. If an error is expected, it
 * throws unless the request fails with that error.
 */
function caller(address: string, key: string): Call {
  return async (request, body, headers = {}) => {
    const [method = "", path = ""] = request.split(" ");
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const sent = { key, headers, ...(text !== undefined && { body: text }) };
    const reply = await send(method, address + path, sent);
    if (reply.status >= 300 && headers["Petstore-Simulate"] === undefined)
      throw new Error(`${request} ${text}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body || "{}");
  };
}

async function sellAnimals(call: Call): Promise<void> {
  for (const [index, id] of CATEGORIES.entries())
    await call(
      "POST /categories",
      `{"id":${id},"name":${JSON.stringify(NAMES[index] ?? "")},"description":"${index}"}`,
    );
  await call("POST /categories", { name: "Generated" });
  await call("PATCH /categories/7", { description: null });
  const ids: unknown[] = [];
  for (const [index, categoryId] of [...CATEGORIES, ...CATEGORIES, ...CATEGORIES].entries()) {
    const status = STATUSES[index % STATUSES.length];
    const name = JSON.stringify(NAMES[index % NAMES.length]);
    const body = `{"name":${name},"categoryId":${categoryId}${status ? `,"status":"${status}"` : ""}}`;
    ids.push((await call("POST /pets", body, { "Idempotency-Key": `pet-${index}` }))["id"]);
  }
  const [first, , , , second, , , , third] = ids;
  for (const petId of [first, second, third])
    await call("POST /store/orders", { petId, shipDate: "2026-12-24T12:00:00.000Z" });
  await call("POST /store/orders/1/complete");
  await call("DELETE /store/orders/2");
  await call(`PATCH /pets/${ids[1]}`, { name: "Renamed", status: null });
  await call(`DELETE /pets/${ids[2]}`);
}

async function rehearse(call: Call): Promise<void> {
  await call("POST /test/reset", { fixture: "shop" });
  await call("POST /webhooks", { url: "http://127.0.0.1:9000/hook" });
  await call("PUT /test/clock", { now: "2030-01-01T00:00:00.000Z" });
  await call("POST /pets", { name: "Rehearsed", categoryId: 1 }, { "Idempotency-Key": "once" });
  await call("GET /pets", undefined, { "Petstore-Simulate": "unavailable; times=2" });
}

async function sendMessages(call: Call): Promise<void> {
  for (const [index, message] of NAMES.entries())
    await call("POST /messages", { message }, { "Idempotency-Key": `message-${index}` });
}

/** Creates sessions, links, passkeys, keys in every state and refused sign-ins. All of these also create audit entries. */
async function usePeople(owner: BrowserSession, stranger: BrowserSession, origin: string): Promise<void> {
  const done = async (request: string, body?: unknown) => {
    const reply = await owner.call(request, body);
    if (reply.status >= 300) throw new Error(`${request}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body || "{}");
  };
  await stranger.call("POST /session", { ...OWNER, password: "not the one at all" });
  const { password } = OWNER;
  const challenge = { ...(await done("POST /account/passkeys/challenge", { password })), origin };
  const made = createSoftwareAuthenticator().create(challenge);
  await done("POST /account/passkeys", { name: "A phone", ...made });
  await done("POST /account/passkeys/challenge", { password });
  await done("POST /invitations", { email: "invited@example.com", role: "staff" });
  for (const name of ["valid", "rotated", "revoked"]) await done("POST /keys", { name, access: "read" });
  const keys: readonly { id: string; name: string }[] = await done("GET /keys");
  const idOf = (name: string) => keys.find((key) => key.name === name)?.id;
  await done(`POST /keys/${idOf("rotated")}/rotate`, {});
  await done(`DELETE /keys/${idOf("revoked")}`);
}
