import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Creation } from "../storage/database.ts";
import { type Insertion, rowOf } from "../storage/insertion.ts";
import {
  type AddedRow,
  comparedPatch,
  type PatchedTable,
  type PatchOf,
} from "../storage/patch-statements.ts";
import { singleRow } from "../storage/row.ts";
import type { NamedValues, SqlValue, Statement, Values } from "../storage/statement.ts";
import { type ChangeKind, entryOf, eventOf, type Resource } from "./event-values.ts";
import type { EventKind } from "./kind.ts";
import { appendEvent } from "./store.ts";

const UNASSIGNED = 0n; // stands for the identifier of a row that has not been inserted yet

/** An SQL statement that changes resources. `changeWithEvent` runs it, and adds the event of the change in the same transaction. */
export interface ChangeStatement<in Given extends Values, out Result extends Resource> extends ChangeKind {
  /** The SQL of the change. It returns the resources as they are after the change. A deletion returns them as they were before. */
  readonly changing: Statement<Given, Result>;
}

export interface InsertStatement<in Given extends Values, out Result extends Resource>
  extends ChangeStatement<Given, Result> {
  readonly changing: Insertion<Given, Result>;
}

/** A patch of one resource. `patchWithEvent` applies it. */
export interface Patch<Result extends Resource> extends ChangeKind {
  readonly after: (before: Result) => Result;
  /**
   * Builds a statement that applies the patch, adds its event, and may insert another row. It changes nothing if the stored
   * resource no longer equals `before`.
   */
  comparing<Answer = Result>(
    before: Result,
    entry: NamedValues | undefined,
    added?: AddedRow<Answer>,
  ): {
    readonly statement: Statement<readonly SqlValue[], Answer>;
    readonly values: readonly SqlValue[];
  };
}

/** The old values of the members that a change can affect. */
interface Old<Result> {
  readonly before?: Maybe<Partial<Result>>;
}

/** An SQL statement that inserts an animal together with its event. It can only be run by `CreateContext.create`. */
export interface CreateStatement<in Given extends Values, out Result> {
  readonly type: string;
  readonly creating: Insertion<Given, Result>;
}

/** Builds the statements that change a feature's resources. Each statement names the type of the event that it causes. */
export function changesOf<const Types extends readonly string[]>({ animal }: EventKind<Types>) {
  return {
    changing: <Given extends Values, Result extends Resource>(
      type: Types[number],
      statement: Statement<Given, Result>,
    ): ChangeStatement<Given, Result> => ({ type, animal, changing: statement }),
    inserting: <Given extends Values, Result extends Resource>(
      type: Types[number],
      insertion: Insertion<Given, Result>,
    ): InsertStatement<Given, Result> => ({ type, animal, changing: insertion }),
    patching: <Given extends PatchOf<Given>, Result extends Resource>(
      type: Types[number],
      table: PatchedTable<Given, Result>,
    ) => {
      const compare = comparedPatch(table, appendEvent);
      return (id: Int64, patch: Given): Patch<Result> => ({
        ...{ type, animal },
        after: (before) => ({ ...before, ...givenIn(patch, Object.keys(table.columns)) }),
        comparing: (before, entry, added) => compare({ id, patch, before, entry }, added),
      });
    },
    creating: <Given extends Values, Result>(
      type: Types[number],
      insertion: Insertion<Given, Result>,
    ): CreateStatement<Given, Result> => ({ type, creating: { ...insertion, append: appendEvent } }),
  };
}

/**
 * Makes a change in the transaction of `ctx`, and adds an event for the changed row. Adds no event if the row still has all the
 * values in `before`. If the promise `before` rejects, this function rejects, too.
 */
export async function changeWithEvent<Given extends Values, Result extends Resource>(
  ctx: Context,
  statement: ChangeStatement<Given, Result>,
  values: NoInfer<Given>,
  old?: Old<NoInfer<Result>>,
): Promise<Result | undefined> {
  // `old.before` is the result of a statement that has already been sent. The change is sent without waiting for this result, so
  // a database server receives both statements at once.
  const [[after], before] = await Promise.all([ctx.query(statement.changing, values), old?.before]);
  if (after !== undefined) await appendChange(ctx, statement, after, before);
  return after;
}

/**
 * Applies a patch and adds its event, with one statement that needs no transaction. Returns undefined if no row was changed, because
 * a condition of the patch is not met.
 *
 * @throws ServiceError `precondition_failed`
 */
export async function patchWithEvent<Result extends Resource>(
  ctx: Context,
  patch: Patch<Result>,
  before: NoInfer<Result>,
): Promise<Result | undefined> {
  ctx.requireCurrent?.(before);
  const entry = eventOf(ctx, patch, patch.after(before), before);
  const { statement, values } = patch.comparing(before, entry);
  const [changed] = await ctx.query(statement, values);
  return changed;
}

/**
 * Inserts a resource and patches another resource, with one statement that needs no transaction. The event of the inserted resource
 * comes first. Returns undefined if nothing was changed.
 */
export async function insertWithPatch<
  Given extends NamedValues,
  Result extends Resource,
  Patched extends Resource,
>(
  ctx: Context,
  { changing: insertion, ...kind }: InsertStatement<Given, Result>,
  values: NoInfer<Given>,
  patch: Patch<Patched>,
  before: NoInfer<Patched>,
): Promise<Result | undefined> {
  const entry = eventOf(ctx, kind, rowOf(insertion, values, UNASSIGNED));
  const added = { insertion, values, entry, identifier: "resourceId" };
  const patched = eventOf(ctx, patch, patch.after(before), before);
  const { statement, values: all } = patch.comparing(before, patched, added);
  const [inserted] = await ctx.query(statement, all);
  return inserted;
}

/**
 * Returns the internal error for a change that was not made, for an unknown reason. A concurrent change to the row cannot be the
 * reason, because the database then runs the whole operation again.
 */
export function unexplained(resource: string, id: Int64): Error {
  return new Error(`The ${resource} ${id} was not changed, for an unknown reason.`);
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

async function appendChange<Result extends Resource>(
  ctx: Context,
  kind: ChangeKind,
  after: Result,
  before?: Partial<NoInfer<Result>>,
): Promise<void> {
  const event = eventOf(ctx, kind, after, before);
  if (event !== undefined) await ctx.query(appendEvent, event);
}

/**
 * The context of an operation that creates one animal and uses only the request's input. If a client repeats the request, the
 * response can therefore be rebuilt from the input.
 */
export interface CreateContext {
  /** Describes the animal to insert, and the event to record with it. @param members the data of the event */
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

/**
 * Returns the members that a patch contains, with their new values. The value is undefined if the patch removes the member with
 * null.
 */
function givenIn(patch: object, members: readonly string[]): object {
  const given = members.filter((member) => Reflect.get(patch, member) !== undefined);
  return Object.fromEntries(given.map((member) => [member, Reflect.get(patch, member) ?? undefined]));
}
