import { afterEach, describe, expect, test } from "bun:test";
import { asOperator } from "../src/accounts/accounts.ts";
import { revokeKey } from "../src/keys/verbs.ts";
import { callConsole } from "./call-console.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import { until } from "./until.ts";

// While the service runs, the clock of the machine jumps forward or back by an hour or by ten years. Later the clock is corrected.

let app: TestApp;
afterEach(() => app.close());

const HOUR = 3_600_000;
const YEARS = 10 * 365 * 24 * HOUR;
const JUMPS = [
  ["an hour on", HOUR],
  ["an hour back", -HOUR],
  ["ten years on", YEARS],
  ["ten years back", -YEARS],
] as const;

const listWith = async (key: string) => (await app.send("production", "GET /v1/pets", { key })).status;

const signIn = async (password: string, request = "POST /session") =>
  (await callConsole(app, request, { email: "ada@example.com", password })).status;

for (const [jump, milliseconds] of JUMPS) {
  describe(`a clock that is set ${jump}, and right again`, () => {
    test("does not change how many requests a key has left", async () => {
      app = await createTestApp({}, { rateLimit: "4/3600s" });
      const { token: key } = await app.makeKey();
      const statuses = [await listWith(key), await listWith(key)];
      app.clock.set(milliseconds);
      statuses.push(await listWith(key));
      app.clock.set(-milliseconds);
      statuses.push(await listWith(key), await listWith(key));
      expect(statuses).toEqual([200, 200, 200, 200, 429]);
      await app.clock.advance(HOUR);
      expect(await listWith(key)).toBe(200);
    });

    test("locks nobody out for longer than the usual wait after a mistyped password", async () => {
      app = await createTestApp({}, { signUp: "open" });
      expect(await signIn("nine gentle otters", "POST /accounts")).toBe(201);
      const mistype = async () => {
        for (let count = 0; count < 6; count++) await signIn(`wrong ${count}`);
      };
      await mistype();
      app.clock.set(milliseconds);
      await mistype();
      await app.clock.advance(60_000);
      expect(await signIn("nine gentle otters")).toBe(201);
      app.clock.set(-milliseconds);
      await app.clock.advance(60_000);
      expect(await signIn("nine gentle otters")).toBe(201);
    });

    test("makes neither a revoked nor an expired key valid again", async () => {
      app = await createTestApp();
      const revoked = await app.makeKey();
      const expired = await app.makeKey({ expiresAt: app.clock.now() + HOUR / 2 });
      const lasting = await app.makeKey({ expiresAt: app.clock.now() + 2 * HOUR });
      expect(await listWith(revoked.token)).toBe(200);
      await asOperator(app.accounts, (ctx) =>
        revokeKey({ ...ctx, now: app.clock.now() }, { keyId: revoked.id }),
      );
      await until(async () => (await listWith(revoked.token)) === 401);
      await app.clock.advance(HOUR / 2);
      const dead = async () => [await listWith(revoked.token), await listWith(expired.token)];
      expect(await dead()).toEqual([401, 401]);
      app.clock.set(milliseconds);
      expect(await dead()).toEqual([401, 401]);
      app.clock.set(-milliseconds);
      expect(await dead()).toEqual([401, 401]);
      expect(await listWith(lasting.token)).toBe(200);
    });
  });
}
