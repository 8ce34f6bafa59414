import { describe, expect, test } from "bun:test";
import { AcquireTimeoutError, createSemaphore } from "./semaphore.ts";

describe("a semaphore", () => {
  test("gives out all its permits, and then each released permit to the next caller in the queue", async () => {
    const semaphore = createSemaphore({ permits: 2, queueMax: 10, waitMs: 10_000 });
    const acquired: string[] = [];
    const acquire = async (name: string) => {
      const release = await semaphore.acquire();
      acquired.push(name);
      return release;
    };
    const [releaseA, releaseB] = await Promise.all([acquire("a"), acquire("b")]);
    const waiting = [acquire("c"), acquire("d")];
    await Promise.resolve();
    expect(acquired).toEqual(["a", "b"]);
    releaseB();
    // Releasing a semaphore's permit twice has no effect.
    releaseB();
    const releaseC = await waiting[0];
    expect(acquired).toEqual(["a", "b", "c"]);
    releaseA();
    releaseC?.();
    (await waiting[1])?.();
    expect(acquired).toEqual(["a", "b", "c", "d"]);
  });

  test("rejects callers at once when its queue is full, and reports only those that waited or were rejected", async () => {
    const waits: boolean[] = [];
    const onWait = (_seconds: number, isAcquired: boolean) => void waits.push(isAcquired);
    const semaphore = createSemaphore({ permits: 1, queueMax: 1, waitMs: 10_000, onWait });
    const release = await semaphore.acquire();
    expect(waits).toEqual([]);
    const waiting = semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toThrow(AcquireTimeoutError);
    expect(waits).toEqual([false]);
    release();
    (await waiting)();
    expect(waits).toEqual([false, true]);
  });

  test("rejects a caller at the deadline, and loses no permit", async () => {
    const semaphore = createSemaphore({ permits: 1, queueMax: 5, waitMs: 20 });
    const release = await semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toThrow("gave up after waiting for 20 ms");
    release();
    (await semaphore.acquire())();
    (await semaphore.acquire())();
  });
});
