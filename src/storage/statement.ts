/** The value of a column. Decoders read integers with `int64Of`, because an engine may return them as `bigint`s or as numbers. */
export type SqlValue = string | number | bigint | null | Uint8Array;

export type Row = Readonly<Record<string, SqlValue>>;

export type NamedValues = Readonly<Record<string, SqlValue>>;

/** The values of `$1`, `$2`, … in this order, or an object whose members are the values of `$name`. */
export type Values = readonly SqlValue[] | NamedValues;

/** SQL text in the subset of SQL that all engines support, and the decoder for its rows. */
export interface Statement<in Given extends Values, out Result = undefined> {
  /** The text as it is sent to engines: with `$1`, `$2`, … even if the values have names. */
  readonly sql: string;
  readonly decode: (row: Row) => Result;
  /** The names of the values, in the order of their numbers. They are absent if the values are an array. */
  readonly names?: readonly string[];
  /** True for a statement that might give a different result on a standby. It is never run there. */
  readonly isOfPrimary?: true;
  /**
   * True for a statement without values that many callers run at the same time. All callers that ask before it is sent share one
   * query to the server.
   */
  readonly isShared?: true;
  /** True for a statement whose result nobody reads. On a server, a transaction waits for its result only when it commits. */
  readonly isUnread?: true;
  /**
   * Present for a change that can run without a transaction, because it compares the row's old values itself. The statement's own
   * text makes the whole change.
   */
  readonly compared?: Compared;
  /** Carries the type of the statement's values for the compiler. It is never set. */
  readonly accepts?: (values: Given) => void;
}

/** A change that is made only if a row still has certain values. */
export interface Compared {
  /**
   * The statements that make the same change one by one, each with the number of its values. The first one changes the row, and the
   * others run only if it did. The change returns the rows of the last statement that returns any.
   */
  readonly steps: readonly {
    readonly statement: Statement<readonly SqlValue[], unknown>;
    readonly count: number;
  }[];
  /** True if the change appends an entry to a log. */
  readonly appends: boolean;
  /**
   * Makes many such changes at once, except those whose row another transaction has locked. Its values are array literals: the first
   * one contains the first value of each change, and so on. The returned rows have a column `place`, which counts the changes from 1.
   * Absent if the change might have to wait anyway.
   */
  readonly unlessLocked?: Statement<readonly string[], unknown>;
}

type Before<Text extends string, End extends string> = Text extends `${infer Head}${End}${string}`
  ? Head
  : Text;
type FirstWord<Text extends string> = Before<Before<Before<Before<Before<Text, "\n">, " ">, ",">, ")">, ":">;

/** The placeholders in an SQL text, without `$`. */
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
 * Gives an SQL text its types: `const s: Statement<[id: Int64], Pet> = statement("… $1 …", decodePet)`. The values of an insertion
 * are an object: `Statement<{ id: Int64; name: string }>`, with `$id` and `$name` in its text (decision 44).
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

/** Returns a statement's values in the order of their numbers. It uses no closures or iterators, because every read calls it. */
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

/** The values of a resource's new row: one for each of the resource's members, including the optional members. */
export type NewRow<Resource> = { readonly [Member in keyof Required<Resource>]: SqlValue };

export type ValuesOf<S> = S extends Statement<infer Given, unknown> ? Given : never;

/** The decoder for a statement that returns no rows. */
export function noRows(): undefined {
  return undefined;
}
