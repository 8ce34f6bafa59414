import { describe, expect, test } from "bun:test";
import type { Flags } from "../src/config/settings.ts";
import type { Environment } from "../src/context.ts";
import { SESSION_LIFE_MS, TRANSFER_TOKEN_MS } from "../src/limits.ts";
import { appsOnOneStore } from "./apps-on-one-store.ts";
import { BROWSER, cookieOf } from "./call-console.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { createTestApp, onEachEngine, type TestApp } from "./test-app.ts";
import { type Reply, replyOf } from "./wire/send.ts";

// A person who is signed in to production can sign in to staging with a form. The two environments may run in different processes.

const PRODUCTION = "http://localhost:8080";
const STAGING = "http://localhost:8081";
const PASSWORD = "nine gentle otters";
const REFUSED = "/sign-in?from=production";
const FORM = "application/x-www-form-urlencoded";
const DAY_MS = 24 * 3_600_000;

interface Sending {
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The origin of the address that the request is sent to. */
  readonly at?: string;
}

/** Sends a request to the console's API of an environment, as the console's own pages do, unless the headers say otherwise. */
async function send(app: TestApp, environment: Environment, request: string, options: Sending = {}) {
  const { at = environment === "production" ? PRODUCTION : STAGING, cookie = "", headers, body } = options;
  const [method = "", path = ""] = request.split(" ");
  const { host } = new URL(at);
  const lines = new Headers({ Host: host, Origin: at, "Content-Type": "application/json", ...headers });
  if (cookie !== "") lines.set("Cookie", cookie);
  const init = { method, headers: lines, ...(body === undefined ? {} : { body }) };
  const response = await app.services[environment]?.fetch(new Request(`${at}/console/api${path}`, init), {
    peer: () => BROWSER.address,
    cutOff() {},
  });
  if (response === undefined) return expect.unreachable();
  return replyOf(response.status, response.headers, await response.text());
}

async function signUp(app: TestApp, email = "ada@example.com", at = PRODUCTION): Promise<string> {
  const made = await send(app, "production", "POST /accounts", {
    body: JSON.stringify({ email, password: PASSWORD }),
    at,
  });
  return cookieOf(made) ?? expect.unreachable();
}

async function askForToken(app: TestApp, cookie: string): Promise<string> {
  const response = await send(app, "production", "POST /session/transfer-token", { cookie });
  const { url, token } = response.json;
  expect([response.status, url]).toEqual([201, `${STAGING}/console/api/session/transfer`]);
  return token;
}

/** Submits the form on a page of production that signs a person in to staging. */
const submit = (app: TestApp, token: string, { headers, ...options }: Sending = {}) =>
  send(app, "staging", "POST /session/transfer", {
    body: new URLSearchParams({ token, page: "/" }).toString(),
    headers: { Origin: PRODUCTION, "Content-Type": FORM, ...headers },
    ...options,
  });

const outcome = (response: Reply) => [
  response.status,
  response.headers.get("location"),
  response.headers.has("set-cookie"),
];
const SIGNED_IN = [303, "/", true];
const NOT_SIGNED_IN = [303, REFUSED, false];

const accountOf = async (app: TestApp, environment: Environment, cookie: string | undefined) =>
  (await send(app, environment, "GET /session", { cookie })).json.account?.email;

