/** Value of a column. A decoder reads integers with `int64Of`, because an engine may return them as `bigint`s or as numbers. */
export type SqlValue = string | number | bigint | null | Uint8Array;

export type Row = Readonly<Record<string, SqlValue>>;

/**
 * SQL text in the subset that all engines share, the types of its `Values` in the order of their numbers, and the decoder of its
 * rows.
 */
export interface Statement<in Values extends readonly SqlValue[], out Result = undefined> {
  readonly sql: string;
  readonly decode: (row: Row) => Result;
  /** True for a statement that a standby might answer differently. It is never run there. */
  readonly isOfPrimary?: true;
  /**
   * True for a statement without values that many callers run at once: all who call before it is sent share one query to the
   * server.
   */
  readonly isShared?: true;
  /** True for a statement whose answer nobody reads: at a server, a transaction waits for it only with its commit. */
  readonly isUnread?: true;
  /** Carries the type of the statement's values for the compiler; never set. */
  readonly accepts?: (values: Values) => void;
}

/** The numbers of the values in an SQL text. Each number has one digit. */
type NumbersIn<Sql extends string> = Sql extends `${string}$${infer Digit}${infer Rest}`
  ? Digit | NumbersIn<Rest>
  : never;
type NumbersOf<Values extends readonly SqlValue[]> = Values extends readonly [...infer Before, SqlValue]
  ? `${Values["length"]}` | NumbersOf<Before extends readonly SqlValue[] ? Before : []>
  : never;
type Takes<Sql extends string, Values extends readonly SqlValue[]> = [
  NumbersIn<Sql>,
  NumbersOf<Values>,
] extends [NumbersOf<Values>, NumbersIn<Sql>]
  ? unknown
  : { readonly shouldTake: Values };

/** Types an SQL text: `const s: Statement<[id: Int64], Pet> = statement("… $1 …", decodePet)`. */
export function statement<
  Values extends readonly SqlValue[],
  Result = undefined,
  const Sql extends string = string,
>(
  sql: Sql & Takes<Sql, Values>,
  decode: (row: Row) => Result = noRows as () => Result,
): Statement<Values, Result> {
  return { sql, decode };
}

export type ValuesOf<S> = S extends Statement<infer Values, unknown> ? Values : never;

/** Decoder of a statement that yields no rows. */
export function noRows(): undefined {
  return undefined;
}
