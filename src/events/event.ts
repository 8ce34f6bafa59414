import type { Int64 } from "exact-json/int64";
import type { Environment } from "../context.ts";

export const EVENT_ACTOR_KINDS = ["key", "person", "operator"] as const;

/** An event of the log. Only identifiers in its data are typed: `event-kinds/` has each type's members. */
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
  /** The event's resource after the change or, for a deletion, before it. */
  readonly data: { readonly id: Int64; readonly petId?: Int64 };
  /** Old values of the changed members of `data`. */
  readonly previous?: object | undefined;
}
