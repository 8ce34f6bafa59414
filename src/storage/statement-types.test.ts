import { expect, test } from "bun:test";
import type { Query } from "./database.ts";
import { insertion } from "./insertion.ts";
import { inOrder, noRows, type Statement, statement } from "./statement.ts";

// The compiler checks these tests: if a line below `@ts-expect-error` compiles without an error, the type check fails.

const rename: Statement<[id: number, name: string], undefined> = statement(
  "UPDATE pet SET name = $2 WHERE id = $1",
  noRows,
);
const insertPet = insertion("pet", { name: "TEXT", categoryId: "BIGINT" }, noRows);

test("a statement accepts exactly as many values as it declares, of the declared types", async () => {
  const taken: unknown[] = [];
  const query: Query = async (_statement, values) => {
    taken.push(values);
    return [];
  };
  await query(rename, [1, "Rex"]);
  await query(insertPet, { name: "Rex", categoryId: 1n });
  // @ts-expect-error one value is missing
  await query(rename, [1]);
  // @ts-expect-error there is one value too many
  await query(rename, [1, "Rex", 2]);
  // @ts-expect-error the values have the wrong types
  await query(rename, ["Rex", 1]);
  // @ts-expect-error there are no values
  await query(rename);
  // @ts-expect-error the value of a column is missing
  await query(insertPet, { name: "Rex" });
  // @ts-expect-error there is no such column
  await query(insertPet, { name: "Rex", categoryId: 1n, status: "sold" });
  // @ts-expect-error the value has the wrong type for its column
  await query(insertPet, { name: "Rex", categoryId: "one" });
  expect(taken).toHaveLength(9);
});

test("a statement declares the values that its text uses", () => {
  const two = "UPDATE pet SET name = $2 WHERE id = $1";
  const one = "DELETE FROM pet WHERE id = $1";
  const table: string = "pet";
  const right: Statement<[id: number, name: string], undefined> = statement(two, noRows);
  // @ts-expect-error the SQL text contains $2, but there is no second value
  const tooFew: Statement<[id: number], undefined> = statement(two, noRows);
  // @ts-expect-error there is a second value, but the SQL text does not contain $2
  const tooMany: Statement<[id: number, name: string], undefined> = statement(one, noRows);
  // @ts-expect-error the SQL text does not contain $1
  const gap: Statement<[name: string], undefined> = statement("DELETE FROM pet WHERE id = $2", noRows);
  // @ts-expect-error the SQL text contains $1, even if the compiler does not know the name of the table
  const composed: Statement<[], undefined> = statement(`DELETE FROM ${table} WHERE id = $1`, noRows);
  const sql = [right, tooFew, tooMany, gap, composed].map((made) => made.sql);
  expect(sql).toEqual([two, two, one, "DELETE FROM pet WHERE id = $2", one]);
});

test("a statement whose text has named values accepts an object with these names", async () => {
  const named: Statement<{ id: number; name: string }> = statement(
    "UPDATE pet SET name = $name WHERE id = $id",
  );
  // @ts-expect-error the SQL text contains $name, but there is no such value
  const tooFew: Statement<{ id: number }> = statement("UPDATE pet SET name = $name WHERE id = $id");
  const tooMany: Statement<{ id: number; name: string }> = statement(
    // @ts-expect-error there is a value `name`, but the SQL text does not contain $name
    "DELETE FROM pet WHERE id = $id",
  );
  const twice: Statement<{ id: number; at: number }> = statement(
    "INSERT INTO a VALUES ($at, $id, $at)\n ON CONFLICT (id) DO UPDATE SET at = $at",
  );
  const ten = "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10";
  type Ten = [a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1];
  const numbered: Statement<Ten> = statement(ten);
  expect([named, tooFew, tooMany, twice, numbered].map(({ sql, names }) => [sql, names])).toEqual([
    ["UPDATE pet SET name = $1 WHERE id = $2", ["name", "id"]],
    ["UPDATE pet SET name = $1 WHERE id = $2", ["name", "id"]],
    ["DELETE FROM pet WHERE id = $1", ["id"]],
    ["INSERT INTO a VALUES ($1, $2, $1)\n ON CONFLICT (id) DO UPDATE SET at = $1", ["at", "id"]],
    [ten, undefined],
  ]);
  expect(inOrder(named, { id: 1, name: "Rex" })).toEqual(["Rex", 1]);
});
