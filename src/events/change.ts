import type { Int64 } from "exact-json/int64";
import type { Actor, Context } from "../context.ts";
import { writeJson } from "../contract/json/json.ts";
import type { SqlValue, Statement, ValuesOf } from "../storage/statement.ts";
import type { EventType } from "./event.ts";
import { appendEvent, type appendPetEvent } from "./store.ts";

type Resource = { readonly id: Int64; readonly petId?: Int64 };

/**
 * A statement that changes resources. It is no `Statement`, so that no transaction runs it by itself: `change` runs it and
 * appends the events in the same transaction.
 */
export interface ChangeStatement<in Values extends readonly SqlValue[], out Result extends Resource> {
  readonly type: EventType;
  /** Yields the resources after the change, or as they last were. */
  readonly changing: Statement<Values, Result>;
}

export function changing<Values extends readonly SqlValue[], Result extends Resource>(
  type: EventType,
  statement: Statement<Values, Result>,
): ChangeStatement<Values, Result> {
  return { type, changing: statement };
}

interface ChangeOptions<Result> {
  /** Members as they were; where none is another one after the change, there is no event. */
  readonly before?: Partial<Result>;
  /** Does what belongs to the change, and whose events come before its own. */
  readonly first?: () => Promise<void>;
}

/** Makes a change inside the transaction of `ctx`, with an event for the row that it yields. */
export async function change<Values extends readonly SqlValue[], Result extends Resource>(
  ctx: Context,
  { type, changing: statement }: ChangeStatement<Values, Result>,
  values: NoInfer<Values>,
  { before, first }: ChangeOptions<NoInfer<Result>> = {},
): Promise<Result | undefined> {
  const [after] = await ctx.query(statement, values);
  if (after === undefined) return undefined;
  await first?.();
  const previous = before && previousOf(before, after);
  if (previous !== undefined && Object.keys(previous).length === 0) return after;
  const { id, ...members } = after;
  const subject: readonly [petId: Int64 | null, resourceId: Int64 | null] = type.startsWith("pet.")
    ? [id, null]
    : [after.petId ?? null, id];
  await ctx.query(appendEvent, [...subject, ...eventValues(ctx, type, members, previous)]);
  return after;
}

/** The values of a created resource's event, for an insertion that appends it. */
export function creation(type: EventType) {
  return (ctx: Context, members: object) => eventValues(ctx, type, members, undefined);
}

type EventValues = ValuesOf<typeof appendPetEvent> extends readonly [unknown, ...infer Rest] ? Rest : never;

function eventValues(
  { actor, now, requestId, traceparent }: Context,
  type: EventType,
  members: object,
  previous: object | undefined,
): EventValues {
  const data = writeJson(members);
  const before = previous ? writeJson(previous) : null;
  return [type, now, ...actorValues(actor), requestId, data, before, traceparent ?? null];
}

/** @throws TypeError for a person who has not signed in: no operation lets one change the store */
function actorValues(actor: Actor): readonly [kind: string, id: string, name: string] {
  switch (actor.kind) {
    case "key":
      return ["key", actor.keyId, actor.keyName];
    case "session":
      return ["person", String(actor.accountId), ""];
    case "operator":
      return ["operator", "", "operator"];
    case "anonymous":
      throw new TypeError("A change of the store needs somebody who has signed in.");
  }
}

/** A JSON Merge Patch (RFC 7396) that leads back. */
function previousOf(before: object, after: object): Record<string, unknown> {
  const changed = Object.entries(before).filter(([member, value]) => Reflect.get(after, member) !== value);
  return Object.fromEntries(changed.map(([member, value]) => [member, value ?? null]));
}
