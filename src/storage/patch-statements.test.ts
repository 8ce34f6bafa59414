import { expect, test } from "bun:test";
import { appending, insertion } from "./insertion.ts";
import { comparedPatch } from "./patch-statements.ts";
import { noRows } from "./statement.ts";

const compare = comparedPatch<{ name?: string; status?: string | null }, undefined>(
  {
    table: "pet",
    columns: { name: "TEXT", status: "TEXT" },
    conditions: { status: (given) => `status <> ${given}` },
    unique: "name",
    list: "id",
    decode: noRows,
  },
  appending("log", "petId", { petId: "BIGINT", orderId: "BIGINT", data: "TEXT" }),
);
const before = { id: 7, name: "Rex", status: "available" };
const entry = { petId: 7, orderId: null, data: "{}" };

test("a patch sets only the given members, even to null, if their conditions hold and no member has changed", () => {
  const sent = [{}, { name: "Max" }, { status: null }, { name: "Max", status: "sold" }].map((patch) => {
    const { statement, values } = compare({ id: 7, patch, before, entry: undefined });
    expect(compare({ id: 8, patch, before, entry: undefined }).statement).toBe(statement);
    const [change] = statement.compared?.steps ?? [];
    expect(change?.count).toBe(values.length);
    return [change?.statement.sql, ...values];
  });
  const same = (first: number) =>
    `name IS NOT DISTINCT FROM $${first} AND status IS NOT DISTINCT FROM $${first + 1}`;
  expect(sent).toEqual([
    [`SELECT id FROM pet WHERE id = $1 AND ${same(2)}`, 7, "Rex", "available"],
    [`UPDATE pet SET name = $2 WHERE id = $1 AND ${same(3)} RETURNING id`, 7, "Max", "Rex", "available"],
    [
      `UPDATE pet SET status = $2 WHERE id = $1 AND status <> $2 AND ${same(3)} RETURNING id`,
      ...[7, null, "Rex", "available"],
    ],
    [
      `UPDATE pet SET name = $2, status = $3 WHERE id = $1 AND status <> $3 AND ${same(4)} RETURNING id`,
      ...[7, "Max", "sold", "Rex", "available"],
    ],
  ]);
});

test("the steps of a change use the values of the whole statement in turn, and an added row's identifier goes into its entry", () => {
  const added = {
    insertion: insertion("orders", { petId: "BIGINT" } as const, noRows),
    values: { petId: 7 },
    entry: { petId: 7, orderId: null, data: "new" },
    identifier: "orderId",
  };
  const { statement, values } = compare({ id: 7, patch: { status: "sold" }, before, entry }, added);
  const steps = statement.compared?.steps ?? [];
  expect(steps.slice(1).map((step) => step.statement.sql)).toEqual([
    "INSERT INTO orders (pet_id) VALUES ($1) RETURNING id, pet_id",
    "INSERT INTO log (pet_id, order_id, data) VALUES ($1, last_insert_rowid(), $2)",
    "INSERT INTO log (pet_id, order_id, data) VALUES ($1, $2, $3)",
  ]);
  expect(steps.map(({ count }) => count)).toEqual([4, 1, 2, 3]);
  expect(values).toEqual([...[7, "sold", "Rex", "available"], 7, ...[7, "new"], ...[7, null, "{}"]]);
  expect(statement.sql).toEndWith("SELECT * FROM part_0");
});

test("only a change that sets no unique value can skip a locked row, because that value may have to wait as well", () => {
  const skips = ({ ...patch }: { name?: string; status?: string }) =>
    compare({ id: 7, patch, before, entry }).statement.compared?.unlessLocked?.sql.includes("SKIP LOCKED");
  expect([skips({ status: "sold" }), skips({ name: "Max", status: "sold" })]).toEqual([true, undefined]);
});
