import { signal } from "@preact/signals";
import type { TestClock } from "../../../rehearsal/contract.ts";
import { call } from "../request.ts";

/** Undefined until it was read. */
export const testClock = signal<TestClock | undefined>(undefined);

const PATH = "/test/clock";

export async function loadTestClock(): Promise<TestClock> {
  testClock.value = await call<TestClock>("GET", PATH);
  return testClock.value;
}

export async function setTestClock(now: string): Promise<void> {
  testClock.value = await call<TestClock>("PUT", PATH, { body: { now } });
}

export async function bringBack(): Promise<void> {
  await call<void>("DELETE", PATH);
  await loadTestClock();
}