onEachEngine(
  (store) => {
    const apps = appsOnOneStore(store);
    const SIGN_UP: Flags = { signUp: "open" };
    let clock: TestClock;

    /** Starts two processes of the service on one store: one for production, and one for staging. */
    async function start(): Promise<readonly [TestApp, TestApp]> {
      clock = createTestClock();
      return [await apps.start({ clock }, SIGN_UP), await apps.start({ clock }, SIGN_UP)];
    }

    test("a token signs its person in to staging once, in another process, and ends no session of production", async () => {
      const [production, staging] = await start();
      const cookie = await signUp(production);
      await signUp(production, "grace@example.com");
      const token = await askForToken(production, cookie);
      const arrived = await submit(staging, token);
      expect(outcome(arrived)).toEqual(SIGNED_IN);
      expect(arrived.headers.get("cache-control")).toBe("no-store");
      expect(arrived.headers.get("set-cookie")).toMatch(
        /^petstore-staging=\w{43};.*HttpOnly; SameSite=Strict/,
      );
      expect(await accountOf(staging, "staging", cookieOf(arrived))).toBe("ada@example.com");
      expect(await accountOf(production, "production", cookie)).toBe("ada@example.com");
      for (const app of [staging, production])
        expect(outcome(await submit(app, token))).toEqual(NOT_SIGNED_IN);
    });

    test("two requests with one token at the same time sign in once", async () => {
      const [production, staging] = await start();
      const token = await askForToken(production, await signUp(production));
      const arrived = await Promise.all([submit(staging, token), submit(production, token)]);
      expect(arrived.map(outcome).sort()).toEqual([SIGNED_IN, NOT_SIGNED_IN].sort());
    });

    test("a token is refused 30 seconds after it was made", async () => {
      const [production, staging] = await start();
      const cookie = await signUp(production);
      const [early, late] = [await askForToken(production, cookie), await askForToken(production, cookie)];
      await clock.advance(TRANSFER_TOKEN_MS - 1);
      expect(outcome(await submit(staging, early))).toEqual(SIGNED_IN);
      await clock.advance(1);
      expect(outcome(await submit(staging, late))).toEqual(NOT_SIGNED_IN);
    });

    test("a token is refused once its session has ended, its account is removed, or its password has changed", async () => {
      const [production, staging] = await start();
      await signUp(production, "owner@example.com");
      const newPassword = "seven other otters";
      for (const [email, request, body] of [
        ["signs-out@example.com", "DELETE /session", undefined],
        ["leaves@example.com", "POST /account/delete", { password: PASSWORD }],
        ["resets@example.com", "POST /account/password", { currentPassword: PASSWORD, newPassword }],
      ] as const) {
        const cookie = await signUp(production, email);
        const token = await askForToken(production, cookie);
        const other = await send(production, "production", "POST /session", {
          body: JSON.stringify({ email, password: PASSWORD }),
        });
        // A change of the password ends the other sessions of the account, but not the one that made it.
        const ending = email.startsWith("resets") ? cookieOf(other) : cookie;
        const ended = await send(production, "production", request, {
          cookie: ending,
          ...(body && { body: JSON.stringify(body) }),
        });
        expect(ended.status).toBe(204);
        expect([email, ...outcome(await submit(staging, token))]).toEqual([email, ...NOT_SIGNED_IN]);
      }
    });

    test("the session in staging replaces the browser's own, and ends when production's would", async () => {
      const [production, staging] = await start();
      const cookie = await signUp(production);
      const before = cookieOf(await submit(staging, await askForToken(production, cookie)));
      for (let day = 0; day < 28; day += 4) {
        await clock.advance(4 * DAY_MS);
        expect(await accountOf(production, "production", cookie)).toBe("ada@example.com");
      }
      const token = await askForToken(production, cookie);
      const after = cookieOf(await submit(staging, token, { cookie: before }));
      expect(await accountOf(staging, "staging", before)).toBeUndefined();
      const sessions = (await send(staging, "staging", "GET /account/sessions", { cookie: after })).json;
      expect(sessions).toMatchObject([{ environment: "staging" }, { environment: "production" }]);
      const { createdAt, expiresAt } = sessions[0];
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(SESSION_LIFE_MS - 28 * DAY_MS);
    });

    test("the account's sessions in both environments are listed in either, and can be ended there", async () => {
      const [production, staging] = await start();
      const cookie = await signUp(production);
      const transferred = cookieOf(await submit(staging, await askForToken(production, cookie)));
      const listed = (await send(production, "production", "GET /account/sessions", { cookie })).json;
      const inStaging = listed.find((one: { environment: Environment }) => one.environment === "staging");
      const end = `DELETE /account/sessions/${inStaging.id}`;
      expect((await send(production, "production", end, { cookie })).status).toBe(204);
      expect(await accountOf(staging, "staging", transferred)).toBeUndefined();
    });

    test("only the origin of production's console may submit the form, and a refused request leaves the token valid", async () => {
      const [production, staging] = await start();
      const token = await askForToken(production, await signUp(production));
      for (const Origin of [
        "https://evil.example",
        "null",
        "",
        STAGING,
        "https://localhost:8080",
        "http://localhost:8082",
        "http://localhost:8080.evil.example",
        "http://127.0.0.1:8080",
        `${PRODUCTION}, ${PRODUCTION}`,
      ])
        expect([Origin, ...outcome(await submit(staging, token, { headers: { Origin } }))]).toEqual([
          Origin,
          ...NOT_SIGNED_IN,
        ]);
      const withoutOrigin = await staging.ask("staging", "POST /console/api/session/transfer", {
        headers: { Host: new URL(STAGING).host, "Content-Type": FORM },
        body: `token=${token}&page=/`,
      });
      expect(outcome(withoutOrigin)).toEqual(NOT_SIGNED_IN);
      // In a DNS rebinding attack, the name of the attacker's site leads to this machine.
      const rebound = { at: "http://evil.example:8081", headers: { Origin: "http://evil.example:8080" } };
      expect(outcome(await submit(staging, token, rebound))).toEqual(NOT_SIGNED_IN);
      expect(outcome(await submit(staging, token))).toEqual(SIGNED_IN);
    });

    test("the audit log says that the person came from production", async () => {
      const [production, staging] = await start();
      const cookie = await signUp(production);
      await submit(staging, await askForToken(production, cookie));
      const [entry] = (await send(production, "production", "GET /audit", { cookie })).json;
      expect(entry).toMatchObject({
        action: "session.created",
        actor: { kind: "person", name: "ada@example.com" },
        address: BROWSER.address,
        environment: "staging",
        subject: "ada@example.com",
        detail: "from production",
      });
    });
  },
  { always: true },
);

