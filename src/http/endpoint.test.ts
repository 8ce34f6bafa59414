import { expect, test } from "bun:test";
import type { Context } from "../context.ts";
import { petOperations } from "../pets/contract.ts";
import { removePet, selectPet } from "../pets/store.ts";
import { deletePet, getPet } from "../pets/verbs.ts";
import { systemRandomBytes } from "../platform/random.ts";
import { type Endpoints, endpoint, endpoints } from "./endpoint.ts";

const { getPet: getOne, deletePet: deleteOne } = petOperations;

test("a table of endpoints has every operation, each with its own verb", () => {
  type Table = Endpoints<Pick<typeof petOperations, "getPet" | "deletePet">>;
  const whole: Table = { getPet: endpoint(getOne, getPet), deletePet: endpoint(deleteOne, deletePet) };
  // @ts-expect-error the table has no endpoint for deletePet
  const incomplete: Table = { getPet: endpoint(getOne, getPet) };
  // @ts-expect-error the endpoint for deletePet belongs to getPet
  const swapped: Table = { ...whole, deletePet: endpoint(getOne, getPet) };
  // @ts-expect-error the verb returns nothing, but the operation returns a pet
  const wrongVerb: Table = { ...whole, getPet: endpoint(getOne, deletePet) };
  expect([whole, incomplete, swapped, wrongVerb]).toHaveLength(4);
});

test("an operation with preconditions gets the resource with which they are compared", () => {
  const whole = endpoints({ deletePet: deleteOne }, { deletePet: { verb: deletePet, readCurrent: getPet } });
  // @ts-expect-error deletePet also needs a function that reads the pet (`readCurrent`)
  const bare = endpoints({ deletePet: deleteOne }, { deletePet });
  expect([whole, bare].map((table) => table.deletePet.readCurrent !== undefined)).toEqual([true, false]);
});

test("a verb without a transaction cannot run a second statement", async () => {
  const asked: string[] = [];
  const ctx: Context = {
    actor: { kind: "operator" },
    now: 0,
    randomBytes: systemRandomBytes,
    async query({ sql }) {
      asked.push(sql);
      return [];
    },
  };
  const greedy = endpoint(
    deleteOne,
    async ({ query }, { petId }): Promise<undefined> => {
      await query(removePet.changing, [petId]);
      await query(selectPet, [petId]);
    },
    { commit: "statement" },
  );
  await expect(greedy.run(ctx, { petId: 1 })).rejects.toThrow("runs more than one SQL statement");
  expect(asked).toEqual([removePet.changing.sql]);
  // Each request may run one statement. Statements of earlier requests do not count.
  await expect(greedy.run(ctx, { petId: 1 })).rejects.toThrow("runs more than one SQL statement");
  expect(asked).toEqual([removePet.changing.sql, removePet.changing.sql]);
});
