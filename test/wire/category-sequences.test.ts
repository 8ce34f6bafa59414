import { expect, test } from "bun:test";
import { INT64_MAX, INT64_MIN } from "exact-json/int64";
import fc from "fast-check";
import { parseJson, writeJson } from "../../src/contract/json/json.ts";
import { onBothEngines } from "./server.ts";

/** Distance of a number from the next one that could be generated, or an end of int64. */
const number = fc.oneof(fc.integer({ min: -1, max: 4 }), fc.constantFrom(INT64_MIN, INT64_MAX));
const step = fc.record({
  action: fc.constantFrom("generate", "generate", "name", "addPet", "addPet", "remove"),
  number,
});

onBothEngines(({ useStore }) => {
  const server = useStore();
  /** Numbers of categories, numbers of animals, and all numbers that were generated. */
  const [named, used, generated] = [new Set<bigint>(), new Set<bigint>(), new Set<bigint>()];
  let last = 0n;

  async function post(path: string, body: object) {
    const reply = await server.post(path, writeJson(body));
    return { status: reply.status, answer: Object(parseJson(reply.body)) };
  }

  async function take({ action, number: from }: { action: string; number: number | bigint }) {
    const id = typeof from === "bigint" ? from : last + BigInt(from);
    if (action === "generate") {
      const { status, answer } = await post("/categories", { name: "generated" });
      last = BigInt(answer.id);
      const isFree = !named.has(last) && !used.has(last) && !generated.has(last);
      expect([status, isFree, last > 0n && last < 2n ** 53n]).toEqual([201, true, true]);
      generated.add(last);
      named.add(last);
    } else if (action === "name") {
      const { status, answer } = await post("/categories", { id, name: "given" });
      expect([status, answer.code]).toEqual(named.has(id) ? [409, "conflict"] : [201, undefined]);
      if (status === 201) expect(BigInt(answer.id)).toBe(id);
      named.add(id);
    } else if (action === "addPet") {
      expect((await post("/pets", { name: "x", categoryId: id })).status).toBe(201);
      used.add(id);
    } else {
      const { status } = await server.send(`DELETE /categories/${id}`);
      expect(status).toBe(!named.has(id) ? 404 : used.has(id) ? 409 : 204);
      if (status === 204) named.delete(id);
    }
  }

  test("no generated number is ever a category's, an animal's, or an earlier one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        for (const one of steps) await take(one);
        const listed: bigint[] = [];
        for (let path = "/categories?limit=100"; path !== ""; ) {
          const { body, headers } = await server.get(path);
          listed.push(...(parseJson(body) as { id: number | bigint }[]).map(({ id }) => BigInt(id)));
          path = /\/categories\?[^>]*/.exec(headers.get("Link") ?? "")?.[0] ?? "";
        }
        expect(listed).toEqual([...named].toSorted((one, other) => (one < other ? 1 : -1)));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});
