import type { Int64 } from "exact-json/int64";
import type { Actor, Context } from "../context.ts";
import { writeJson } from "../contract/json/json.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Creation } from "../storage/database.ts";
import type { Insertion } from "../storage/insertion.ts";
import {
  comparedPatch,
  createPatchStatements,
  type PatchedTable,
  type PatchOf,
} from "../storage/patch-statements.ts";
import { singleRow } from "../storage/row.ts";
import type { NamedValues, SqlValue, Statement, Values, ValuesOf } from "../storage/statement.ts";
import type { AnimalMember, EventKind } from "./kind.ts";
import { appendEvent } from "./store.ts";

type Resource = { readonly id: Int64; readonly petId?: Int64 };

/**
 * An SQL statement that changes resources. `changeWithEvent` runs it, and appends the event of the change in the same transaction.
 */
export interface ChangeStatement<in Given extends Values, out Result extends Resource> {
  readonly type: string;
  readonly animal: AnimalMember;
  /** The SQL of the change. It returns the resources as they are after the change or, for a deletion, as they were before it. */
  readonly changing: Statement<Given, Result>;
  /**
   * Applies a patch without a transaction. Returns the resource as it will be after the patch, and a statement that stores it and
   * appends the event. The statement changes nothing if the stored resource no longer equals `before`.
   */
  patched?(before: Result): {
    readonly after: Result;
    readonly comparing: (entry: NamedValues | undefined) => {
      readonly statement: Statement<readonly SqlValue[], Result>;
      readonly values: readonly SqlValue[];
    };
  };
}

/** The old values of the members that a change can affect. */
interface Old<Result> {
  readonly before?: Maybe<Partial<Result>>;
}

/** An SQL statement that inserts an animal together with its event. Only `CreateContext.create` accepts it. */
export interface CreateStatement<in Given extends Values, out Result> {
  readonly type: string;
  readonly creating: Insertion<Given, Result>;
}

/** Builds the statements that change a feature's resources. Each statement has the type of the event that it causes. */
export function changesOf<const Types extends readonly string[]>({ animal }: EventKind<Types>) {
  return {
    changing: <Given extends Values, Result extends Resource>(
      type: Types[number],
      statement: Statement<Given, Result>,
    ): ChangeStatement<Given, Result> => ({ type, animal, changing: statement }),
    /** Builds the change for a patch: the statement that sets the patch's members, and its values. */
    patching: <Patch extends PatchOf<Patch>, Result extends Resource>(
      type: Types[number],
      table: PatchedTable<Patch, Result>,
    ) => {
      const patchOf = createPatchStatements(table);
      const compare = comparedPatch(table, appendEvent);
      return (id: Int64, patch: Patch) => {
        const { statement, values } = patchOf(id, patch);
        const patched = (before: Result) => ({
          after: { ...before, ...givenIn(patch, Object.keys(table.columns)) },
          comparing: (entry: NamedValues | undefined) => compare(id, patch, before, entry),
        });
        return [{ type, animal, changing: statement, patched }, values] as const;
      };
    },
    creating: <Given extends Values, Result>(
      type: Types[number],
      insertion: Insertion<Given, Result>,
    ): CreateStatement<Given, Result> => ({ type, creating: { ...insertion, append: appendEvent } }),
  };
}

/**
 * Makes a change in the transaction of `ctx`, and appends an event for the changed row. No event is appended if the row still has
 * all the values of `before`. Rejects if `before` does.
 */
export async function changeWithEvent<Given extends Values, Result extends Resource>(
  ctx: Context,
  statement: ChangeStatement<Given, Result>,
  values: NoInfer<Given>,
  old?: Old<NoInfer<Result>>,
): Promise<Result | undefined> {
  const { patched } = statement;
  if (ctx.isCompared && patched !== undefined && old?.before !== undefined)
    return changeCompared(ctx, { ...statement, patched }, (await old.before) as Result);
  // The read of the old values has already been sent, so a database server receives both statements at once.
  const [after, before] = await Promise.all([changeWithoutEvent(ctx, statement, values), old?.before]);
  if (after !== undefined) await appendChange(ctx, statement, after, before);
  return after;
}

/**
 * Makes a change without a transaction. Returns undefined if the statement changed no row, for instance because the resource has
 * changed since `before` was read.
 */
