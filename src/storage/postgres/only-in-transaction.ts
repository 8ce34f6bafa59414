/**
 * An SQL condition that is true in the transactions that `transaction.ts` begins. It is false for a statement outside a
 * transaction, where the isolation level is read committed.
 */
const IS_IN_TRANSACTION = "current_setting('transaction_isolation') = 'repeatable read'";

/** The keywords that can follow the WHERE condition of a statement, or the values of an INSERT. */
const END_OF_CONDITION = /\b(GROUP BY|ORDER BY|LIMIT|FOR|ON CONFLICT|RETURNING)\b/;

/**
 * Adds a condition to a statement, so that it changes no rows unless it runs in a transaction. The statement can then be sent
 * together with BEGIN, even though the server may refuse BEGIN. Returns undefined if the statement has no place for such a
 * condition.
 */
export function onlyInTransaction(sql: string): string | undefined {
  const outer = maskNested(sql);
  const [verb] = /\b(SELECT|INSERT|UPDATE|DELETE|TRUNCATE)\b/.exec(outer) ?? [];
  const changesBeside = /\(\s*(INSERT|UPDATE|DELETE)\b/.test(sql) || /\bsetval\(/.test(sql);
  if (verb === undefined || verb === "TRUNCATE" || changesBeside) return undefined;
  if (verb === "SELECT") return sql;
  if (/\bUNION\b/.test(outer)) return undefined;
  const having = positionOf(/\bHAVING\b/, outer);
  // An aggregate such as max() returns a row even if no rows match. Only a HAVING clause can prevent that.
  if (having === sql.length && verb === "INSERT" && /\b(max|min|count|sum)\(/.test(sql)) return undefined;
  const end = positionOf(END_OF_CONDITION, outer, having === sql.length ? 0 : having);
  const values = verb === "INSERT" ? positionOf(/\bVALUES\b/, outer.slice(0, end)) : end;
  if (values < end) return withoutValues(sql, outer, values, end);
  const word = having === sql.length ? "WHERE" : "HAVING";
  const at = having === sql.length ? positionOf(/\bWHERE\b/, outer.slice(0, end)) : having;
  const condition = at < end ? ` AND (${sql.slice(at + word.length, end).trim()})` : "";
  return `${sql.slice(0, at).trimEnd()} ${word} ${IS_IN_TRANSACTION}${condition} ${sql.slice(end)}`;
}

/**
 * Replaces the VALUES list of an INSERT with a SELECT, so that a condition can be added. Returns undefined if that is impossible.
 */
function withoutValues(sql: string, outer: string, values: number, end: number): string | undefined {
  const first = values + "VALUES".length;
  const row = sql.slice(first, end).trim();
  const isSingle = outer.slice(first, end).trim() === "";
  if (!isSingle || /\bDEFAULT\b/.test(row)) return undefined;
  return `${sql.slice(0, values)}SELECT ${row.slice(1, -1)} WHERE ${IS_IN_TRANSACTION} ${sql.slice(end)}`;
}

/** Replaces quoted text, and everything in parentheses, with spaces. Only the words of the outer statement are left. */
function maskNested(sql: string): string {
  const blank = (found: string) => " ".repeat(found.length);
  let masked = sql.replaceAll(/'[^']*'/g, blank);
  for (;;) {
    const next = masked.replaceAll(/\([^()]*\)/g, blank);
    if (next === masked) return masked;
    masked = next;
  }
}

/** Returns the position of the first match at or after `from`, or the length of the text if nothing matches. */
function positionOf(pattern: RegExp, text: string, from = 0): number {
  const position = text.slice(from).search(pattern);
  return position < 0 ? text.length : from + position;
}