describe("the form", () => {
  let app: TestApp;
  async function withToken(steps: (token: string) => Promise<void>, flags: Flags = {}): Promise<void> {
    app = await createTestApp({}, { signUp: "open", ...flags });
    await steps(await askForToken(app, await signUp(app)));
    await app.close();
  }

  test("is refused unless it is a form of its two fields, sent by POST", async () => {
    await withToken(async (token) => {
      for (const [body, type] of [
        [JSON.stringify({ token, page: "/" }), "application/json"],
        [`token=${token}&page=/`, "text/plain"],
        [`token=${token}&page=/`, "multipart/form-data; boundary=x"],
        [`token=${token}&token=${token}&page=/`, FORM],
        [`token=${token}`, FORM],
        [`token=${token}&page=//evil.example`, FORM],
        [`token=${token}&page=/%5Cevil.example`, FORM],
        [`token=${token}&page=https://evil.example`, FORM],
        [`token=${token}&page=%0D%0ASet-Cookie:x=y`, FORM],
        ["", FORM],
        ["token=&page=/", FORM],
        [`key=${token}&page=/`, FORM],
        [`__proto__=${token}&page=/`, FORM],
        [`token=${"x".repeat(70_000)}&page=/`, FORM],
        ["token=%FF%00&page=/", FORM],
      ] as const)
        expect([
          body.slice(0, 40),
          ...outcome(await submit(app, "", { body, headers: { "Content-Type": type } })),
        ]).toEqual([body.slice(0, 40), ...NOT_SIGNED_IN]);
      for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
        const asked = await send(app, "staging", `${method} /session/transfer`, {
          headers: { Origin: PRODUCTION },
        });
        expect([method, asked.status, asked.headers.has("set-cookie")]).toEqual([method, 401, false]);
      }
      expect(outcome(await submit(app, token))).toEqual(SIGNED_IN);
    });
  });

  test("no other operation accepts a form, and neither environment has the other's operation", async () => {
    await withToken(async (token) => {
      const cookie = cookieOf(await submit(app, token));
      const form = { body: "name=x&categoryId=1", headers: { "Content-Type": FORM } };
      expect((await send(app, "staging", "POST /pets", { cookie, ...form })).status).toBe(415);
      const missing = { cookie, headers: { Origin: STAGING } };
      expect((await send(app, "staging", "POST /session/transfer-token", missing)).status).toBe(404);
      const ada = (await send(app, "production", "GET /session")).json;
      expect(ada.account).toBeNull();
      const own = await signUp(app, "grace@example.com");
      const back = { cookie: own, body: `token=${token}&page=/`, headers: { "Content-Type": FORM } };
      expect((await send(app, "production", "POST /session/transfer", back)).status).toBe(404);
    });
  });

  test("a token requires a session of production, and a page of production's own origin", async () => {
    await withToken(async () => {
      expect((await send(app, "production", "POST /session/transfer-token")).status).toBe(401);
      const cookie = await signUp(app, "grace@example.com");
      const elsewhere = { cookie, headers: { Origin: STAGING } };
      expect((await send(app, "production", "POST /session/transfer-token", elsewhere)).status).toBe(403);
    });
  });

  test("neither the log nor a metric has the token, and refusals are counted by their code", async () => {
    await withToken(async (token) => {
      await submit(app, token);
      await submit(app, token);
      expect(JSON.stringify(app.logged)).not.toContain(token);
      expect(app.logged).toContainEqual(
        expect.objectContaining({ operation: "transferSession", code: "unauthorized" }),
      );
      const labels = 'service="staging",operation="transferSession",status="303"';
      expect(await app.reading(`petstore_requests_total{${labels}}`)).toBe(2);
    });
  });
});

