import { afterAll, describe, expect, test } from "bun:test";
import { type Answer, startIdentityProvider } from "./identity-provider.ts";
import { petstore } from "./process.ts";
import { type Jar, openJar, PUBLIC_ORIGIN } from "./provider-browser.ts";
import { startServer } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tests sign-in with a provider that misbehaves, cannot be reached, or is used by an attacker.

type Claims = Readonly<Record<string, unknown>>;

const RETURN = [`${PUBLIC_ORIGIN}/sign-in/return`];
const provider = await startIdentityProvider(RETURN);
const store = await freshEmbeddedStore();
const settings = {
  PETSTORE_PRODUCTION_URL: `${PUBLIC_ORIGIN}/v1`,
  PETSTORE_TRUSTED_PROXIES: "127.0.0.1",
  PETSTORE_SIGN_UP: "open",
};
let server = await startServer({ store, env: { ...provider.env, ...settings } });
afterAll(async () => {
  await server.stop();
  await provider.stop();
});

const PASSWORD = "nine gentle otters";
let addresses = 20;
const stranger = () => openJar(server, `203.0.113.${addresses++}`);

async function leave(browser: Jar): Promise<string> {
  const { status, json } = await browser.call("POST /session/provider/departure");
  expect(status).toBe(201);
  return json.url;
}
const comeBack = (browser: Jar, query: string) => browser.call("POST /session/provider", { query });
const signIn = async (browser = stranger()) => comeBack(browser, await provider.visit(await leave(browser)));
async function link(browser: Jar) {
  const { json } = await browser.call("POST /account/identities/departure", { password: PASSWORD });
  return comeBack(browser, await provider.visit(json.url));
}
const owner = stranger();
expect((await owner.call("POST /accounts", { email: "ada@example.com", password: PASSWORD })).status).toBe(
  201,
);
expect((await link(owner)).status).toBe(201);

describe("an ID token", () => {
  const hour = 3600;
  test.each([
    ["of another issuer", (claims: Claims) => ({ claims: { ...claims, iss: "https://other.example" } })],
    ["for another client", (claims: Claims) => ({ claims: { ...claims, aud: "another" } })],
    [
      "that has expired",
      (claims: Claims) => ({ claims: { ...claims, exp: Number(claims["exp"]) - 2 * hour } }),
    ],
    ["with another nonce", (claims: Claims) => ({ claims: { ...claims, nonce: "another" } })],
    ["without a nonce", (claims: Claims) => ({ claims: { ...claims, nonce: undefined } })],
    ["without a signature", (claims: Claims) => ({ header: { alg: "none" }, claims, isSigned: false })],
    ["with a signature of another text", (claims: Claims) => ({ claims, isSigned: false })],
    [
      "that claims a signature by the client's secret",
      (claims: Claims) => ({ header: { alg: "HS256" }, claims }),
    ],
  ])("%s signs nobody in", async (_, forge) => {
    provider.forging(forge);
    const browser = stranger();
    const reply = await signIn(browser);
    provider.forging(undefined);
    expect([reply.status, reply.json.code]).toEqual([401, "unauthorized"]);
    expect((await browser.call("GET /session")).json.account).toBeNull();
  });

  test("that is valid signs in, even if clocks differ by half a minute", async () => {
    provider.forging((claims) => ({ claims: { ...claims, iat: Number(claims["iat"]) + 30 } }));
    const reply = await signIn();
    provider.forging(undefined);
    expect([reply.status, reply.json]).toMatchObject([201, { account: { email: "ada@example.com" } }]);
  });
});

