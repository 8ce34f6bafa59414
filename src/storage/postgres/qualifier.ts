import { isAppend } from "../insertion.ts";
import type { Statement } from "../statement.ts";

/**
 * Where rows of a log wait for their numbers: those of a sequence are committed out of their order, so that a reader would
 * skip some.
 */
export function queueOf(log: string): string {
  return `${log}_queue`;
}

/** Puts the schema before the name of each table and sequence in a statement. What is appended goes into the queue of its log. */
export type Qualifier = <Result>(statement: Statement<never, Result>) => Statement<never, Result>;

/** No session has to remember where the tables are: a pooler may give each transaction another one. */
export function createQualifier(schema: string, tables: readonly string[]): Qualifier {
  const texts = new WeakMap<Statement<never, unknown>, string>();
  const named = new RegExp(
    `\\b(FROM|JOIN|INTO|UPDATE|TABLE)\\s+((?:${tables.join("|")})(?:_id_seq)?)\\b`,
    "g",
  );
  return (statement) => {
    let sql = texts.get(statement);
    if (sql === undefined) {
      const text = isAppend(statement)
        ? statement.sql.replace(`INTO ${statement.log} `, `INTO ${queueOf(statement.log)} `)
        : statement.sql;
      sql = text.replace(named, `$1 ${schema}.$2`).replaceAll("nextval('", `nextval('${schema}.`);
      texts.set(statement, sql);
    }
    return { sql, decode: statement.decode };
  };
}
