import { describe, expect, test } from "bun:test";
import { createTestClock, type TestClock } from "../../test/clock.ts";
import { createSchedule } from "./backups.ts";

const HOUR = 3_600_000;

/**
 * Starts a schedule of backups. A backup ends only when the test ends it, and the test calls `advance` in place of the service's
 * timer.
 */
async function start(clock: TestClock, lastTime?: number) {
  const begun: PromiseWithResolvers<string>[] = [];
  const reported: string[] = [];
  const schedule = createSchedule({
    everyMs: HOUR,
    lastTime: async () => lastTime,
    clock,
    make(signal) {
      const one = Promise.withResolvers<string>();
      signal.addEventListener("abort", () => one.reject(new Error("killed")));
      begun.push(one);
      return one.promise;
    },
    onMade: (made) => reported.push(made),
    onFailed: async (error) => void reported.push(String(error)),
  });
  async function advance(milliseconds: number): Promise<void> {
    await clock.advance(milliseconds);
    schedule.tick();
    await settled();
  }
  await settled();
  schedule.tick();
  return { schedule, begun, reported, advance };
}

/** Waits until the callbacks of all resolved promises have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a schedule of backups", () => {
  test("makes the first backup at once, and starts each later one an interval after the start of the previous one", async () => {
    const clock = createTestClock();
    const { schedule, begun, reported, advance } = await start(clock);
    expect(begun).toHaveLength(1);
    await advance(HOUR / 4);
    begun[0]?.resolve("one");
    await settled();
    await advance((HOUR * 3) / 4 - 1);
    expect(begun).toHaveLength(1);
    await advance(1);
    expect([begun.length, reported]).toEqual([2, ["one"]]);
    await schedule.close();
  });

  test("continues after a restart from the last backup made before it", async () => {
    const clock = createTestClock();
    const { schedule, begun, advance } = await start(clock, clock.now() - HOUR / 2);
    await advance(HOUR / 2 - 1);
    expect([begun.length, schedule.ageSeconds()]).toEqual([0, 3_600 - 0.001]);
    await advance(1);
    expect(begun).toHaveLength(1);
    await schedule.close();
  });

  test("never makes two backups at the same time", async () => {
    const clock = createTestClock();
    const { schedule, begun, advance } = await start(clock);
    await advance(5 * HOUR);
    expect(begun).toHaveLength(1);
    begun[0]?.resolve("slow");
    await settled();
    schedule.tick();
    expect(begun).toHaveLength(2);
    await schedule.close();
  });

  test("reports a failed backup and makes the next one on time", async () => {
    const clock = createTestClock();
    const { schedule, begun, reported, advance } = await start(clock);
    begun[0]?.reject(new Error("The disk is full."));
    await settled();
    await advance(HOUR);
    expect([begun.length, reported, schedule.ageSeconds()]).toEqual([2, ["Error: The disk is full."], 3_600]);
    begun[1]?.resolve("two");
    await settled();
    expect([reported[1], schedule.ageSeconds()]).toEqual(["two", 0]);
    await schedule.close();
  });

  test("has the right age and interval when the time of day jumps", async () => {
    const clock = createTestClock();
    const { schedule, begun } = await start(clock);
    begun[0]?.resolve("one");
    await settled();
    clock.set(-1000 * HOUR);
    expect(schedule.ageSeconds()).toBe(0);
    await schedule.close();
  });

  test("aborts the running backup without reporting a failure when it is closed", async () => {
    const clock = createTestClock();
    const { schedule, begun, reported, advance } = await start(clock);
    await schedule.close();
    await advance(5 * HOUR);
    expect([begun.length, reported]).toEqual([1, []]);
  });
});
