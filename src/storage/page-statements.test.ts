import { expect, test } from "bun:test";
import { createPageStatements } from "./page-statements.ts";

test("a list of any length has a statement of its own, and an empty one is no missing filter", () => {
  const pageOf = createPageStatements("pet", "id", ["status", "id"], (row) => row);
  const sqlOf = (...wanted: Parameters<typeof pageOf>[0]) => pageOf(wanted, 0n, 1).statement.sql;
  const thousand = new Array<bigint>(1_000).fill(1n);
  expect(sqlOf(undefined, undefined)).not.toContain(" IN (");
  expect(sqlOf(undefined, [])).toContain("id IN ()");
  expect(sqlOf("sold", undefined)).toContain("status = $1 AND id < $2");
  expect(sqlOf(undefined, thousand)).toContain("$1000)");
});
