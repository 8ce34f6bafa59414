import type { Statement } from "../statement.ts";
import { onlyInTransaction } from "./only-in-transaction.ts";

/** Adds the name of the schema to all tables, views and sequences in a statement. */
export type Qualifier = <Result>(statement: Statement<never, Result>) => Statement<never, Result>;

/**
 * Creates a function that adds the name of a schema to statements. The name has to be in the SQL text, and cannot be a session
 * setting, because a pooler may give each transaction a different session.
 */
export function createQualifier(schema: string, tables: readonly string[]): Qualifier {
  const texts = new WeakMap<Statement<never, unknown>, string>();
  const named = new RegExp(
    `\\b(FROM|JOIN|INTO|UPDATE|TABLE)\\s+((?:${tables.join("|")})(?:_id_seq)?)\\b`,
    "g",
  );
  return (statement) => {
    const { names, decode } = statement;
    let sql = texts.get(statement);
    if (sql === undefined) {
      sql = statement.sql.replace(named, `$1 ${schema}.$2`).replaceAll("nextval('", `nextval('${schema}.`);
      texts.set(statement, sql);
    }
    return names === undefined ? { sql, decode } : { sql, names, decode };
  };
}

/**
 * Adds the name of the schema to a statement, and rewrites the statement so that it can be sent together with BEGIN. Returns
 * undefined if the statement has to wait until the transaction has begun.
 */
export type BesideBegin = <Result>(
  statement: Statement<never, Result>,
) => Statement<never, Result> | undefined;

export function besideBegin(qualified: Qualifier): BesideBegin {
  const texts = new WeakMap<Statement<never, unknown>, { readonly sql: string | undefined }>();
  return (statement) => {
    const known = texts.get(statement) ?? { sql: onlyInTransaction(qualified(statement).sql) };
    texts.set(statement, known);
    return known.sql === undefined ? undefined : { ...qualified(statement), sql: known.sql };
  };
}