describe("a provider that replaces its key", () => {
  const reads = { count: 0 };
  const countReads = () => {
    reads.count = 0;
    provider.answering((path) => {
      if (path === "/jwks") reads.count++;
      return undefined;
    });
  };

  test("still signs people in, even right after another sign-in", async () => {
    expect((await signIn()).status).toBe(201);
    await provider.rotateKeys("k2");
    const browsers = Array.from({ length: 30 }, stranger);
    const queries = await Promise.all(browsers.map(async (one) => provider.visit(await leave(one))));
    countReads();
    const replies = await Promise.all(browsers.map((one, at) => comeBack(one, queries[at] ?? "")));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await signIn()).status).toBe(201);
    expect(reads.count).toBe(1);
    provider.answering();
  });

  test("but signs with an unpublished one is asked for its keys only once in some seconds, not for each attempt", async () => {
    countReads();
    provider.forging((claims) => ({ header: { kid: "unpublished" }, claims }));
    const attempts = 4;
    for (let attempt = 0; attempt < attempts; attempt++) expect((await signIn()).status).toBe(401);
    provider.forging(undefined);
    provider.answering();
    expect(reads.count).toBeLessThan(attempts);
    expect((await signIn()).status).toBe(201);
  });
});

describe("20 people who return at once to a service that has not yet read the provider's keys", () => {
  const SERVED = 403; // the provider has identified the person, who has no account here

  async function returnAtOnce() {
    const fresh = await startServer({
      store: await freshEmbeddedStore(),
      env: { ...provider.env, ...settings },
    });
    const open = () => openJar(fresh, `203.0.113.${addresses++}`);
    const browsers = Array.from({ length: 20 }, open);
    const queries = await Promise.all(browsers.map(async (one) => provider.visit(await leave(one))));
    const replies = await Promise.all(browsers.map((one, at) => comeBack(one, queries[at] ?? "")));
    return { fresh, statuses: [...new Set(replies.map(({ status }) => status))], next: open() };
  }
  const answerKeys = (answer: () => Answer | undefined) => {
    let reads = 0;
    provider.answering((path) => {
      if (path !== "/jwks") return undefined;
      reads++;
      return answer();
    });
    return () => reads;
  };

  test("cause one request for the keys", async () => {
    const reads = answerKeys(() => undefined);
    const { fresh, statuses } = await returnAtOnce();
    provider.answering();
    await fresh.stop();
    expect([statuses, reads()]).toEqual([[SERVED], 1]);
  });

  test.each([
    ["are refused", { status: 503, body: "{}" }],
    ["are not JSON", { headers: { "content-type": "application/json" }, body: "{" }],
  ])("whose keys %s are requested again by the next sign-in", async (_, answer) => {
    answerKeys(() => answer);
    const { fresh, statuses, next } = await returnAtOnce();
    expect(statuses).not.toContain(SERVED);
    provider.answering();
    const reply = await signIn(next);
    await fresh.stop();
    expect(reply.status).toBe(SERVED);
  });
});

describe("a return", () => {
  test("works once, and only in the browser that began it", async () => {
    const [one, other] = [stranger(), stranger()];
    const query = await provider.visit(await leave(one));
    // In a login CSRF attack, a browser that has also started a sign-in is given the provider's response for another browser.
    await leave(other);
    expect((await comeBack(other, query)).status).toBe(401);
    expect((await comeBack(stranger(), query)).status).toBe(401);
    expect((await comeBack(one, query)).status).toBe(201);
    expect((await comeBack(one, query)).status).toBe(403);
  });

  test("from a sign-in links nothing, and one from a link signs nobody in", async () => {
    const eve = stranger();
    await eve.call("POST /accounts", { email: "eve@example.com", password: PASSWORD });
    provider.become({ subject: "mallory", email: "mallory@example.com" });
    // Mallory attacks Eve: Eve's browser, in which she is signed in, gets the provider's response to Mallory's sign-in.
    expect((await signIn(eve)).status).toBe(403);
    expect((await eve.call("GET /account/identities")).json).toEqual([]);
    const { json } = await eve.call("POST /account/identities/departure", { password: PASSWORD });
    const query = await provider.visit(json.url);
    await eve.call("DELETE /session");
    expect((await comeBack(eve, query)).status).toBe(401);
    provider.become({});
  });

  test.each([
    "",
    "?",
    "?code=x",
    "?code=x&state=y&iss=z",
    "?error=access_denied&state=x",
    "?%",
    "?code=a&code=b",
    "#",
  ])("with the query %j is refused with a clear error", async (query) => {
    const browser = stranger();
    await leave(browser);
    expect((await comeBack(browser, query)).status).toBe(401);
  });

  test("uses the configured address, whatever Host the request has", async () => {
    const url = new URL(await leave(stranger()));
    expect(url.searchParams.get("redirect_uri")).toBe(RETURN[0] ?? "");
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
  });
});

