import { afterEach, describe, expect, test } from "bun:test";
import type { Flags } from "../src/config/settings.ts";
import { PASSKEY_CHALLENGE_MS } from "../src/limits.ts";
import { callConsole, cookieOf } from "./call-console.ts";
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
  USER_PRESENT,
  USER_VERIFIED,
} from "./software-authenticator.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import type { Reply } from "./wire/send.ts";

// Tests passkeys without a browser, with an authenticator in software and a test clock. The authenticator sends every kind of
// invalid response.

let app: TestApp;
afterEach(() => app?.close());

const EMAIL = "ada@example.com";
const PASSWORD = "nine gentle otters";

function openBrowser(origin = "http://localhost:8080") {
  const cookies = new Map<string, string>();
  return {
    origin,
    cookies,
    async call(request: string, body?: unknown): Promise<Reply> {
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const response = await callConsole(app, request, body, { origin, cookie });
      const [name = "", value = ""] = cookieOf(response)?.split("=") ?? [];
      if (name !== "") cookies.set(name, value);
      return response;
    },
  };
}
type Browser = ReturnType<typeof openBrowser>;

async function start(flags: Flags = {}, origin?: string): Promise<Browser> {
  app = await createTestApp({}, { signUp: "open", ...flags });
  const browser = openBrowser(origin);
  const made = await browser.call("POST /accounts", { email: EMAIL, password: PASSWORD });
  expect(made.status).toBe(201);
  return browser;
}

/** Requests the challenge for a new passkey or for a sign-in. The authenticator must sign it. */
async function ceremony(browser: Browser, kind: "new" | "sign-in") {
  const path = kind === "new" ? "/account/passkeys/challenge" : "/session/passkey/challenge";
  const response = await browser.call(`POST ${path}`, kind === "new" ? { password: PASSWORD } : undefined);
  expect(response.status).toBe(201);
  return { ...response.json, origin: browser.origin };
}

async function addPasskey(browser: Browser, device: SoftwareAuthenticator, name = "my phone") {
  const made = device.create(await ceremony(browser, "new"));
  return browser.call("POST /account/passkeys", { name, ...made });
}

/** Creates an account and adds a passkey to it. Resolves to the device with the passkey. */
async function startWithPasskey(): Promise<SoftwareAuthenticator> {
  const device = createSoftwareAuthenticator();
  await addPasskey(await start(), device);
  return device;
}

async function signIn(browser: Browser, device: SoftwareAuthenticator): Promise<Reply> {
  return browser.call("POST /session/passkey", device.sign(await ceremony(browser, "sign-in")));
}

test("no passkey is added with a wrong password or without a session", async () => {
  const ada = await start();
  const refused = await ada.call("POST /account/passkeys/challenge", { password: "not it at all" });
  expect(refused.status).toBe(400);
  const made = createSoftwareAuthenticator().create({
    challenge: "x",
    rpId: "localhost",
    origin: ada.origin,
  });
  expect((await ada.call("POST /account/passkeys", { name: "x", ...made })).status).toBe(400);
  expect((await openBrowser().call("POST /account/passkeys", { name: "x", ...made })).status).toBe(401);
});

test("a name with a control character is refused, as in a key's name", async () => {
  const ada = await start();
  const made = createSoftwareAuthenticator().create(await ceremony(ada, "new"));
  const refused = await ada.call("POST /account/passkeys", { name: "\u001b[31mred", ...made });
  expect([refused.status, refused.json.message]).toEqual([
    400,
    "name must have 1 to 100 characters, without control characters.",
  ]);
  expect((await ada.call("POST /account/passkeys", { name: "red", ...made })).status).toBe(201);
});

