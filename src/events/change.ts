import type { Int64 } from "exact-json/int64";
import type { Actor, Context } from "../context.ts";
import { writeJson } from "../contract/json/json.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Creation } from "../storage/database.ts";
import { type Insertion, insertionWith } from "../storage/insertion.ts";
import { createPatchStatements, type PatchedTable, type PatchOf } from "../storage/patch-statements.ts";
import { singleRow } from "../storage/row.ts";
import type { SqlValue, Statement, ValuesOf } from "../storage/statement.ts";
import type { AnimalMember, EventKind } from "./kind.ts";
import { appendEvent, appendEventOfAnimal } from "./store.ts";

type Resource = { readonly id: Int64; readonly petId?: Int64 };

/** An SQL statement that changes resources. `change` runs it, and appends its event in the same transaction. */
export interface ChangeStatement<in Values extends readonly SqlValue[], out Result extends Resource> {
  readonly type: string;
  readonly animal: AnimalMember;
  /** SQL of the change. It yields the resources after the change or, for a deletion, before it. */
  readonly changing: Statement<Values, Result>;
}

/** Old values of the members that a change may change. */
interface Old<Result> {
  readonly before?: Maybe<Partial<Result>>;
}

/** An SQL statement that inserts an animal with its event. `CreateContext.create` runs it. */
export interface CreateStatement<in Values extends readonly SqlValue[], out Result>
  extends Insertion<readonly [...Values, ...EventValues], Result> {
  readonly type: string;
}

/** Makes the statements that change the resources of a feature, each with the type of its event. */
export function changesOf<const Types extends readonly string[]>({ animal }: EventKind<Types>) {
  return {
    changing: <Values extends readonly SqlValue[], Result extends Resource>(
      type: Types[number],
      statement: Statement<Values, Result>,
    ): ChangeStatement<Values, Result> => ({ type, animal, changing: statement }),
    /** Builds the change that a patch asks for: the statement for its members, and the values. */
    patching: <Patch extends PatchOf<Patch>, Result extends Resource>(
      type: Types[number],
      table: PatchedTable<Patch, Result>,
    ) => {
      const patchOf = createPatchStatements(table);
      return (id: Int64, patch: Patch) => {
        const { statement, values } = patchOf(id, patch);
        return [{ type, animal, changing: statement }, values] as const;
      };
    },
    creating: <Values extends readonly SqlValue[], Result>(
      type: Types[number],
      insertion: Insertion<Values, Result>,
    ): CreateStatement<Values, Result> => ({ ...insertionWith(insertion, appendEventOfAnimal), type }),
  };
}

/**
 * Makes a change in the transaction of `ctx`, and appends an event for the row that it yields, unless the row has all values
 * of `before`. Rejects if the read of `before` does.
 */
export async function change<Values extends readonly SqlValue[], Result extends Resource>(
  ctx: Context,
  statement: ChangeStatement<Values, Result>,
  values: NoInfer<Values>,
  old?: Old<NoInfer<Result>>,
): Promise<Result | undefined> {
  // A read of the old values is already on its way: a server gets both at once.
  const [after, before] = await Promise.all([changeSilently(ctx, statement, values), old?.before]);
  if (after !== undefined) await appendChange(ctx, statement, after, before);
  return after;
}

/** Inserts a resource in the transaction of `ctx`, and appends its event. */
export async function insert<Values extends readonly SqlValue[], Result extends Resource>(
  ctx: Context,
  statement: ChangeStatement<Values, Result>,
  values: NoInfer<Values>,
): Promise<Result> {
  const inserted = singleRow(await ctx.query(statement.changing, values));
  await appendChange(ctx, statement, inserted);
  return inserted;
}

/** Makes a change without its event; the caller appends it with `appendChange`, so that another event can come first. */
export async function changeSilently<Values extends readonly SqlValue[], Result extends Resource>(
  ctx: Context,
  { changing: statement }: ChangeStatement<Values, Result>,
  values: NoInfer<Values>,
): Promise<Result | undefined> {
  const [after] = await ctx.query(statement, values);
  return after;
}

export async function appendChange<Result extends Resource>(
  ctx: Context,
  { type, animal }: Pick<ChangeStatement<never, Result>, "type" | "animal">,
  after: Result,
  before?: Partial<NoInfer<Result>>,
): Promise<void> {
  const previous = before && previousOf(before, after);
  if (previous !== undefined && Object.keys(previous).length === 0) return;
  const { id, ...members } = after;
  const subject: readonly [petId: Int64 | null, resourceId: Int64 | null] =
    animal === "id" ? [id, null] : [(animal && after[animal]) ?? null, id];
  await ctx.query(appendEvent, [...subject, ...eventValues(ctx, type, members, previous)]);
}

/**
 * Context of an operation that creates one animal from its input alone, so that a retry's response can be rebuilt from the
 * input.
 */
export interface CreateContext {
  /** The animal to be inserted, with its event. @param members the event's data */
  create<Values extends readonly SqlValue[], Result>(
    statement: CreateStatement<Values, Result>,
    values: NoInfer<Values>,
    members: object,
  ): Creation<Result>;
}

export function createContext(ctx: Context): CreateContext {
  return {
    create: (insertion, values, members) => ({
      insertion,
      values: [...values, ...eventValues(ctx, insertion.type, members, undefined)],
    }),
  };
}

type EventValues =
  ValuesOf<typeof appendEventOfAnimal> extends readonly [unknown, ...infer Rest] ? Rest : never;

function eventValues(
  { actor, now, requestId, traceparent }: Context,
  type: string,
  members: object,
  previous: object | undefined,
): EventValues {
  const data = writeJson(members);
  const before = previous ? writeJson(previous) : null;
  return [type, now, ...actorValues(actor), requestId, data, before, traceparent ?? null];
}

/** Values of an event's actor columns. @throws TypeError for an anonymous actor, who may not change the store */
function actorValues(actor: Actor): readonly [kind: string, id: string, name: string] {
  switch (actor.kind) {
    case "key":
      return ["key", actor.keyId, actor.keyName];
    case "session":
      return ["person", String(actor.accountId), ""];
    case "operator":
      return ["operator", "", "operator"];
    case "anonymous":
      throw new TypeError("Only somebody who has signed in can change the store.");
  }
}

/** Old values of a resource's changed members: a JSON Merge Patch (RFC 7396) that undoes the change. */
function previousOf(before: object, after: object): Record<string, unknown> {
  const changed = Object.entries(before).filter(([member, value]) => Reflect.get(after, member) !== value);
  return Object.fromEntries(changed.map(([member, value]) => [member, value ?? null]));
}
