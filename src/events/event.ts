import type { Int64 } from "exact-json/int64";
import type { Environment } from "../context.ts";

export const EVENT_ACTOR_KINDS = ["key", "person", "operator"] as const;

/**
 * An event in the log. Of the event's data, only the identifiers are declared in this type. `event-kinds/` declares the complete data
 * for each kind of event.
 */
export interface LoggedEvent {
  readonly id: Int64;
  readonly type: string;
  readonly createdAt: string;
  readonly environment: Environment;
  readonly actor: {
    readonly kind: (typeof EVENT_ACTOR_KINDS)[number];
    readonly id: string;
    readonly name: string;
  };
  readonly requestId: string;
  /** The resource that the event is about, as it was after the change or, for a deletion, before it. */
  readonly data: { readonly id: Int64; readonly petId?: Int64 };
  /** The old values of the members of `data` that have changed. */
  readonly previous?: object | undefined;
}
