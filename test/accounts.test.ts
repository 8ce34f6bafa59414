import { afterEach, describe, expect, test } from "bun:test";
import type { Flags } from "../src/config.ts";
import { LINK_LIFE_MS, LOGIN_COUNT_RETENTION_MS, SESSION_IDLE_MS, SESSION_LIFE_MS } from "../src/limits.ts";
import { createTestApp, type TestApp } from "./test-app.ts";

// What depends on the time, on settings and on where a request comes from: the app without a port, and a clock of our own.

let app: TestApp;
afterEach(() => app.close());

const HOST = "localhost:8080";
const ORIGIN = `http://${HOST}`;
const EMAIL = "ada@example.com";
const PASSWORD = "nine gentle otters";
const HOME = "198.51.100.7";
const ELSEWHERE = "203.0.113.9";

const start = async (flags: Flags = {}) => {
  app = await createTestApp({}, { signUp: "open", ...flags });
};

interface FromOptions {
  readonly address?: string;
  readonly cookie?: string | undefined;
  readonly origin?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(request: string, body?: unknown, options: FromOptions = {}): Promise<Response> {
  const { address = HOME, cookie, origin = ORIGIN, host = HOST, headers } = options;
  const [method = "", path = ""] = request.split(" ");
  const response = await app.services.production?.fetch(
    new Request(`${ORIGIN}/console/api${path}`, {
      method,
      headers: {
        Host: host,
        Origin: origin,
        "Content-Type": "application/json",
        ...(cookie && { Cookie: cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    { peer: () => address, cutOff() {} },
  );
  if (response === undefined) throw new Error("There is no production service.");
  return response;
}

const read = async (response: Response) => JSON.parse(await response.text());
const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";", 1)[0];
const signUp = async (options?: FromOptions) =>
  cookieOf(await call("POST /accounts", { email: EMAIL, password: PASSWORD }, options));
const signIn = (password: string, options?: FromOptions, email = EMAIL) =>
  call("POST /session", { email, password }, options);
const waitOf = (response: Response) => Number(response.headers.get("retry-after"));

describe("guessing a password", () => {
  test("100 wrong ones from one address are slowed down; the right one works after the wait", async () => {
    await start();
    await signUp();
    const attacker = { address: ELSEWHERE };
    const statuses: number[] = [];
    for (let guess = 0; guess < 100; guess++)
      statuses.push((await signIn(`wrong guess ${guess}`, attacker)).status);
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(statuses.slice(5))).toEqual(new Set([429]));

    const refused = await signIn(PASSWORD, attacker);
    expect([refused.status, waitOf(refused)]).toEqual([429, 1]);
    expect((await read(refused)).message).toBe("Too many attempts. Try again in 1 second.");
    await app.clock.advance(waitOf(refused) * 1000);
    expect((await signIn(PASSWORD, attacker)).status).toBe(201);
  });

  test("a hundred at once get no further than one after the other", async () => {
    await start();
    await signUp();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, guess) => signIn(`wrong guess ${guess}`, { address: ELSEWHERE })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(95);
  });

  test("each wait is twice the one before it, up to fifteen minutes", async () => {
    await start();
    await signUp();
    for (let guess = 0; guess < 5; guess++) await signIn("wrong", { address: ELSEWHERE });
    const waits: number[] = [];
    for (let guess = 0; guess < 13; guess++) {
      const wait = waitOf(await signIn("wrong", { address: ELSEWHERE }));
      waits.push(wait);
      await app.clock.advance(wait * 1000 - 1);
      expect((await signIn("wrong", { address: ELSEWHERE })).status).toBe(429);
      await app.clock.advance(1);
      expect((await signIn("wrong", { address: ELSEWHERE })).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  test("from many addresses holds up neither the owner's own address nor, for long, a new one", async () => {
    await start();
    await signUp();
    await signIn(PASSWORD);
    for (let guess = 0; guess < 60; guess++) await signIn("wrong", { address: `203.0.113.${guess}` });
    expect((await signIn(PASSWORD)).status).toBe(201);
    const travelling = await signIn(PASSWORD, { address: "192.0.2.1" });
    expect(travelling.status).toBe(429);
    expect(waitOf(travelling)).toBeLessThanOrEqual(30);
    await app.clock.advance(waitOf(travelling) * 1000);
    expect((await signIn(PASSWORD, { address: "192.0.2.1" })).status).toBe(201);
  });

  test("holds nobody up where the account was signed in to before, unless that address is shared", async () => {
    await start({ trustedProxies: "10.0.0.0/8" });
    const shared: readonly FromOptions[] = [
      { address: "127.0.0.1" },
      { address: "::1" },
      { address: "10.0.0.1" },
      { address: "192.0.2.1", headers: { "X-Forwarded-For": "192.0.2.2" } },
    ];
    await signUp();
    for (const options of shared) expect((await signIn(PASSWORD, options)).status).toBe(201);
    for (let guess = 0; guess < 25; guess++) await signIn("wrong", { address: `203.0.113.${guess}` });
    for (const options of shared)
      expect([options, (await signIn(PASSWORD, options)).status]).toEqual([options, 429]);
    for (let other = 0; other < 25; other++) await signIn("wrong", {}, `person-${other}@example.com`);
    expect((await signIn(PASSWORD)).status).toBe(201);
  });

  test("on many accounts from one address is slowed down, too; other addresses are not", async () => {
    await start();
    await signUp();
    const guess = (count: number) => signIn("wrong", { address: ELSEWHERE }, `person-${count}@example.com`);
    for (let count = 0; count < 20; count++) expect((await guess(count)).status).toBe(401);
    expect((await guess(20)).status).toBe(429);
    expect((await signIn(PASSWORD, { address: "192.0.2.1" })).status).toBe(201);
  });

  test("an IPv6 customer is one address, whichever of theirs they use", async () => {
    await start();
    await signUp();
    const statuses: number[] = [];
    for (let host = 1; host <= 6; host++)
      statuses.push((await signIn("wrong", { address: `2001:db8:0:7::${host}` })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await signIn("wrong", { address: "2001:db8:0:8::1" })).status).toBe(401);
  });

  test("with a stolen session is held back in the same way", async () => {
    await start();
    const cookie = await signUp();
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

  test("is forgotten after an hour without any; a clock set back locks no account", async () => {
    await start();
    await signUp();
    for (let guess = 0; guess < 12; guess++) {
      const refused = await signIn("wrong", { address: ELSEWHERE });
      await app.clock.advance(waitOf(refused) * 1000);
    }
    await app.clock.advance(-2 * LOGIN_COUNT_RETENTION_MS);
    expect((await signIn("wrong", { address: ELSEWHERE })).status).toBe(401);
    await app.clock.advance(4 * LOGIN_COUNT_RETENTION_MS);
    for (let guess = 0; guess < 5; guess++)
      expect((await signIn("wrong", { address: ELSEWHERE })).status).toBe(401);
    expect((await signIn("wrong", { address: ELSEWHERE })).status).toBe(429);
  });

  test("with half a million combining marks is answered, where normalizing them would take minutes", async () => {
    await start({ maxBodyBytes: "4000000" });
    await signUp();
    const marks = "\u0300".repeat(250_000) + "\u0316".repeat(250_000);
    expect((await signIn(`a${marks}`)).status).toBe(401);
  });

  test("who mistypes now and then is never held up", async () => {
    await start();
    await signUp();
    for (let day = 0; day < 40; day++) {
      expect((await signIn("mistyped")).status).toBe(401);
      expect((await signIn(PASSWORD)).status).toBe(201);
    }
  });

  test("accounts cannot be made by the hundred from one address", async () => {
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

describe("whom a request comes from", () => {
  const forwarded = (text: string) => ({ headers: { "X-Forwarded-For": text } });

  test("a forwarded address counts only when it comes from a trusted proxy", async () => {
    await start();
    await signUp();
    const statuses: number[] = [];
    for (let host = 1; host <= 6; host++) {
      statuses.push((await signIn("wrong", { address: ELSEWHERE, ...forwarded(`192.0.2.${host}`) })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test("a proxy that is named is believed, but not what its client claims", async () => {
    await start({ trustedProxies: "10.0.0.0/8" });
    await signUp();
    const from = (chain: string) => signIn("wrong", { address: "10.1.2.3", ...forwarded(chain) });
    for (let host = 1; host <= 5; host++) await from(`192.0.2.${host}, 203.0.113.9, 10.9.9.9`);
    expect((await from("192.0.2.77, 203.0.113.9")).status).toBe(429);
    expect((await from("203.0.113.9, 192.0.2.78")).status).toBe(401);
  });
});

describe("a cookie that another port of the host set", () => {
  const NAME = "petstore-production";

  test("does not hide the session, wherever it stands and however often", async () => {
    await start();
    const own = await signUp();
    const junk = [`${NAME}=`, `${NAME}=junk`, `${NAME}=${"a".repeat(43)}`, `${NAME}="`, NAME];
    const lines = [...junk.map((one) => `${one}; ${own}`), ...junk.map((one) => `${own}; ${one}`)];
    for (const cookie of [...lines, [...junk, ...junk, own, ...junk].join("; ")])
      expect([cookie, (await call("GET /pets", undefined, { cookie })).status]).toEqual([cookie, 200]);
  });

  test("does not keep anybody from signing in, and out", async () => {
    await start();
    await signUp();
    const junk = `${NAME}=${"a".repeat(43)}`;
    const signedIn = await signIn(PASSWORD, { cookie: junk });
    expect(signedIn.status).toBe(201);
    const cookie = `${junk}; ${cookieOf(signedIn)}`;
    expect((await call("DELETE /session", undefined, { cookie })).status).toBe(204);
    expect((await call("GET /pets", undefined, { cookie })).status).toBe(401);
  });
});

describe("a session's end", () => {
  test("it ends 30 days after it was begun, however much it is used", async () => {
    await start();
    const cookie = await signUp();
    const step = SESSION_LIFE_MS / 30;
    for (let day = 1; day < 30; day++) {
      await app.clock.advance(step);
      expect((await call("GET /pets", undefined, { cookie })).status).toBe(200);
    }
    await app.clock.advance(step - 1);
    expect((await call("GET /pets", undefined, { cookie })).status).toBe(200);
    await app.clock.advance(1);
    expect((await call("GET /pets", undefined, { cookie })).status).toBe(401);
  });

  test("it ends when it was not used for a week", async () => {
    await start();
    const cookie = await signUp();
    await app.clock.advance(SESSION_IDLE_MS - 1);
    expect((await call("GET /pets", undefined, { cookie })).status).toBe(200);
    await app.clock.advance(SESSION_IDLE_MS);
    expect((await call("GET /pets", undefined, { cookie })).status).toBe(401);
  });
});

describe("a one-time link", () => {
  const tokenOf = async (response: Response) => String((await read(response)).link).split("#")[1];

  test("is refused 72 hours after it was made", async () => {
    await start();
    const cookie = await signUp();
    const body = { email: "grace@example.com", role: "staff" };
    const invitation = await tokenOf(await call("POST /invitations", body, { cookie }));
    const [{ id }] = await read(await call("GET /accounts", undefined, { cookie }));
    const reset = await tokenOf(await call(`POST /accounts/${id}/reset-link`, undefined, { cookie }));
    await app.clock.advance(LINK_LIFE_MS - 1);
    expect((await call("POST /invitation/read", { token: invitation })).status).toBe(200);
    await app.clock.advance(1);
    for (const [path, token] of [
      ["/invitation/read", invitation],
      ["/invitation/accept", invitation],
      ["/password-reset", reset],
    ] as const) {
      const refused = await call(`POST ${path}`, { token, password: "eight calm herons" });
      expect([path, refused.status, (await read(refused)).code]).toEqual([path, 404, "not_found"]);
    }
    expect(await read(await call("GET /invitations", undefined, { cookie }))).toEqual([]);
  });
});

describe("settings", () => {
  test("sign-up can be closed: no account is created, and the page learns it", async () => {
    await start({ signUp: "closed" });
    const refused = await call("POST /accounts", { email: EMAIL, password: PASSWORD });
    expect([refused.status, (await read(refused)).code]).toEqual([403, "forbidden"]);
    expect((await read(await call("GET /session"))).signUp).toBe("closed");
  });

  test("behind HTTPS the cookie is Secure and the host's alone, and the public origin may ask for changes", async () => {
    await start({ productionUrl: "https://pets.example.com/v1" });
    const origin = "https://pets.example.com";
    const made = await call("POST /accounts", { email: EMAIL, password: PASSWORD }, { origin });
    expect(made.headers.get("set-cookie")).toMatch(
      /^__Host-petstore-production=[0-9A-Za-z]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    const cookie = cookieOf(made);
    expect((await call("GET /pets", undefined, { cookie })).status).toBe(200);
    expect((await read(await call("GET /session", undefined, { cookie }))).api).toBe(
      "https://pets.example.com/v1",
    );
    expect(
      (await call("DELETE /session", undefined, { cookie, origin: "https://evil.example" })).status,
    ).toBe(403);
  });
});

describe("under which name a page may ask for changes", () => {
  const signUpAt = (host: string, origin = `http://${host}`) =>
    call("POST /accounts", { email: `${host.length}@example.com`, password: PASSWORD }, { host, origin });

  test("on loopback, names of this machine only: another site's name may have been made to point here", async () => {
    await start();
    expect((await signUpAt("127.0.0.1:8080")).status).toBe(201);
    expect((await signUpAt("[::1]:8080")).status).toBe(201);
    for (const host of ["evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example:8080"]) {
      expect((await signUpAt(host)).status).toBe(403);
    }
  });

  test("with a public address, that one, by its scheme, too", async () => {
    await start({ productionUrl: "https://pets.example.com/v1" });
    expect((await signUpAt("pets.example.com", "https://pets.example.com")).status).toBe(201);
    expect((await signUpAt("pets.example.com", "http://pets.example.com")).status).toBe(403);
    expect((await signUpAt("evil.example:8080")).status).toBe(403);
  });

  test("opened to a network without a public address, the one it was reached by", async () => {
    await start({ host: "0.0.0.0" });
    expect((await signUpAt("shop.local:8080")).status).toBe(201);
    expect((await signUpAt("shop.local:8080", "http://evil.example")).status).toBe(403);
  });
});

test("no log line contains a password, a session's token or a key", async () => {
  await start();
  const cookie = await signUp();
  await signIn("a wrong one", { address: ELSEWHERE });
  const { token } = await read(await call("POST /keys", { name: "k" }, { cookie }));
  const all = JSON.stringify(app.logged);
  expect(app.logged.length).toBeGreaterThan(2);
  for (const secret of [PASSWORD, "a wrong one", token, cookie?.split("=")[1] ?? "none"])
    expect(all).not.toContain(secret);
});
