import { beforeEach, expect, test } from "bun:test";
import { countArrival, inParts } from "./turns.ts";

const items = Array.from({ length: 100 }, (_, index) => index);

/** Processes the items in parts of 5, and returns the length of each part. @param onPart called with the number of parts so far */
async function lengths(onPart: (count: number) => void = () => {}): Promise<readonly number[]> {
  const parts: number[] = [];
  countArrival(); // the request that causes the long work
  const results = await inParts(items, 5, async (part) => {
    onPart(parts.push(part.length));
    return part;
  });
  expect(results).toEqual(items);
  return parts;
}

const SMALL = new Array(10).fill(5);

// Other tests in this process may have sent requests, and parts stay small for a while after a request. This call uses up the small
// parts.
beforeEach(() => lengths());

test("long work runs at once while no other request arrives, and in small parts after one has arrived", async () => {
  expect(await lengths()).toEqual([100]);
  countArrival();
  expect(await lengths()).toEqual([...SMALL, 50]);
  expect(await lengths()).toEqual([100]);
  expect(await lengths(countArrival)).toEqual([100]);
  expect(await lengths(countArrival)).toEqual([...SMALL, ...SMALL]);
  expect(await lengths((count) => count === 4 && countArrival())).toEqual([...SMALL, 5, 5, 5, 5, 30]);
});

test("requests that arrive during one part of long work run before its next part", async () => {
  const order: string[] = [];
  countArrival();
  await lengths((count) => {
    order.push(`part ${count}`);
    setImmediate(() => setImmediate(() => order.push("request")));
  });
  expect(order.slice(0, 3)).toEqual(["part 1", "request", "part 2"]);
});
