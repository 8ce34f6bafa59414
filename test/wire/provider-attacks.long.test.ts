import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { startIdentityProvider } from "./identity-provider.ts";
import { startProcess } from "./process.ts";
import { type Jar, openJar, PUBLIC_ORIGIN } from "./provider-browser.ts";
import { send } from "./send.ts";
import { onBothEngines, type Server, startServer } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tests attacks on sign-in with an identity provider: races, a misleading provider description, and strangers who keep the provider
// busy.

const provider = await startIdentityProvider([`${PUBLIC_ORIGIN}/sign-in/return`]);
afterAll(provider.stop);
afterEach(() => {
  provider.become({});
  provider.answering();
});
const env = {
  ...provider.env,
  PETSTORE_PRODUCTION_URL: `${PUBLIC_ORIGIN}/v1`,
  PETSTORE_TRUSTED_PROXIES: "127.0.0.1",
  PETSTORE_SIGN_UP: "open",
};
const PASSWORD = "nine gentle otters";
let addresses = 0;
/** Creates a browser with an IP address that no other browser has. */
const browserAt = (server: Pick<Server, "production">) => openJar(server, `198.51.100.${++addresses}`);
const signUp = async (browser: Jar, email: string) =>
  expect((await browser.call("POST /accounts", { email, password: PASSWORD })).status).toBe(201);
const leave = async (browser: Jar) =>
  provider.visit((await browser.call("POST /session/provider/departure")).json.url);
const leaveToLink = async (browser: Jar) => {
  const { json } = await browser.call("POST /account/identities/departure", { password: PASSWORD });
  return provider.visit(json.url);
};
const comeBack = (browser: Jar, query: string) => browser.call("POST /session/provider", { query });

/** Delays the identity provider's token responses until `release` is called. */
function holdTokens() {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let waiting = 0;
  provider.answering(async (path) => {
    if (path !== "/token") return undefined;
    waiting++;
    asked.resolve();
    await held.promise;
    return undefined;
  });
  return { asked: asked.promise, release: () => held.resolve(), waiting: () => waiting };
}

