/**
 * The value of a column. An engine may return an integer as a `bigint` or as a number, so decoders read integers with `int64Of`.
 */
export type SqlValue = string | number | bigint | null | Uint8Array;

export type Row = Readonly<Record<string, SqlValue>>;

export type NamedValues = Readonly<Record<string, SqlValue>>;

/** The values for a statement's placeholders: an array for `$1`, `$2`, …, or an object whose members are the values for `$name`. */
export type Values = readonly SqlValue[] | NamedValues;

/** A statement in the subset of SQL that all engines support, and the decoder for its rows. */
export interface Statement<in Given extends Values, out Result = undefined> {
  /** The SQL text that is sent to the engine. Its placeholders are numbers (`$1`, `$2`, …), even if the values have names. */
  readonly sql: string;
  readonly decode: (row: Row) => Result;
  /**
   * The names of the values: the first name is that of `$1`, the second that of `$2`, and so on. Absent if the values are an array.
   */
  readonly names?: readonly string[];
  /** True for a statement that must run on the primary, because its result could be different on a standby. */
  readonly isOfPrimary?: true;
  /**
   * True for a statement without values that many callers run at the same time. It is sent to the server only once for all callers
   * that are waiting.
   */
  readonly isShared?: true;
  /**
   * True for a statement whose result nobody reads. On a database server, a transaction waits for its result only when it commits.
   */
  readonly isUnread?: true;
  /**
   * Present for a change that compares the row's old values itself, so that it needs no transaction. `sql` then makes the whole
   * change with one statement.
   */
  readonly compared?: Compared;
  /** Tells the compiler the type of the statement's values. It is never set. */
  readonly accepts?: (values: Given) => void;
}

/** A change that is made only if a row still has certain values. */
export interface Compared {
  /**
   * Separate statements that together make this change, each with the number of its values (`count`). If the first statement
   * changes no row, the others do not run. The result consists of the rows of the last statement that has returned any.
   */
  readonly steps: readonly {
    readonly statement: Statement<readonly SqlValue[], unknown>;
    readonly count: number;
  }[];
  readonly appends: boolean;
  /**
   * A statement that makes many such changes at once, and skips rows that another transaction has locked. Each of its values is
   * an array in PostgreSQL's syntax: the first array contains the first value of every change, and so on. In each returned row,
   * `place` is the number of the change, counted from 1. Absent if the change must be able to wait for another transaction, for
   * example one with the same unique value.
   */
  readonly unlessLocked?: Statement<readonly string[], unknown>;
}

type Before<Text extends string, End extends string> = Text extends `${infer Head}${End}${string}`
  ? Head
  : Text;
type FirstWord<Text extends string> = Before<Before<Before<Before<Before<Text, "\n">, " ">, ",">, ")">, ":">;

/** The names or numbers of the placeholders in an SQL text, without `$`. */
type PlaceholdersIn<Sql extends string> = Sql extends `${string}$${infer Rest}`
  ? FirstWord<Rest> | PlaceholdersIn<Rest>
  : never;
type NumbersOf<Given extends readonly SqlValue[]> = Given extends readonly [...infer Before, SqlValue]
  ? `${Given["length"]}` | NumbersOf<Before extends readonly SqlValue[] ? Before : []>
  : never;
type PlaceholdersOf<Given extends Values> = Given extends readonly SqlValue[]
  ? NumbersOf<Given>
  : keyof Given & string;
type Takes<Sql extends string, Given extends Values> = [PlaceholdersIn<Sql>, PlaceholdersOf<Given>] extends [
  PlaceholdersOf<Given>,
  PlaceholdersIn<Sql>,
]
  ? unknown
  : { readonly shouldTake: Given };

/**
 * Creates a statement, and checks that its type matches the placeholders in its SQL text:
 * `const s: Statement<[id: Int64], Pet> = statement("… $1 …", decodePet)`. A statement with named placeholders, such as `$id` and
 * `$name`, takes an object: `Statement<{ id: Int64; name: string }>` (decision 44).
 */
export function statement<Given extends Values = [], Result = undefined, const Sql extends string = string>(
  sql: Sql & Takes<Sql, Given>,
  decode: (row: Row) => Result = noRows as () => Result,
): Statement<Given, Result> {
  const names = [...new Set([...sql.matchAll(/\$([a-z]\w*)/gi)].map(([, name = ""]) => name))];
  if (names.length === 0) return { sql, decode };
  const numbered = sql.replaceAll(/\$([a-z]\w*)/gi, (_, name) => `$${names.indexOf(name) + 1}`);
  return { sql: numbered, names, decode };
}

/**
 * Returns the values for the placeholders `$1`, `$2`, … in this order. It uses no closures or iterators, because it must be fast:
 * every read calls it.
 */
export function inOrder(
  { names }: Pick<Statement<never, unknown>, "names">,
  values: Values,
): readonly SqlValue[] {
  if (names === undefined) return values as readonly SqlValue[];
  const named = values as NamedValues;
  const ordered = new Array<SqlValue>(names.length);
  for (let index = 0; index < names.length; index++) ordered[index] = named[names[index] ?? ""] ?? null;
  return ordered;
}

/** The values of a new row. Every member of the resource needs a value, even an optional member. */
export type NewRow<Resource> = { readonly [Member in keyof Required<Resource>]: SqlValue };

export type ValuesOf<S> = S extends Statement<infer Given, unknown> ? Given : never;

export function noRows(): undefined {
  return undefined;
}
