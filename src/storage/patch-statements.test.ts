import { expect, test } from "bun:test";
import { createPatchStatements } from "./patch-statements.ts";
import { noRows } from "./statement.ts";

test("a patch sets the given members alone, null among them, under the conditions of those members", () => {
  const patchOf = createPatchStatements<{ name?: string; status?: string | null }, undefined>({
    table: "pet",
    columns: { name: "name", status: "status" },
    conditions: { status: (given) => `status <> ${given}` },
    list: "id",
    decode: noRows,
  });
  const sent = [{}, { name: "Rex" }, { status: null }, { name: "Rex", status: "sold" }].map((patch) => {
    const { statement, values } = patchOf(7, patch);
    expect(patchOf(8, patch).statement).toBe(statement);
    return [statement.sql, ...values];
  });
  expect(sent).toEqual([
    ["SELECT id FROM pet WHERE id = $1", 7],
    ["UPDATE pet SET name = $2 WHERE id = $1 RETURNING id", 7, "Rex"],
    ["UPDATE pet SET status = $2 WHERE id = $1 AND status <> $2 RETURNING id", 7, null],
    ["UPDATE pet SET name = $2, status = $3 WHERE id = $1 AND status <> $3 RETURNING id", 7, "Rex", "sold"],
  ]);
});
