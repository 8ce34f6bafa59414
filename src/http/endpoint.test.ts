import { expect, test } from "bun:test";
import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import { creation } from "../events/change.ts";
import { petOperations } from "../pets/contract.ts";
import { insertPet, removePet, selectPet } from "../pets/store.ts";
import { deletePet, getPet } from "../pets/verbs.ts";
import { systemRandomBytes } from "../platform/random.ts";
import { type Endpoints, endpoint, insertEndpoint } from "./endpoint.ts";

const { createPet, getPet: getOne, deletePet: deleteOne } = petOperations;

test("a table of endpoints has every operation, each with its own verb", () => {
  type Table = Endpoints<Pick<typeof petOperations, "getPet" | "deletePet">>;
  const whole: Table = { getPet: endpoint(getOne, getPet), deletePet: endpoint(deleteOne, deletePet) };
  // @ts-expect-error deletePet is left out
  const incomplete: Table = { getPet: endpoint(getOne, getPet) };
  // @ts-expect-error getPet is another operation
  const swapped: Table = { ...whole, deletePet: endpoint(getOne, getPet) };
  // @ts-expect-error the verb returns nothing, the operation a pet
  const wrongVerb: Table = { ...whole, getPet: endpoint(getOne, deletePet) };
  expect([whole, incomplete, swapped, wrongVerb]).toHaveLength(4);
});

test("a verb without a transaction is refused a second statement", async () => {
  const asked: string[] = [];
  const ctx: Context = {
    actor: { kind: "operator" },
    now: 0,
    randomBytes: systemRandomBytes,
    requestId: "",
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
    { transaction: "none" },
  );
  await expect(greedy.run(ctx, { petId: 1 })).rejects.toThrow("may run one statement");
  expect(asked).toEqual([removePet.changing.sql]);
  // Each request has its own.
  await expect(greedy.run(ctx, { petId: 1 })).rejects.toThrow("may run one statement");
  expect(asked).toEqual([removePet.changing.sql, removePet.changing.sql]);
});

test("the row of a single insertion is computed from the body alone", () => {
  type Row = [string, Int64, null];
  type Body = { readonly name: string; readonly categoryId: Int64 };
  const row = ({ name, categoryId }: Body): Row => [name, categoryId, null];
  const short = ({ name, categoryId }: Body): [string, Int64] => [name, categoryId];
  const curious = ({ name, categoryId }: Body, ctx: Context): Row => [name + ctx.now, categoryId, null];
  const table = [
    insertEndpoint(createPet, insertPet, row, creation("pet.created")),
    // @ts-expect-error a column is left out
    insertEndpoint(createPet, insertPet, short, creation("pet.created")),
    // @ts-expect-error neither the time nor the actor is there
    insertEndpoint(createPet, insertPet, curious, creation("pet.created")),
    // @ts-expect-error there is no other way to such an endpoint
    endpoint(getOne, getPet, { transaction: "single-insert" }),
  ];
  expect(table.map(({ transaction }) => transaction)).toEqual(new Array(4).fill("single-insert"));
});
