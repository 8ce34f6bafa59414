import { afterEach, expect, test } from "bun:test";
import { asOperator } from "../src/accounts/accounts.ts";
import type { Context } from "../src/context.ts";
import { errorMessage } from "../src/errors.ts";
import { requireKey, revokeKey, rotateKey } from "../src/keys/verbs.ts";
import { createTestApp, onEachEngine, type TestApp } from "./test-app.ts";
import { until } from "./until.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

onEachEngine((store) => {
  let app: TestApp;
  afterEach(() => app.close());
  const start = async () => {
    app = await createTestApp({}, await store());
    return app;
  };

  const atClock = <Result>(work: (ctx: Context) => Promise<Result>) =>
    asOperator(app.accounts, (ctx) => work({ ...ctx, now: app.clock.now() }));
  const rotate = (keyId: string, overlapHours?: number) =>
    atClock(async (ctx) => rotateKey(ctx, { key: await requireKey(ctx, keyId, {}), overlapHours }));
  const refusal = (keyId: string, overlapHours?: number) => rotate(keyId, overlapHours).catch(errorMessage);
  const listWith = async (key: string) => (await app.send("production", "GET /v1/pets", { key })).status;
  /**
   * Waits until the service has noticed that the API key was rotated. Its cache of keys learns of a change in another process only
   * after a short delay.
   */
  const untilRefused = (key: string) => until(async () => (await listWith(key)) === 401);

  test("a rotated key works for 24 hours beside the new one, which has its name, account and access", async () => {
    const { clock, makeKey } = await start();
    const old = await makeKey({ access: "read" });
    expect(await listWith(old.token)).toBe(200);
    await clock.advance(HOUR);
    const { key, token } = await rotate(old.id);
    expect(key).toMatchObject({ name: "test", access: "read", environment: "production", accountId: 1 });
    expect([key.createdAt, key.expiresAt, key.replacedBy]).toEqual([clock.now(), undefined, undefined]);
    expect(key.redacted).toBe(`${token.slice(0, 13)}…${token.slice(-4)}`);
    expect([await listWith(old.token), await listWith(token)]).toEqual([200, 200]);
    await clock.advance(DAY - 1_000);
    expect(await listWith(old.token)).toBe(200);
    await clock.advance(1_000);
    await untilRefused(old.token);
    expect(await listWith(token)).toBe(200);
  });

  test("the new key has the same lifetime as the old one, starting now; the old one ends at its own expiry", async () => {
    const { clock, makeKey } = await start();
    const old = await makeKey({ expiresAt: clock.now() + 30 * DAY });
    await clock.advance(30 * DAY - HOUR);
    const { key, token } = await rotate(old.id, 168);
    expect(key.expiresAt).toBe(clock.now() + 30 * DAY);
    const again = await rotate(key.id, 1);
    expect(again.key.expiresAt).toBe(clock.now() + 30 * DAY);
    await clock.advance(HOUR);
    await untilRefused(old.token);
    await untilRefused(token);
    expect(await listWith(again.token)).toBe(200);
  });

  test("a new key's expiry has a year of four digits, like the old one's", async () => {
    const { clock, makeKey } = await start();
    const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
    const { id } = await makeKey({ expiresAt: last });
    await clock.advance(HOUR);
    expect((await rotate(id)).key.expiresAt).toBe(last);
  });

  test("a key that is revoked during its overlap ends at once", async () => {
    const { makeKey } = await start();
    const { id, token: old } = await makeKey();
    expect(await listWith(old)).toBe(200);
    const { token } = await rotate(id, 168);
    await atClock((ctx) => revokeKey(ctx, { keyId: id }));
    await untilRefused(old);
    expect(await listWith(token)).toBe(200);
  });

  test("a key is not rotated if it is revoked, expired or already rotated, or if the overlap is out of range", async () => {
    const { clock, makeKey } = await start();
    const keys = await Promise.all([makeKey(), makeKey({ expiresAt: clock.now() + HOUR }), makeKey()]);
    const [revoked = "", expired = "", rotated = ""] = keys.map(({ id }) => id);
    for (const hours of [-1, 169, 1.5, Number.NaN])
      expect(await refusal(rotated, hours)).toBe("overlapHours must be an integer from 0 to 168.");
    await atClock((ctx) => revokeKey(ctx, { keyId: revoked }));
    const { key } = await rotate(rotated);
    await clock.advance(HOUR);
    expect(await Promise.all([revoked, expired, rotated, "key_x"].map((id) => refusal(id)))).toEqual([
      `${revoked} is revoked. Create a new key instead.`,
      `${expired} has expired. Create a new key instead.`,
      `${rotated} has already been replaced by ${key.id}. Create a new key instead.`,
      "There is no key key_x.",
    ]);
    await clock.advance(DAY);
    expect(await refusal(rotated)).toContain("has already been replaced");
  });
});
