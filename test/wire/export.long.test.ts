import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { userWithKey } from "./remote.ts";
import { send } from "./send.ts";
import { startServer } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

const anInt64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 0n, -1n),
);
const MARKS = ["\ufeff", "\u2028", "\\", "\x1b"];
const aName = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom(...['"', ",", "\n", "\r", "\r\n", " ", "'", "=", "🦊", "é"], ...MARKS))
      .map((parts) => parts.join("")),
  )
  .filter((name) => name.isWellFormed() && !name.includes("\0"));
const animals = fc.array(
  fc.record({
    name: aName,
    categoryId: anInt64,
    status: fc.constantFrom("available", "pending", "sold", undefined),
  }),
  { minLength: 1, maxLength: 60 },
);

/** The service's animals as sorted JSON texts, without their identifiers. */
async function animalsIn(address: string, key: string): Promise<string[]> {
  const { body } = await send("GET", `${address}/pets?limit=100`, { key });
  return body
    .slice(1, -1)
    .split(/,(?=\{"id":)/)
    .map((text) => text.replace(/^\{"id":\d+,/, ""))
    .sort();
}

for (const format of ["csv", "jsonl"]) {
  test(`what was exported as ${format} is imported again equal, with any name`, async () => {
    await fc.assert(
      fc.asyncProperty(animals, async (all) => {
        const [from, to] = await Promise.all(
          [0, 1].map(async () => startServer({ store: await freshEmbeddedStore() })),
        );
        if (from === undefined || to === undefined) throw new Error("There are two servers.");
        const [giver, taker] = [await userWithKey(from), await userWithKey(to)];
        for (const { name, categoryId, status } of all) {
          const members = [`"name":${JSON.stringify(name)}`, `"categoryId":${categoryId}`];
          if (status !== undefined) members.push(`"status":"${status}"`);
          await send("POST", `${from.production}/pets`, { key: giver.key, body: `{${members.join(",")}}` });
        }
        const file = join(giver.folder, `all.${format}`);
        expect((await giver.run(["pets", "export", file])).code).toBe(0);
        expect((await taker.run(["pets", "import", file])).code).toBe(0);
        expect(await animalsIn(to.production, taker.key)).toEqual(
          await animalsIn(from.production, giver.key),
        );
        await Promise.all([from.stop(), to.stop()]);
      }),
      { numRuns: 4 },
    );
  });
}
