import { beforeEach, expect, test } from "bun:test";
import { appsOnOneStore } from "./apps-on-one-store.ts";
import { createTestClock } from "./clock.ts";
import { onEachEngine, type TestApp } from "./test-app.ts";

// The service remembers an `Idempotency-Key` for 24 hours of elapsed time, even if the clocks of its processes differ.
// test/simulation covers a single process whose clock is changed.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEARS = 10 * 365 * 24 * HOUR;

onEachEngine(
  (store) => {
    const apps = appsOnOneStore(store);
    let first: TestApp;
    let key: string;
    beforeEach(async () => {
      first = await start();
      ({ token: key } = await first.makeKey());
    });

    /** Starts a process of the service whose clock is wrong by this many milliseconds. */
    const start = (off = 0) => apps.start({ clock: createTestClock(Date.UTC(2026, 10, 21, 12) + off) });
    async function restart(off: number): Promise<TestApp> {
      await apps.closeAll();
      return start(off);
    }
    const add = async (app: TestApp, idempotencyKey: string) => {
      const headers = { "Idempotency-Key": idempotencyKey };
      const body = '{"name":"x","categoryId":1}';
      const { status, json } = await app.ask("production", "POST /v1/pets", { key, body, headers });
      expect(status).toBe(201);
      return json.id as number;
    };

    test("processes whose clocks differ by years remember each other's keys for 24 hours", async () => {
      // The process `early` starts before the store has recorded any elapsed time. When it writes its first idempotency record,
      // another process has written one 4 minutes earlier.
      const early = await start(YEARS);
      const before = await add(first, "before");
      await first.clock.advance(4 * MINUTE);
      const late = await start(YEARS);
      const made = [await add(first, "a"), await add(early, "b"), await add(late, "c")];
      const again = async () => [await add(late, "a"), await add(first, "b"), await add(first, "c")];
      const advance = (time: number) =>
        Promise.all([first, early, late].map(({ clock }) => clock.advance(time)));
      for (let passed = 0; passed < 23; passed++) {
        await advance(HOUR);
        expect(await add(late, "before")).toBe(before);
        expect(await again()).toEqual(made);
      }
      await advance(59 * MINUTE);
      expect(await again()).toEqual(made);
    });

    test("a key is forgotten after 24 hours, in one process or in several successive ones", async () => {
      const old = await add(first, "old");
      await first.clock.advance(12 * HOUR);
      const second = await restart(-YEARS);
      await second.clock.advance(11 * HOUR);
      expect(await add(second, "old")).toBe(old);
      await second.clock.advance(2 * HOUR);
      expect(await add(second, "old")).not.toBe(old);
    });
  },
  { always: true },
);
