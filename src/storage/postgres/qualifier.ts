import type { Statement } from "../database.ts";

/** Puts the schema before the name of each table and sequence in a statement. */
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
      sql = statement.sql.replace(named, `$1 ${schema}.$2`).replaceAll("nextval('", `nextval('${schema}.`);
      texts.set(statement, sql);
    }
    return { sql, decode: statement.decode };
  };
}
