import { describe, expect, test } from "bun:test";
import { AcquireTimeoutError, createSemaphore } from "./semaphore.ts";

describe("a gate", () => {
  test("lets as many through as it has places, then the next in the order they came", async () => {
    const gate = createSemaphore({ permits: 2, queueMax: 10, waitMs: 10_000 });
    const entered: string[] = [];
    const enter = async (name: string) => {
      const leave = await gate.acquire();
      entered.push(name);
      return leave;
    };
    const [leaveA, leaveB] = await Promise.all([enter("a"), enter("b")]);
    const waiting = [enter("c"), enter("d")];
    await Promise.resolve();
    expect(entered).toEqual(["a", "b"]);
    leaveB();
    // A place is given back once, however often that is said.
    leaveB();
    const leaveC = await waiting[0];
    expect(entered).toEqual(["a", "b", "c"]);
    leaveA();
    leaveC?.();
    (await waiting[1])?.();
    expect(entered).toEqual(["a", "b", "c", "d"]);
  });

  test("tells of those who waited or were refused, and of nobody else", async () => {
    const waits: boolean[] = [];
    const onWait = (_seconds: number, isAdmitted: boolean) => void waits.push(isAdmitted);
    const gate = createSemaphore({ permits: 1, queueMax: 1, waitMs: 10_000, onWait });
    const leave = await gate.acquire();
    expect(waits).toEqual([]);
    const waiting = gate.acquire();
    await gate.acquire().catch(() => {});
    expect(waits).toEqual([false]);
    leave();
    (await waiting)();
    expect(waits).toEqual([false, true]);
  });

  test("keeps so many waiting and refuses the next at once", async () => {
    const gate = createSemaphore({ permits: 1, queueMax: 1, waitMs: 10_000 });
    const leave = await gate.acquire();
    const waiting = gate.acquire();
    expect(gate.acquire()).rejects.toThrow(AcquireTimeoutError);
    leave();
    (await waiting)();
  });

  test("lets nobody wait longer than it says, and loses no place over it", async () => {
    const gate = createSemaphore({ permits: 1, queueMax: 5, waitMs: 20 });
    const leave = await gate.acquire();
    await expect(gate.acquire()).rejects.toThrow("no place within 20 ms");
    leave();
    (await gate.acquire())();
    (await gate.acquire())();
  });
});
