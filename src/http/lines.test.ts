import { expect, test } from "bun:test";
import type { Actor } from "../context.ts";
import type { Call } from "./call.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import { answerLines, type Line } from "./lines.ts";

const ADA = { kind: "session", sessionId: "ada" } as Actor;
const BEN = { kind: "session", sessionId: "ben" } as Actor;
const TILL = { kind: "key", keyId: "till" } as Actor;
const endpoint = { operation: { method: "DELETE", path: "/pets/{petId}", success: { status: 204 } } };
const lines = Array.from({ length: 100 }, () => ({ endpoint, path: "/pets/1", values: {}, headers: {} }));

/** Creates a concurrency limit with a clock for the test, and a function that returns how many lines are committed together. */
function createShop() {
  let time = 0;
  const concurrency = createConcurrencyLimit(
    () => {},
    () => time,
    () => {},
  );
  function pass(milliseconds: number) {
    time += milliseconds;
  }
  const arrive = (actor: Actor) => concurrency.requireRoom({ actor, hasSlot: false });
  async function groups(actor: Actor, onGroup: (count: number) => void = () => {}) {
    const sizes: number[] = [];
    let size = 0;
    async function commit() {
      size++;
      await undefined;
      if (size > 0) onGroup(sizes.push(size));
      size = 0;
      return { status: 204, headers: {}, body: null };
    }
    arrive(actor);
    const call = { actor, path: "/lines", endpoint, pipeline: { concurrency } } as unknown as Call;
    await answerLines(
      call,
      { lines: lines as unknown as readonly Line[], onAnswered() {} },
      commit as Parameters<typeof answerLines>[2],
    );
    return sizes;
  }
  return { arrive, groups, pass };
}

const SMALL = new Array<number>(10).fill(10);

test("all lines of a batch are committed together if nobody else has sent a request, or long ago", async () => {
  const { arrive, groups, pass } = createShop();
  expect(await groups(ADA)).toEqual([100]);
  arrive(TILL);
  pass(1_000);
  expect(await groups(ADA)).toEqual([100]);
  // Other requests that the importing session sends at the same time do not make the groups smaller.
  arrive(ADA);
  expect(await groups(ADA)).toEqual([100]);
});

test("lines are committed in small groups while another key or session sends requests", async () => {
  const { arrive, groups, pass } = createShop();
  arrive(TILL);
  expect(await groups(ADA)).toEqual(SMALL);
  pass(1_000);
  arrive(BEN);
  arrive(ADA);
  expect(await groups(ADA)).toEqual(SMALL);
  expect(await groups(ADA, (count) => count === 3 && pass(1_000))).toEqual([10, 10, 10, 70]);
});
