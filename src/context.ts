import type { AccessLevel } from "./contract/operation.ts";
import type { RandomBytes } from "./random.ts";
import type { Query } from "./storage/database.ts";

export const ENVIRONMENTS = ["production", "staging"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** A program that came with a valid API key. */
export interface KeyActor {
  readonly kind: "key";
  readonly keyId: string;
  readonly accountId: number;
  readonly environment: Environment;
  readonly access: AccessLevel;
}

/** Who is asking: a program with an API key, or the operator at the command line. */
export type Actor = KeyActor | { readonly kind: "operator" };

/** What every verb is handed: the data (inside a transaction where the verb changes something), who asks, and when. */
export interface Context {
  readonly query: Query;
  readonly actor: Actor;
  /** Milliseconds since 1970; one request has one `now`. */
  readonly now: number;
  readonly randomBytes: RandomBytes;
}
