import type { SQL } from "bun";
import { errorMessage } from "../../errors.ts";
import type { Inspected } from "../inspected.ts";
import { primaryAt } from "./primary.ts";
import type { Connection } from "./session.ts";

/**
 * Reads every value in a schema. If the PostgreSQL extension amcheck is available, it also checks the tables, and compares the
 * indexes with them.
 */
export async function* inspectSchema(url: string, schema: string): AsyncGenerator<Inspected> {
  let connection: Connection | undefined;
  try {
    connection = await primaryAt(url).connect(INSPECTING);
    const { sql } = connection;
    const tables = await namesOf(sql, TABLES, schema);
    const [amcheck] = await sql.unsafe<{ schema: string }[]>(AMCHECK);
    const indexes = amcheck === undefined ? [] : await namesOf(sql, INDEXES, schema);
    const steps = [
      ...tables.map((name) => ({ name, check: `SELECT sum(length(t::text)) FROM ${name} AS t` })),
      ...(amcheck === undefined ? [] : tables).map((name) => ({
        name,
        check: `SELECT format('block %s: %s', blkno, msg) AS problem FROM ${amcheck?.schema}.verify_heapam('${name}')`,
      })),
      ...indexes.map((name) => ({
        name,
        check: `SELECT ${amcheck?.schema}.bt_index_check('${name}'::regclass, true)`,
      })),
    ];
    for (const [index, { name, check }] of steps.entries()) {
      const problems = await sql.unsafe<{ problem?: string }[]>(check).then(
        (rows) => rows.flatMap(({ problem = [] }) => problem),
        (error: unknown) => [errorMessage(error)],
      );
      yield { share: index / steps.length, problems: problems.map((problem) => `${name}: ${problem}`) };
    }
    const compared =
      amcheck === undefined
        ? "indexes not checked: the extension amcheck is not installed, or this user may not call amcheck"
        : `${indexes.length} indexes compared by amcheck`;
    yield { share: 1, problems: [], summary: `${tables.length} tables read; ${compared}` };
  } catch (error) {
    yield { share: 1, problems: [errorMessage(error)] };
  } finally {
    await connection?.close();
  }
}

const INSPECTING = {
  application_name: "petstore doctor",
  default_transaction_read_only: true,
  statement_timeout: "0",
};

/** Selects the schema that contains the extension amcheck, but only if this user may call both of the functions that are needed. */
const AMCHECK = `SELECT p.pronamespace::regnamespace::text AS schema FROM pg_extension AS e
  JOIN pg_proc AS p ON p.pronamespace = e.extnamespace AND p.proname IN ('bt_index_check', 'verify_heapam')
  WHERE e.extname = 'amcheck' GROUP BY p.pronamespace
  HAVING bool_and(has_schema_privilege(p.pronamespace, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE'))`;

/** Selects the names of a schema's tables, quoted and with the name of the schema. */
const TABLES = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1 ORDER BY 1`;
const INDEXES = `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class AS c
  JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_am AS a ON a.oid = c.relam
  WHERE n.nspname = $1 AND c.relkind = 'i' AND a.amname = 'btree' ORDER BY 1`;

async function namesOf(sql: SQL, query: string, schema: string): Promise<readonly string[]> {
  const rows = await sql.unsafe<{ name: string }[]>(query, [schema]);
  return rows.map(({ name }) => name);
}
