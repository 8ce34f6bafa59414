import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { openDatabase } from "../../src/storage/open.ts";
import { onlyInTransaction } from "../../src/storage/postgres/only-in-transaction.ts";
import { type Row, type Statement, statement } from "../../src/storage/statement.ts";
import { DATABASE_NAMES } from "../../src/storage/store-files.ts";
import { hasPostgres } from "../machine.ts";
import { freshDatabaseUrl } from "../postgres/database.ts";
import { findStatements } from "./all-statements.ts";
import { fillTables } from "./filled-tables.ts";

// The costs that PostgreSQL's planner expects for a store without statistics, such as a new store, a restored one, or a copy. If
// the cost of a statement is higher than `jit_above_cost`, PostgreSQL compiles the statement, which takes 0.2 s.
// query-plans.test.ts checks the plans with statistics.

/** The default value of PostgreSQL's `jit_above_cost`. */
const COMPILED_FROM = 100_000;
/**
 * Tables that a statement may read completely: those with few rows, and `audit_entry`, which is read completely only once an hour,
 * when old entries are deleted.
 */
const READ_WHOLE = [
  "account",
  "audit_entry",
  "copy_run",
  "mail",
  "mailed_token",
  "one_time_link",
  "rehearsal",
  "simulation",
  "webhook",
];

interface Plan {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Total Cost": number;
  readonly Plans?: readonly Plan[];
}

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  let url: string;
  let sql: SQL;
  let texts: readonly string[];
  beforeAll(async () => {
    url = await freshDatabaseUrl();
    sql = new SQL(url, { max: 1 });
    // The rows stay uncommitted, so that PostgreSQL does not collect statistics about them.
    await sql.unsafe("BEGIN");
    await fillTables(sql);
    await sql.unsafe("SET plan_cache_mode = force_generic_plan");
  });
  afterAll(() => sql.close());

  test("the costs below are of every statement in the sources", async () => {
    const found = await findStatements();
    texts = found.texts;
    expect(found.unknown).toEqual([]);
  });

  test("no statement costs as much as one that is compiled, in a session without settings, as a pooler's is", async () => {
    const plans = await explainAll("enable_seqscan = on");
    expect(plans.filter(({ plan }) => plan["Total Cost"] > COMPILED_FROM)).toEqual([]);
  });

  test("with sequential scans disabled, statements read only small tables and sequences completely", async () => {
    const sequences = await sql.unsafe<{ name: string }[]>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'S'",
    );
    const allowed = [...READ_WHOLE, ...sequences.map(({ name }) => name)];
    const read = (await explainAll("enable_seqscan = off")).flatMap(({ text, plan }) =>
      nodesOf(plan)
        .filter((node) => node["Node Type"] === "Seq Scan" && !allowed.includes(node["Relation Name"] ?? ""))
        .map((node) => [node["Relation Name"], text]),
    );
    expect(read).toEqual([]);
  });

  test("finding the open order of one animal reads neither its completed orders nor the open orders of others", async () => {
    const ofOneAnimal = texts.filter((text) =>
      /pet_id = (pet\.id|range_pet\.id|\$1) AND completed_at IS NULL/.test(text),
    );
    expect(ofOneAnimal.length).toBeGreaterThan(4);
    const nodes = (await explainAll("enable_seqscan = off", ofOneAnimal)).flatMap(({ plan }) =>
      nodesOf(plan),
    );
    const read = nodes.filter(
      (node) => node["Relation Name"] === "store_order" && node["Node Type"] !== "ModifyTable",
    );
    const used = read.map((node) => node["Index Name"]);
    expect(new Set(used)).toEqual(new Set(["store_order_open_by_pet"]));
  });

  test("each change of rows can be sent together with BEGIN, under a condition that the server accepts", async () => {
    const besideBegin = texts.map((text) => [text, onlyInTransaction(text)] as const);
    const waiting = besideBegin.flatMap(([text, sent]) => (sent === undefined ? [text] : []));
    // Statements that make several changes or set a sequence are sent only after the response to BEGIN.
    expect(waiting.filter((text) => !/\(\s*(INSERT|UPDATE|DELETE)\b|\bsetval\(/.test(text))).toEqual([]);
    const changing = besideBegin.flatMap(([text, sent]) =>
      sent === undefined || sent === text ? [] : [sent],
    );
    const plans = await explainAll("enable_seqscan = on", changing);
    expect(plans.filter(({ plan }) => !JSON.stringify(plan).includes("repeatable read"))).toEqual([]);
  });

  test("no session of the service compiles statements", async () => {
    const database = await openDatabase("production", { dataDir: "", databaseUrl: url });
    const jit: Statement<[name: string], unknown> = statement(
      "SELECT current_setting($1) AS jit",
      (row: Row) => row["jit"],
    );
    expect(
      await Promise.all([
        database.read(jit, ["jit"]),
        database.run(jit, ["jit"]),
        database.write((query) => query(jit, ["jit"])),
      ]),
    ).toEqual([["off"], ["off"], ["off"]]);
    await database.close();
  });

  /** Returns the query plans of all statements, in every schema that has the tables of the statement. */
  async function explainAll(setting: string, of = texts) {
    await sql.unsafe(`SET ${setting}`);
    const plans: { readonly text: string; readonly plan: Plan }[] = [];
    for (const text of of) {
      const found = [];
      for (const schema of DATABASE_NAMES) found.push(...(await explain(text, schema)));
      expect([text, found.length]).not.toEqual([text, 0]);
      plans.push(...found.map((plan) => ({ text, plan })));
    }
    return plans;
  }

  async function explain(text: string, schema: string): Promise<readonly Plan[]> {
    await sql.unsafe(`SET search_path TO ${schema}`);
    await sql.unsafe("SAVEPOINT before");
    try {
      await sql.unsafe(`PREPARE asked AS ${text}`);
      const [{ count }] = await sql.unsafe(
        "SELECT coalesce(array_length(parameter_types, 1), 0)::int AS count FROM pg_prepared_statements WHERE name = 'asked'",
      );
      const values = count === 0 ? "" : `(${new Array(count).fill("NULL").join()})`;
      const [row] = await sql.unsafe(`EXPLAIN (FORMAT JSON) EXECUTE asked${values}`);
      return row["QUERY PLAN"].map(({ Plan }: { Plan: Plan }) => Plan);
    } catch {
      await sql.unsafe("ROLLBACK TO before");
      return [];
    } finally {
      await sql.unsafe("DEALLOCATE ALL");
    }
  }
});

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
