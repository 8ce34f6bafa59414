/** Value of a column. A decoder reads integers with `int64Of`, because an engine may return them as `bigint`s or as numbers. */
export type SqlValue = string | number | bigint | null | Uint8Array;

export type Row = Readonly<Record<string, SqlValue>>;

export type NamedValues = Readonly<Record<string, SqlValue>>;

/** Values of `$1`, `$2`, … in this order, or an object with those of `$name`. */
export type Values = readonly SqlValue[] | NamedValues;

/** SQL text in the subset that all engines share, and the decoder of its rows. */
export interface Statement<in Given extends Values, out Result = undefined> {
  /** The text as engines take it: with `$1`, `$2`, … even if the values have names. */
  readonly sql: string;
  readonly decode: (row: Row) => Result;
  /** Names of the values, in the order of their numbers; absent if the values are an array. */
  readonly names?: readonly string[];
  /** True for a statement that a standby might answer differently. It is never run there. */
  readonly isOfPrimary?: true;
  /**
   * True for a statement without values that many callers run at once: all who call before it is sent share one query to the
   * server.
   */
  readonly isShared?: true;
  /** True for a statement whose answer nobody reads: at a server, a transaction waits for it only with its commit. */
  readonly isUnread?: true;
  /**
   * Present for a change that is complete in itself, because it compares the old values: it may run without a transaction.
   */
  readonly compared?: Compared;
  /** Carries the type of the statement's values for the compiler; never set. */
  readonly accepts?: (values: Given) => void;
}

/** A change of a row that has certain values. */
export interface Compared {
  /** Appends an entry to a log, if the row was changed, with the values from number `first` on. Absent if it appends none. */
  readonly append?: {
    readonly statement: Statement<readonly SqlValue[]>;
    readonly first: number;
    /** Text of both statements as one, for a server. */
    readonly combined: string;
  };
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
 * Types an SQL text: `const s: Statement<[id: Int64], Pet> = statement("… $1 …", decodePet)`. An insertion takes an object:
 * `Statement<{ id: Int64; name: string }>`, with `$id` and `$name` in its text (decision 44).
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

/** A statement's values in the order of their numbers. No closure and no iterator: reads go through here, too. */
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

/** Values of a new row of a resource: one for each of its members, even the optional ones. */
export type NewRow<Resource> = { readonly [Member in keyof Required<Resource>]: SqlValue };

export type ValuesOf<S> = S extends Statement<infer Given, unknown> ? Given : never;

/** Decoder of a statement that yields no rows. */
export function noRows(): undefined {
  return undefined;
}
