import type { Int64 } from "exact-json/int64";
import type { Actor, Context } from "../context.ts";
import { writeJson } from "../contract/json/json.ts";
import type { ValuesOf } from "../storage/statement.ts";
import type { AnimalMember } from "./kind.ts";
import type { appendEvent } from "./store.ts";

export type Resource = { readonly id: Int64; readonly petId?: Int64 };

type EventValues = ValuesOf<typeof appendEvent>;

/** The type of an event, and the member of the event's data that identifies the animal. */
export interface ChangeKind {
  readonly type: string;
  readonly animal: AnimalMember;
}

/** Returns the event that records a change, or undefined if the change has no effect. */
export function eventOf<Result extends Resource>(ctx: Context, kind: ChangeKind, after: Result): EventValues;
export function eventOf<Result extends Resource>(
  ctx: Context,
  kind: ChangeKind,
  after: Result,
  before: Partial<NoInfer<Result>> | undefined,
): EventValues | undefined;
export function eventOf<Result extends Resource>(
  ctx: Context,
  { type, animal }: ChangeKind,
  after: Result,
  before?: Partial<NoInfer<Result>>,
): EventValues | undefined {
  const previous = before && previousOf(before, after);
  if (previous !== undefined && Object.keys(previous).length === 0) return undefined;
  const { id, ...members } = after;
  const subject =
    animal === "id"
      ? { petId: id, resourceId: null }
      : { petId: (animal && after[animal]) ?? null, resourceId: id };
  return { ...subject, ...entryOf(ctx, type, members, previous) };
}

/** The columns of an event in the log, except the identifiers of its resource and its animal. */
type Entry = Omit<ValuesOf<typeof appendEvent>, "petId" | "resourceId">;

export function entryOf(
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

/** Returns the values for an event's actor columns. @throws TypeError for an anonymous actor, who cannot change the store */
function actorValues(actor: Actor): readonly [kind: string, id: string, name: string] {
  switch (actor.kind) {
    case "key":
      return ["key", actor.keyId, actor.keyName];
    case "session":
      return ["person", String(actor.accountId), ""];
    case "operator":
      return ["operator", "", "operator"];
    case "anonymous":
      throw new TypeError("Only a person who is signed in can change the store.");
  }
}

/** Returns the old values of the members that have changed. The result is a JSON Merge Patch (RFC 7396) that undoes the change. */
function previousOf(before: object, after: object): Record<string, unknown> {
  const changed = Object.entries(before).filter(([member, value]) => Reflect.get(after, member) !== value);
  return Object.fromEntries(changed.map(([member, value]) => [member, value ?? null]));
}
