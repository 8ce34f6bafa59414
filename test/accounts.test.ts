import { afterEach, describe, expect, test } from "bun:test";
import { LOGIN_COUNT_RETENTION_MS } from "../src/accounts/sessions/login-rules.ts";
import type { Flags } from "../src/config/settings.ts";
import { LINK_LIFE_MS, SESSION_IDLE_MS, SESSION_LIFE_MS } from "../src/limits.ts";
import { type ConsoleRequest, callConsole, cookieOf } from "./call-console.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import type { Reply } from "./wire/send.ts";

// Tests how accounts depend on the time, on settings and on the origin of a request. The service has no ports and uses a test
// clock.

let app: TestApp;
afterEach(() => app.close());

const EMAIL = "ada@example.com";
const PASSWORD = "nine gentle otters";
const ELSEWHERE = "203.0.113.9";

const start = async (flags: Flags = {}) => {
  app = await createTestApp({}, { signUp: "open", ...flags });
};
/** Starts a service with one account. Resolves to the session cookie of that account. */
async function startSignedUp(flags?: Flags): Promise<string | undefined> {
  await start(flags);
  return cookieOf(await call("POST /accounts", { email: EMAIL, password: PASSWORD }));
}

const call = (request: string, body?: unknown, options?: ConsoleRequest) =>
  callConsole(app, request, body, options);
const signIn = (password: string, options?: ConsoleRequest, email = EMAIL) =>
  call("POST /session", { email, password }, options);
/** Tries to sign in with `count` wrong passwords, one after another. Resolves to the response statuses. */
async function guess(
  count: number,
  optionsOf = (_guess: number): ConsoleRequest => ({ address: ELSEWHERE }),
) {
  const statuses: number[] = [];
  for (let one = 1; one <= count; one++)
    statuses.push((await signIn(`wrong guess ${one}`, optionsOf(one))).status);
  return statuses;
}
const waitOf = (response: Reply) => Number(response.headers.get("retry-after"));
/** Resolves to the status of a page that only a signed-in person can read. */
const statusWith = async (cookie: string | undefined) =>
  (await call("GET /pets", undefined, { cookie })).status;

