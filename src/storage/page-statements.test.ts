import { expect, test } from "bun:test";
import { createPageStatements } from "./page-statements.ts";

test("each length of a list has its own statement, and an empty list is not treated as a missing filter", () => {
  const pageOf = createPageStatements("pet", "id", ["status", "id"], (row) => row);
  const sqlOf = (...wanted: Parameters<typeof pageOf>[0]) => pageOf(wanted, 0n, 1).statement.sql;
  const thousand = new Array<bigint>(1_000).fill(1n);
  expect(sqlOf(undefined, undefined)).not.toContain(" IN (");
  expect(sqlOf(undefined, [])).toContain("id IN ()");
  expect(sqlOf("sold", undefined)).toContain("status = $1 AND id < $2");
  expect(sqlOf(undefined, thousand)).toContain("$1000)");
});

test("a filter for rows without a value differs from an empty list, and ranges differ from a list", () => {
  const pageOf = createPageStatements("pet", "id", ["status", "id"], (row) => row);
  const pages = [
    null,
    [],
    { ranges: ["a", "b"] },
    ["a", "b"],
    "a",
    undefined,
    { ranges: ["a", "b", "c"] },
  ].map((status) => pageOf([status, undefined], 0n, 1));
  expect(new Set(pages.map(({ statement }) => statement.sql)).size).toBe(pages.length);
  expect(pages[0]?.statement.sql).toBe(
    "SELECT id FROM pet WHERE status IS NULL AND id < $1 ORDER BY status DESC, id DESC LIMIT CAST($2 AS BIGINT)",
  );
  expect(pages.map(({ values }) => values.length)).toEqual([2, 2, 4, 4, 3, 2, 5]);
});
