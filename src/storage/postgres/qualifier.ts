import { isAppend } from "../insertion.ts";
import type { Statement } from "../statement.ts";

/** Table in which a log's rows wait for numbers: a sequence's are committed out of order, and a reader would miss some. */
export function queueOf(log: string): string {
  return `${log}_queue`;
}

/** Adds the schema to the names of tables and sequences in a statement. Appended rows go to the queue of their log. */
export type Qualifier = <Result>(statement: Statement<never, Result>) => Statement<never, Result>;

/** Creates a qualifier for a schema, which a session need not know: a pooler may give each transaction another session. */
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