async function changeCompared<Result extends Resource>(
  ctx: Context,
  { type, animal, patched }: Required<Pick<ChangeStatement<never, Result>, "type" | "animal" | "patched">>,
  before: Result,
): Promise<Result | undefined> {
  const { after, comparing } = patched(before);
  const { statement, values } = comparing(eventOf(ctx, { type, animal }, after, before));
  const [changed] = await ctx.query(statement, values);
  return changed;
}

/** Inserts a resource in the transaction of `ctx`, and appends its event. */
export async function insert<Given extends Values, Result extends Resource>(
  ctx: Context,
  statement: ChangeStatement<Given, Result>,
  values: NoInfer<Given>,
): Promise<Result> {
  const inserted = singleRow(await ctx.query(statement.changing, values));
  await appendChange(ctx, statement, inserted);
  return inserted;
}

/**
 * Makes a change without appending its event. The caller appends it with `appendChange`, after another event that must come first.
 */
export async function changeWithoutEvent<Given extends Values, Result extends Resource>(
  ctx: Context,
  { changing: statement }: ChangeStatement<Given, Result>,
  values: NoInfer<Given>,
): Promise<Result | undefined> {
  const [after] = await ctx.query(statement, values);
  return after;
}

export async function appendChange<Result extends Resource>(
  ctx: Context,
  statement: Pick<ChangeStatement<never, Result>, "type" | "animal">,
  after: Result,
  before?: Partial<NoInfer<Result>>,
): Promise<void> {
  const event = eventOf(ctx, statement, after, before);
  if (event !== undefined) await ctx.query(appendEvent, event);
}

/** Returns the event of a change, or undefined if nothing has changed. */
function eventOf<Result extends Resource>(
  ctx: Context,
  { type, animal }: Pick<ChangeStatement<never, Result>, "type" | "animal">,
  after: Result,
  before?: Partial<NoInfer<Result>>,
): ValuesOf<typeof appendEvent> | undefined {
  const previous = before && previousOf(before, after);
  if (previous !== undefined && Object.keys(previous).length === 0) return undefined;
  const { id, ...members } = after;
  const subject =
    animal === "id"
      ? { petId: id, resourceId: null }
      : { petId: (animal && after[animal]) ?? null, resourceId: id };
  return { ...subject, ...entryOf(ctx, type, members, previous) };
}

/**
 * The context of an operation that creates one animal from its input alone. If a client retries the request, the response can be
 * rebuilt from the input.
 */
export interface CreateContext {
  /** Declares the animal to insert, and its event. @param members the event's data */
  create<Given extends NamedValues, Result>(
    statement: CreateStatement<Given, Result>,
    values: NoInfer<Given>,
    members: object,
  ): Creation<Result>;
}

export function createContext(ctx: Context): CreateContext {
  return {
    create: ({ type, creating }, values, members) => ({
      insertion: creating,
      values,
      entry: { resourceId: null, ...entryOf(ctx, type, members, undefined) },
    }),
  };
}

/** The columns of an event in the log, except the identifiers of the resource that it is about. */
type Entry = Omit<ValuesOf<typeof appendEvent>, "petId" | "resourceId">;

function entryOf(
  { actor, now, request }: Context,
  type: string,
  members: object,
  previous: object | undefined,
): Entry {
  const [actorKind, actorId, actorName] = actorValues(actor);
  return {
    type,
    createdAt: now,
    actorKind,
    actorId,
    actorName,
    requestId: request?.id ?? "",
    data: writeJson(members),
    previous: previous ? writeJson(previous) : null,
    traceparent: request?.traceparent ?? null,
  };
}

/** Returns the values of an event's actor columns. @throws TypeError for an anonymous actor, who may not change the store */
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

/** Returns the members that a patch sets, as the resource will have them. A null in the patch removes a member. */
function givenIn(patch: object, members: readonly string[]): object {
  const given = members.filter((member) => Reflect.get(patch, member) !== undefined);
  return Object.fromEntries(given.map((member) => [member, Reflect.get(patch, member) ?? undefined]));
}

/**
 * Returns the old values of the members that have changed. Together they are a JSON Merge Patch (RFC 7396) that undoes the change.
 */
function previousOf(before: object, after: object): Record<string, unknown> {
  const changed = Object.entries(before).filter(([member, value]) => Reflect.get(after, member) !== value);
  return Object.fromEntries(changed.map(([member, value]) => [member, value ?? null]));
}
