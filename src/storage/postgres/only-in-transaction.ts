/** True in the transactions that `transaction.ts` begins; false for a statement alone, whose isolation is read committed. */
const IS_IN_TRANSACTION = "current_setting('transaction_isolation') = 'repeatable read'";

/** Clauses that follow the condition of a statement, or the row of an insertion. */
const END_OF_CONDITION = /\b(GROUP BY|ORDER BY|LIMIT|FOR|ON CONFLICT|RETURNING)\b/;

/**
 * SQL that changes no row outside of a transaction: it can be sent together with a BEGIN that the server may refuse. Undefined
 * if the text has no place for such a condition.
 */
export function onlyInTransaction(sql: string): string | undefined {
  const outer = maskNested(sql);
  const [verb] = /\b(SELECT|INSERT|UPDATE|DELETE|TRUNCATE)\b/.exec(outer) ?? [];
  const changesBeside = /\(\s*(INSERT|UPDATE|DELETE)\b/.test(sql) || /\bsetval\(/.test(sql);
  if (verb === undefined || verb === "TRUNCATE" || changesBeside) return undefined;
  if (verb === "SELECT") return sql;
  if (/\bUNION\b/.test(outer)) return undefined;
  const having = positionOf(/\bHAVING\b/, outer);
  // Without rows, an aggregate still has a value, unless a HAVING removes it.
  if (having === sql.length && verb === "INSERT" && /\b(max|min|count|sum)\(/.test(sql)) return undefined;
  const end = positionOf(END_OF_CONDITION, outer, having === sql.length ? 0 : having);
  const values = verb === "INSERT" ? positionOf(/\bVALUES\b/, outer.slice(0, end)) : end;
  if (values < end) return withoutValues(sql, outer, values, end);
  const word = having === sql.length ? "WHERE" : "HAVING";
  const at = having === sql.length ? positionOf(/\bWHERE\b/, outer.slice(0, end)) : having;
  const condition = at < end ? ` AND (${sql.slice(at + word.length, end).trim()})` : "";
  return `${sql.slice(0, at).trimEnd()} ${word} ${IS_IN_TRANSACTION}${condition} ${sql.slice(end)}`;
}

/** Makes the row that an insertion lists in its text one that is selected, so that it can have a condition. */
function withoutValues(sql: string, outer: string, values: number, end: number): string | undefined {
  const first = values + "VALUES".length;
  const row = sql.slice(first, end).trim();
  const isSingle = outer.slice(first, end).trim() === "";
  if (!isSingle || /\bDEFAULT\b/.test(row)) return undefined;
  return `${sql.slice(0, values)}SELECT ${row.slice(1, -1)} WHERE ${IS_IN_TRANSACTION} ${sql.slice(end)}`;
}

/** Replaces texts and everything in parentheses by spaces, so that only the words of the statement itself are left. */
function maskNested(sql: string): string {
  const blank = (found: string) => " ".repeat(found.length);
  let masked = sql.replaceAll(/'[^']*'/g, blank);
  for (;;) {
    const next = masked.replaceAll(/\([^()]*\)/g, blank);
    if (next === masked) return masked;
    masked = next;
  }
}

/** Position of the first match from a position on; the text's length if there is none. */
function positionOf(pattern: RegExp, text: string, from = 0): number {
  const position = text.slice(from).search(pattern);
  return position < 0 ? text.length : from + position;
}