describe("addresses", () => {
  const HTTPS = {
    productionUrl: "https://pets.example.com/v1",
    stagingUrl: "https://staging.example.com/v1",
  };
  const policyOf = async (app: TestApp, environment: Environment, host = "localhost:8080") => {
    const { headers } = await app.send(environment, "GET /", { headers: { Host: host } });
    const directive = (name: string) =>
      new RegExp(`${name} ([^;]+)`).exec(headers.get("content-security-policy") ?? "")?.[1];
    return [directive("form-action"), directive("connect-src"), headers.get("referrer-policy")];
  };

  test("a page of production may submit forms only to staging, and a page of staging to nobody", async () => {
    const app = await createTestApp();
    expect(await policyOf(app, "production")).toEqual([STAGING, `'self' ${STAGING}`, "strict-origin"]);
    const here = "http://127.0.0.1:8081";
    expect(await policyOf(app, "production", "127.0.0.1:8080")).toEqual([
      here,
      `'self' ${here}`,
      "strict-origin",
    ]);
    expect(await policyOf(app, "staging", "localhost:8081")).toEqual(["'none'", "'self'", "no-referrer"]);
    await app.close();
  });

  test("behind proxies, the configured addresses are used, whatever the Host", async () => {
    const app = await createTestApp({}, { signUp: "open", ...HTTPS });
    expect(await policyOf(app, "production", "10.0.0.7:8080")).toEqual([
      "https://staging.example.com",
      "'self' https://staging.example.com",
      "strict-origin",
    ]);
    const at = "https://pets.example.com";
    const cookie = await signUp(app, "ada@example.com", at);
    const asked = await send(app, "production", "POST /session/transfer-token", { cookie, at });
    const { url, token } = asked.json;
    expect(url).toBe("https://staging.example.com/console/api/session/transfer");
    const wrong = { at: "http://10.0.0.7:8081", headers: { Origin: "http://10.0.0.7:8080" } };
    expect(outcome(await submit(app, token, wrong))).toEqual(NOT_SIGNED_IN);
    const right = await submit(app, token, { at: "http://10.0.0.7:8081", headers: { Origin: at } });
    expect(outcome(right)).toEqual(SIGNED_IN);
    expect(right.headers.get("set-cookie")).toMatch(/^__Host-petstore-staging=.*Secure/);
    await app.close();
  });

  test("where only one of the two has https, nobody is signed in to the other, and no form may be sent", async () => {
    for (const [flags, at, origin] of [
      [{ productionUrl: HTTPS.productionUrl }, "https://pets.example.com", "https://pets.example.com"],
      [{ stagingUrl: HTTPS.stagingUrl }, PRODUCTION, PRODUCTION],
    ] as const) {
      const app = await createTestApp({}, { signUp: "open", ...flags });
      const cookie = await signUp(app, "ada@example.com", at);
      const asked = await send(app, "production", "POST /session/transfer-token", { cookie, at });
      expect([asked.status, asked.json.code]).toEqual([409, "conflict"]);
      expect(await policyOf(app, "production")).toEqual(["'none'", "'self'", "no-referrer"]);
      expect(outcome(await submit(app, "x".repeat(43), { headers: { Origin: origin } }))).toEqual(
        NOT_SIGNED_IN,
      );
      await app.close();
    }
  });
});