describe("guessing a password", () => {
  test("is slowed down after many attempts from one address, and the right password works after the wait", async () => {
    await startSignedUp();
    const attacker = { address: ELSEWHERE };
    const statuses = await guess(100);
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(statuses.slice(5))).toEqual(new Set([429]));

    const refused = await signIn(PASSWORD, attacker);
    expect([refused.status, waitOf(refused)]).toEqual([429, 1]);
    expect(refused.json.message).toBe("Too many attempts. Try again in 1 second.");
    await app.clock.advance(waitOf(refused) * 1000);
    expect((await signIn(PASSWORD, attacker)).status).toBe(201);
  });

  test("makes each wait twice as long as the previous one, up to fifteen minutes", async () => {
    await startSignedUp();
    await guess(5);
    const waits: number[] = [];
    for (let round = 0; round < 13; round++) {
      const wait = waitOf(await signIn("wrong", { address: ELSEWHERE }));
      waits.push(wait);
      await app.clock.advance(wait * 1000 - 1);
      expect(await guess(1)).toEqual([429]);
      await app.clock.advance(1);
      expect(await guess(1)).toEqual([401]);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  test("does not delay people at an address where the account signed in before, unless that address is shared", async () => {
    await startSignedUp({ trustedProxies: "10.0.0.0/8" });
    const shared: readonly ConsoleRequest[] = [
      { address: "127.0.0.1" },
      { address: "::1" },
      { address: "10.0.0.1" },
      { address: "192.0.2.1", headers: { "X-Forwarded-For": "192.0.2.2" } },
    ];
    for (const options of shared) expect((await signIn(PASSWORD, options)).status).toBe(201);
    await guess(25, (one) => ({ address: `203.0.113.${one}` }));
    for (const options of shared)
      expect([options, (await signIn(PASSWORD, options)).status]).toEqual([options, 429]);
    for (let other = 0; other < 25; other++) await signIn("wrong", {}, `person-${other}@example.com`);
    expect((await signIn(PASSWORD)).status).toBe(201);
  });

  test("on many accounts from one address is slowed down as well; other addresses are not", async () => {
    await startSignedUp();
    const tryPerson = (count: number) =>
      signIn("wrong", { address: ELSEWHERE }, `person-${count}@example.com`);
    for (let count = 0; count < 20; count++) expect((await tryPerson(count)).status).toBe(401);
    expect((await tryPerson(20)).status).toBe(429);
    expect((await signIn(PASSWORD, { address: "192.0.2.1" })).status).toBe(201);
  });

  test("with a stolen session is slowed down in the same way", async () => {
    const cookie = await startSignedUp();
    const change = () =>
      call(
        "POST /account/password",
        { currentPassword: "wrong", newPassword: "eight calm herons" },
        { cookie },
      );
    for (let guess = 0; guess < 5; guess++) expect((await change()).status).toBe(400);
    expect((await change()).status).toBe(429);
    const gone = await call("POST /account/delete", { password: PASSWORD }, { cookie });
    expect(gone.status).toBe(429);
  });

  test("is forgotten after an hour without an attempt; setting the clock back locks no account", async () => {
    await startSignedUp();
    for (let guess = 0; guess < 12; guess++) {
      const refused = await signIn("wrong", { address: ELSEWHERE });
      await app.clock.advance(waitOf(refused) * 1000);
    }
    await app.clock.advance(-2 * LOGIN_COUNT_RETENTION_MS);
    expect(await guess(1)).toEqual([401]);
    await app.clock.advance(4 * LOGIN_COUNT_RETENTION_MS);
    expect(await guess(6)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("with half a million combining marks is answered at once, although normalizing them would take minutes", async () => {
    await startSignedUp({ maxBodyBytes: "4000000" });
    const marks = "\u0300".repeat(250_000) + "\u0316".repeat(250_000);
    expect((await signIn(`a${marks}`)).status).toBe(401);
  });

  test("does not delay a person who mistypes now and then", async () => {
    await startSignedUp();
    for (let day = 0; day < 40; day++) {
      expect((await signIn("mistyped")).status).toBe(401);
      expect((await signIn(PASSWORD)).status).toBe(201);
    }
  });

  test("one address cannot create hundreds of accounts", async () => {
    await start();
    const statuses: number[] = [];
    for (let count = 0; count < 25; count++) {
      const made = await call("POST /accounts", { email: `n${count}@example.com`, password: PASSWORD });
      statuses.push(made.status);
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });
});

test("the service trusts the address that a configured proxy gives, but not the address that the client claims", async () => {
  await startSignedUp({ trustedProxies: "10.0.0.0/8" });
  const from = (chain: string) =>
    signIn("wrong", { address: "10.1.2.3", headers: { "X-Forwarded-For": chain } });
  for (let host = 1; host <= 5; host++) await from(`192.0.2.${host}, 203.0.113.9, 10.9.9.9`);
  expect((await from("192.0.2.77, 203.0.113.9")).status).toBe(429);
  expect((await from("203.0.113.9, 192.0.2.78")).status).toBe(401);
});

describe("a cookie that another port of the host set", () => {
  const NAME = "petstore-production";

  test("does not hide the session, wherever it stands and however often", async () => {
    const own = await startSignedUp();
    const junk = [`${NAME}=`, `${NAME}=junk`, `${NAME}=${"a".repeat(43)}`, `${NAME}="`, NAME];
    const lines = [...junk.map((one) => `${one}; ${own}`), ...junk.map((one) => `${own}; ${one}`)];
    for (const cookie of [...lines, [...junk, ...junk, own, ...junk].join("; ")])
      expect([cookie, await statusWith(cookie)]).toEqual([cookie, 200]);
  });

  test("does not keep anybody from signing in, and out", async () => {
    await startSignedUp();
    const junk = `${NAME}=${"a".repeat(43)}`;
    const signedIn = await signIn(PASSWORD, { cookie: junk });
    expect(signedIn.status).toBe(201);
    const cookie = `${junk}; ${cookieOf(signedIn)}`;
    expect((await call("DELETE /session", undefined, { cookie })).status).toBe(204);
    expect(await statusWith(cookie)).toBe(401);
  });
});

describe("a session's end", () => {
  test("comes 30 days after its beginning, however much it is used", async () => {
    const cookie = await startSignedUp();
    const step = SESSION_LIFE_MS / 30;
    for (let day = 1; day < 30; day++) {
      await app.clock.advance(step);
      expect(await statusWith(cookie)).toBe(200);
    }
    await app.clock.advance(step - 1);
    expect(await statusWith(cookie)).toBe(200);
    await app.clock.advance(1);
    expect(await statusWith(cookie)).toBe(401);
  });

  test("comes after a week without use", async () => {
    const cookie = await startSignedUp();
    await app.clock.advance(SESSION_IDLE_MS - 1);
    expect(await statusWith(cookie)).toBe(200);
    await app.clock.advance(SESSION_IDLE_MS);
    expect(await statusWith(cookie)).toBe(401);
  });
});

describe("a one-time link", () => {
  const tokenOf = ({ json }: Reply) => String(json.link).split("#")[1];

  test("is refused 72 hours after it was made", async () => {
    const cookie = await startSignedUp();
    const body = { email: "grace@example.com", role: "staff" };
    const invitation = tokenOf(await call("POST /invitations", body, { cookie }));
    const [{ id }] = (await call("GET /accounts", undefined, { cookie })).json;
    const reset = tokenOf(await call(`POST /accounts/${id}/reset-link`, undefined, { cookie }));
    await app.clock.advance(LINK_LIFE_MS - 1);
    expect((await call("POST /invitation/read", { token: invitation })).status).toBe(200);
    await app.clock.advance(1);
    for (const [path, token] of [
      ["/invitation/read", invitation],
      ["/invitation/accept", invitation],
      ["/password-reset", reset],
    ] as const) {
      const refused = await call(`POST ${path}`, { token, password: "eight calm herons" });
      expect([path, refused.status, refused.json.code]).toEqual([path, 404, "not_found"]);
    }
    expect((await call("GET /invitations", undefined, { cookie })).json).toEqual([]);
  });
});

const PUBLIC = { productionUrl: "https://pets.example.com/v1" };

test("behind HTTPS the cookie is Secure and valid only for the host, and pages of the public origin may make changes", async () => {
  await start(PUBLIC);
  const origin = "https://pets.example.com";
  const made = await call("POST /accounts", { email: EMAIL, password: PASSWORD }, { origin });
  expect(made.headers.get("set-cookie")).toMatch(
    /^__Host-petstore-production=[0-9A-Za-z]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  const cookie = cookieOf(made);
  expect(await statusWith(cookie)).toBe(200);
  expect((await call("GET /session", undefined, { cookie })).json.api).toBe("https://pets.example.com/v1");
  expect((await call("DELETE /session", undefined, { cookie, origin: "https://evil.example" })).status).toBe(
    403,
  );
});

const NETWORK = { host: "0.0.0.0" };

/**
 * On a loopback address, the service accepts only names of this machine as Host. An attacker's site may also have a name that leads
 * to this machine.
 */
test.each<[flags: Flags, host: string, origin: string, status: number]>([
  [{}, "127.0.0.1:8080", "http://127.0.0.1:8080", 201],
  [{}, "[::1]:8080", "http://[::1]:8080", 201],
  [{}, "evil.example:8080", "http://evil.example:8080", 403],
  [{}, "localhost.evil.example", "http://localhost.evil.example", 403],
  [{}, "127.0.0.1.evil.example:8080", "http://127.0.0.1.evil.example:8080", 403],
  [PUBLIC, "pets.example.com", "https://pets.example.com", 201],
  [PUBLIC, "pets.example.com", "http://pets.example.com", 403],
  [PUBLIC, "evil.example:8080", "http://evil.example:8080", 403],
  [NETWORK, "shop.local:8080", "http://shop.local:8080", 201],
  [NETWORK, "shop.local:8080", "http://evil.example", 403],
])("with %j, a page at %s of %s that asks for a change gets %i", async (flags, host, origin, status) => {
  await start(flags);
  const made = await call("POST /accounts", { email: EMAIL, password: PASSWORD }, { host, origin });
  expect(made.status).toBe(status);
  if (status === 403) expect(made.json.message).toContain("set PETSTORE_PRODUCTION_URL");
});
