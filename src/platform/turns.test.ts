import { expect, test } from "bun:test";
import { countArrival, inParts } from "./turns.ts";

const items = Array.from({ length: 100 }, (_, index) => index);

/** Runs the items in parts of 10, and returns the length of each part. @param onPart called with the number of parts so far */
async function lengths(onPart: (count: number) => void): Promise<readonly number[]> {
  const parts: number[] = [];
  const results = await inParts(items, 10, async (part) => {
    onPart(parts.push(part.length));
    return part;
  });
  expect(results).toEqual(items);
  return parts;
}

test("long work runs in small parts while requests arrive, and at once when none do", async () => {
  expect(await lengths(() => {})).toEqual([10, 90]);
  expect(await lengths(countArrival)).toEqual(new Array(10).fill(10));
  expect(await lengths((count) => count <= 2 && countArrival())).toEqual([10, 10, 10, 70]);
});

test("requests that arrive during one part of long work run before its next part", async () => {
  const order: string[] = [];
  await lengths((count) => {
    order.push(`part ${count}`);
    setImmediate(() => setImmediate(() => order.push("request")));
  });
  expect(order.slice(0, 3)).toEqual(["part 1", "request", "part 2"]);
});