onBothEngines(({ freshStore }) => {
  let server: Server;
  let owner: Jar;
  beforeAll(async () => {
    server = await startServer({ store: await freshStore(), env });
    owner = browserAt(server);
    await signUp(owner, "owner@example.com");
  });
  afterAll(() => server.stop());

  test("a link is not made for a session that ends while the provider answers", async () => {
    const [victim, thief] = [browserAt(server), browserAt(server)];
    await signUp(victim, "victim@example.com");
    await thief.call("POST /session", { email: "victim@example.com", password: PASSWORD });
    provider.become({ subject: "thief", email: "thief@example.com" });
    const query = await leaveToLink(thief);
    const tokens = holdTokens();
    const linking = comeBack(thief, query);
    await tokens.asked;
    const changed = await victim.call("POST /account/password", {
      currentPassword: PASSWORD,
      newPassword: "eleven quiet badgers",
    });
    expect(changed.status).toBe(204);
    tokens.release();
    expect((await linking).json.code).toBe("unauthorized");
    expect((await victim.call("GET /account/identities")).json).toEqual([]);
  });

  test("the person reads a clear error if the account is removed while the provider answers", async () => {
    const leaver = browserAt(server);
    await signUp(leaver, "leaver@example.com");
    provider.become({ subject: "leaver" });
    const query = await leaveToLink(leaver);
    const tokens = holdTokens();
    const linking = comeBack(leaver, query);
    await tokens.asked;
    const people: { id: number; email: string }[] = (await owner.call("GET /accounts")).json;
    const id = people.find(({ email }) => email === "leaver@example.com")?.id;
    expect((await owner.call(`DELETE /accounts/${id}`)).status).toBe(204);
    tokens.release();
    expect((await linking).json.code).toBe("unauthorized");
  });

  test("a response that is returned twice at once, or an invited address that two people use at once, admits only one", async () => {
    expect((await owner.call("POST /invitations", { email: "ina@example.com", role: "owner" })).status).toBe(
      201,
    );
    const [one, other] = [browserAt(server), browserAt(server)];
    provider.become({ subject: "ina", email: "ina@example.com" });
    const queries = [await leave(one)];
    provider.become({ subject: "not ina", email: "ina@example.com" });
    queries.push(await leave(other));
    const replies = await Promise.all([
      comeBack(one, queries[0] ?? ""),
      comeBack(one, queries[0] ?? ""),
      comeBack(other, queries[1] ?? ""),
    ]);
    expect(replies.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test.each([
    "\u00a0ina2@example.com",
    "ina2@example.com\ufeff",
    "ina2\u200b@example.com",
    "IN\u0410@example.com",
    "\u212aarl@example.com",
  ])("a verified address that only looks like the invited one (%j) accepts nothing", async (email) => {
    for (const invited of ["ina2@example.com", "karl@example.com"])
      await owner.call("POST /invitations", { email: invited, role: "viewer" });
    provider.become({ subject: `like ${encodeURIComponent(email)}`, email });
    const browser = browserAt(server);
    expect((await comeBack(browser, await leave(browser))).status).toBe(403);
  });
});

describe("one process", () => {
  const description = `${provider.issuer}/.well-known/openid-configuration`;
  let own: object | undefined;
  const servers: Server[] = [];
  async function freshServer() {
    own ??= (await (await fetch(description)).json()) as object;
    const server = await startServer({ store: await freshEmbeddedStore(), env });
    servers.push(server);
    return server;
  }
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });
  const describing = (change: object) =>
    provider.answering((path) =>
      path.includes("openid-configuration")
        ? { headers: { "content-type": "application/json" }, body: JSON.stringify({ ...own, ...change }) }
        : undefined,
    );

  test.each([
    ["without an address for browsers", { authorization_endpoint: undefined }],
    ["with a script in its place", { authorization_endpoint: "javascript:alert(1)" }],
  ])("shows a clear error for a description %s", async (_, change) => {
    const server = await freshServer();
    describing(change);
    const { status, json } = await browserAt(server).call("POST /session/provider/departure");
    expect([status, json.code]).toEqual([503, "unavailable"]);
  });

  test.each(["javascript:alert(1)", "", null, 7])(
    "a description with %j as the address to sign out leads nowhere",
    async (end_session_endpoint) => {
      const server = await freshServer();
      describing({ end_session_endpoint });
      const { status, json } = await browserAt(server).call("GET /session/provider/end");
      expect([status, json]).toEqual([200, { url: null }]);
    },
  );

  test("a redirect by the provider sends no secret elsewhere", async () => {
    const stolen: string[] = [];
    using elsewhere = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        stolen.push(request.url);
        return new Response("{}");
      },
    });
    const server = await freshServer();
    const browser = browserAt(server);
    const query = await leave(browser);
    provider.answering(() => ({ status: 307, headers: { location: `${elsewhere.url}` } }));
    const reply = await comeBack(browser, query);
    expect([reply.status < 500 || reply.status === 503, stolen]).toEqual([true, []]);
  });

  test("strangers who wait for a slow provider do not block the service for others", async () => {
    const server = await freshServer();
    await browserAt(server).call("POST /session/provider/departure");
    const strangers = Array.from({ length: 80 }, () => browserAt(server));
    const queries = await Promise.all(
      strangers.map(async (stranger) => {
        const { json } = await stranger.call("POST /session/provider/departure");
        const { searchParams } = new URL(json.url);
        return `?${new URLSearchParams({ code: "x", state: searchParams.get("state") ?? "", iss: provider.issuer })}`;
      }),
    );
    const tokens = holdTokens();
    const replies = strangers.map((stranger, at) => comeBack(stranger, queries[at] ?? ""));
    const first = await Promise.race(replies);
    expect([first.status, first.json.message]).toEqual([503, expect.stringContaining("Try again")]);
    expect(tokens.waiting()).toBeLessThanOrEqual(32);
    tokens.release();
    const statuses = new Set((await Promise.all(replies)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([401, 503]);
  });

  test("a client secret that the provider refuses is reported to the operator, not as the person's mistake", async () => {
    const process = await startProcess({
      store: await freshEmbeddedStore(),
      env: { ...env, PETSTORE_OIDC_CLIENT_SECRET: "another-very-secret" },
    });
    const browser = browserAt(process);
    const query = await leave(browser);
    await send("GET", `${new URL(process.production).origin}/sign-in/return${query}`);
    const reply = await comeBack(browser, query);
    expect([reply.status, reply.json.code]).toEqual([503, "unavailable"]);
    await process.logged("PETSTORE_OIDC_CLIENT_SECRET");
    const { body: metrics } = await send("GET", process.metrics);
    await process.stop();
    for (const secret of ["very-secret", ...new URLSearchParams(query).values()].filter(
      (value) => value !== provider.issuer,
    ))
      expect(`${process.log()}${metrics}`).not.toContain(secret);
  });

  test("unusual methods, conditions and bodies cause no server errors", async () => {
    const server = await freshServer();
    const origin = `${new URL(server.production).origin}/console/api`;
    for (const path of [
      "/session/provider",
      "/session/provider/departure",
      "/session/provider/end",
      "/account/identities",
      "/account/identities/departure",
      "/account/identities/x/remove",
    ])
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
        for (const headers of [
          {},
          { "If-Match": '"x"' },
          { "If-None-Match": "*" },
          { "Idempotency-Key": "k" },
        ]) {
          const { status } = await send(method, origin + path, {
            headers: {
              Origin: PUBLIC_ORIGIN,
              "X-Forwarded-For": `198.51.101.${addresses++ % 250}`,
              ...headers,
            },
            ...(method.startsWith("P") && { body: "{}" }),
          });
          expect(`${method} ${path} ${status}`).toMatch(/ [1234]\d\d$/);
        }
  });
});
