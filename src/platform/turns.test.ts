import { expect, test } from "bun:test";
import { inParts } from "./turns.ts";

test("requests that arrive during one part of long work run before its next part", async () => {
  const items = [1, 2, 3, 4, 5, 6, 7];
  const sizes = [3, 1, 9];
  const order: unknown[] = [];
  const results = await inParts(items, {
    sizeOf: () => sizes.shift() ?? 0,
    async run(part) {
      order.push(part);
      setImmediate(() => setImmediate(() => order.push("request")));
      return part;
    },
  });
  expect(order).toEqual([[1, 2, 3], "request", [4], "request", [5, 6, 7]]);
  expect(results).toEqual(items);
});