describe("an address at the provider", () => {
  async function invite(email: string) {
    const { status } = await owner.call("POST /invitations", { email, role: "viewer" });
    expect(status).toBe(201);
  }

  test("that is verified accepts its invitation, once; then the person signs in by issuer and subject", async () => {
    await invite("bob@example.com");
    provider.become({ subject: "bob", email: "Bob@Example.com" });
    const first = await signIn();
    expect([first.status, first.json.account]).toMatchObject([
      201,
      { email: "bob@example.com", role: "viewer" },
    ]);
    provider.become({ subject: "bob", email: "renamed@example.com" });
    expect((await signIn()).json.account.email).toBe("bob@example.com");
    provider.become({ subject: "another", email: "bob@example.com" });
    expect((await signIn()).status).toBe(403);
    provider.become({});
  });

  test("that is not verified accepts no invitation, and an account's address does not sign in to the account", async () => {
    await invite("carl@example.com");
    provider.become({ subject: "carl", email: "carl@example.com", isVerified: false });
    expect((await signIn()).status).toBe(403);
    provider.become({ subject: "thief", email: "ada@example.com" });
    expect((await signIn()).status).toBe(403);
    provider.become({});
  });
});

test("one person at the provider is linked to one account", async () => {
  const dora = stranger();
  await dora.call("POST /accounts", { email: "dora@example.com", password: PASSWORD });
  expect(await link(dora)).toMatchObject({ status: 409, json: { code: "conflict" } });
});

test("while the provider is unavailable, the person reads a clear error and passwords still work", async () => {
  const browser = stranger();
  const url = await leave(browser);
  const query = await provider.visit(url);
  provider.setAway(true);
  const reply = await comeBack(browser, query);
  expect([reply.status, reply.json.message]).toEqual([503, expect.stringContaining("cannot be reached")]);
  const { status } = await browser.call("POST /session", { email: "ada@example.com", password: PASSWORD });
  expect(status).toBe(201);
  provider.setAway(false);
});

test("an account that is removed has no session left, and its person is unknown", async () => {
  const people: { id: number; email: string }[] = (await owner.call("GET /accounts")).json;
  const bob = people.find(({ email }) => email === "bob@example.com");
  provider.become({ subject: "bob", email: "bob@example.com" });
  const browser = stranger();
  expect((await signIn(browser)).status).toBe(201);
  expect((await owner.call(`DELETE /accounts/${bob?.id}`)).status).toBe(204);
  expect((await browser.call("GET /account/identities")).status).toBe(401);
  expect((await signIn()).status).toBe(403);
  provider.become({});
});

test("the same subject of another issuer is a different person", async () => {
  const second = await startIdentityProvider(RETURN);
  await server.stop();
  server = await startServer({ store, env: { ...second.env, ...settings } });
  const browser = stranger();
  const query = await second.visit(await leave(browser));
  expect((await comeBack(browser, query)).status).toBe(403);
  await second.stop();
});

test("the start refuses incomplete provider settings, and a provider without a public address unless it serves only loopback", async () => {
  const half = await petstore(store, ["serve"], { env: { PETSTORE_OIDC_ISSUER: provider.issuer } });
  expect([half.code, half.err]).toEqual([
    2,
    expect.stringContaining("PETSTORE_OIDC_CLIENT_SECRET is missing"),
  ]);
  const open = await petstore(store, ["serve"], { env: { ...provider.env, PETSTORE_HOST: "0.0.0.0" } });
  expect([open.code, open.err]).toEqual([2, expect.stringContaining("PETSTORE_PRODUCTION_URL is missing")]);
  expect(`${half.err}${open.err}`).not.toContain("very-secret");
});
