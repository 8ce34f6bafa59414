import { expect, test } from "bun:test";
import type { Query } from "./database.ts";
import { insertion } from "./insertion.ts";
import { noRows, type Statement, statement } from "./statement.ts";

// The compiler checks these: a line under `@ts-expect-error` that compiles fails the type check.

const rename: Statement<[id: number, name: string], undefined> = statement(
  "UPDATE pet SET name = $2 WHERE id = $1",
  noRows,
);
const insertPet = insertion("pet", ["name TEXT", "category_id BIGINT"], noRows);

test("a statement takes the values that it declares, no fewer, no more and of no other kind", async () => {
  const taken: unknown[] = [];
  const query: Query = async (_statement, values) => {
    taken.push(values);
    return [];
  };
  await query(rename, [1, "Rex"]);
  await query(insertPet, ["Rex", 1n]);
  // @ts-expect-error one too few
  await query(rename, [1]);
  // @ts-expect-error one too many
  await query(rename, [1, "Rex", 2]);
  // @ts-expect-error of the wrong kind
  await query(rename, ["Rex", 1]);
  // @ts-expect-error none at all
  await query(rename);
  // @ts-expect-error one too few for the columns
  await query(insertPet, ["Rex"]);
  // @ts-expect-error of the wrong kind for its column
  await query(insertPet, ["Rex", "one"]);
  expect(taken).toHaveLength(8);
});

test("a statement declares the values that its text takes", () => {
  const two = "UPDATE pet SET name = $2 WHERE id = $1";
  const one = "DELETE FROM pet WHERE id = $1";
  const table: string = "pet";
  const right: Statement<[id: number, name: string], undefined> = statement(two, noRows);
  // @ts-expect-error the text takes $2
  const tooFew: Statement<[id: number], undefined> = statement(two, noRows);
  // @ts-expect-error the text takes no $2
  const tooMany: Statement<[id: number, name: string], undefined> = statement(one, noRows);
  // @ts-expect-error $1 is left out
  const gap: Statement<[name: string], undefined> = statement("DELETE FROM pet WHERE id = $2", noRows);
  // @ts-expect-error the text takes $1, whichever the table
  const composed: Statement<[], undefined> = statement(`DELETE FROM ${table} WHERE id = $1`, noRows);
  const sql = [right, tooFew, tooMany, gap, composed].map((made) => made.sql);
  expect(sql).toEqual([two, two, one, "DELETE FROM pet WHERE id = $2", one]);
});