describe("a device's answer is refused", () => {
  const DEVIATIONS = [
    ["of another origin", { origin: "http://evil.example" }],
    ["of another port", { origin: "http://localhost:9999" }],
    ["for another host", { rpId: "evil.example" }],
    ["to another challenge", { challenge: "c29tZXRoaW5nIGVsc2U" }],
    ["without the person's verification", { flags: USER_PRESENT }],
    ["without the person", { flags: USER_VERIFIED }],
  ] as const;

  test.each(DEVIATIONS)("as a new passkey: %s", async (_, deviation) => {
    const ada = await start();
    const made = createSoftwareAuthenticator().create(await ceremony(ada, "new"), deviation);
    expect((await ada.call("POST /account/passkeys", { name: "x", ...made })).status).toBe(400);
    expect((await ada.call("GET /account/passkeys")).json).toEqual([]);
  });

  test.each([...DEVIATIONS, ["that was counted before", { signCount: 1 }] as const])(
    "as a sign-in: %s",
    async (_, deviation) => {
      const device = await startWithPasskey();
      const thief = openBrowser();
      const answer = device.sign(await ceremony(thief, "sign-in"), deviation);
      const refused = await thief.call("POST /session/passkey", answer);
      expect([refused.status, refused.json.message]).toEqual([
        401,
        "The passkey was not accepted. Try again, or sign in with your password.",
      ]);
      expect((await thief.call("GET /session")).json.account).toBeNull();
      expect((await signIn(openBrowser(), device)).status).toBe(201);
    },
  );

  test("signed by another device", async () => {
    const device = await startWithPasskey();
    const thief = openBrowser();
    const forged = createSoftwareAuthenticator().sign(await ceremony(thief, "sign-in"));
    const answer = { ...forged, credentialId: device.credentialId };
    expect((await thief.call("POST /session/passkey", answer)).status).toBe(401);
  });
});

describe("a challenge", () => {
  test("can be answered only once, even by two concurrent requests", async () => {
    const device = await startWithPasskey();
    const browser = openBrowser();
    const answer = device.sign(await ceremony(browser, "sign-in"));
    const answers = await Promise.all([1, 2, 3].map(() => browser.call("POST /session/passkey", answer)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    expect((await browser.call("POST /session/passkey", answer)).status).toBe(401);
  });

  test("can be answered only within five minutes", async () => {
    const device = await startWithPasskey();
    const browser = openBrowser();
    const answer = device.sign(await ceremony(browser, "sign-in"));
    await app.clock.advance(PASSKEY_CHALLENGE_MS);
    expect((await browser.call("POST /session/passkey", answer)).status).toBe(401);
  });

  test("that was never made is refused without an entry in the audit log", async () => {
    await start();
    const browser = openBrowser();
    const answer = createSoftwareAuthenticator().sign({
      challenge: "x",
      rpId: "localhost",
      origin: browser.origin,
    });
    const owner = openBrowser();
    await owner.call("POST /session", { email: EMAIL, password: PASSWORD });
    const before = (await owner.call("GET /audit")).body;
    expect((await browser.call("POST /session/passkey", answer)).status).toBe(401);
    expect((await owner.call("GET /audit")).body).toBe(before);
  });

  test("is valid only for one browser, or one session", async () => {
    const ada = await start();
    const device = createSoftwareAuthenticator();
    const made = device.create(await ceremony(ada, "new"));
    const sameAccount = openBrowser();
    await sameAccount.call("POST /session", { email: EMAIL, password: PASSWORD });
    expect((await sameAccount.call("POST /account/passkeys", { name: "x", ...made })).status).toBe(400);
    expect((await ada.call("POST /account/passkeys", { name: "x", ...made })).status).toBe(201);
    const answer = device.sign(await ceremony(openBrowser(), "sign-in"));
    expect((await openBrowser().call("POST /session/passkey", answer)).status).toBe(401);
  });
});

test("beginning many passkey sign-ins without completing them slows down the address", async () => {
  const device = await startWithPasskey();
  for (let count = 0; count < 30; count++) expect((await signIn(openBrowser(), device)).status).toBe(201);
  const begin = async () => (await openBrowser().call("POST /session/passkey/challenge")).status;
  for (let attempt = 0; attempt < 20; attempt++) expect(await begin()).toBe(201);
  expect(await begin()).toBe(429);
});

test("passkeys belong to the public address's host, and are unavailable without HTTPS", async () => {
  const origin = "https://pets.example.com";
  const ada = await start({ productionUrl: `${origin}/v1` }, origin);
  const device = createSoftwareAuthenticator();
  expect((await addPasskey(ada, device)).json.host).toBe("pets.example.com");
  expect((await signIn(openBrowser(origin), device)).status).toBe(201);
  await app.close();

  for (const address of ["http://127.0.0.1:8080", "http://[::1]:8080"]) {
    const local = await start({}, address);
    const refused = await local.call("POST /account/passkeys/challenge", { password: PASSWORD });
    expect(refused.status).toBe(403);
    expect(refused.json.message).toStartWith("Passkeys work only at an https address or at localhost.");
    await app.close();
  }
});

test("the library is loaded only when a passkey is used", () => {
  const script = `
    await import("${Bun.fileURLToPath(new URL("../src/server/app.ts", import.meta.url))}");
    console.log(Object.keys(require.cache).filter((path) => path.includes("@simplewebauthn")).length);`;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script]);
  expect([stdout.toString().trim(), stderr.toString()]).toEqual(["0", ""]);
});
