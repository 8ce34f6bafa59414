import type { Int64 } from "exact-json/int64";
import type { Environment } from "../context.ts";
import { enumSchema } from "../contract/schema.ts";

export const PET_EVENTS = ["pet.created", "pet.updated", "pet.deleted"] as const;
export const ORDER_EVENTS = ["order.placed", "order.completed", "order.cancelled"] as const;
export const CATEGORY_EVENTS = ["category.created", "category.updated", "category.deleted"] as const;

export const EVENT_TYPES = [...PET_EVENTS, ...ORDER_EVENTS, ...CATEGORY_EVENTS] as const;
/** Types of events about an animal: its own and its orders'. */
export const ANIMAL_EVENT_TYPES = [...PET_EVENTS, ...ORDER_EVENTS] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const eventType = enumSchema(EVENT_TYPES, {
  id: "EventType",
  description: "The kind of change.",
});

export const EVENT_ACTOR_KINDS = ["key", "person", "operator"] as const;

/** An event of the log. Only identifiers in its data are typed: `api/event-contract.ts` has each type's members. */
export interface LoggedEvent {
  readonly id: Int64;
  readonly type: EventType;
  readonly createdAt: string;
  readonly environment: Environment;
  readonly actor: {
    readonly kind: (typeof EVENT_ACTOR_KINDS)[number];
    readonly id: string;
    readonly name: string;
  };
  readonly requestId: string;
  /** The event's resource after the change; for a deletion, as it was before. */
  readonly data: { readonly id: Int64; readonly petId?: Int64 };
  /** Old values of the changed members of `data`. */
  readonly previous?: object | undefined;
}
