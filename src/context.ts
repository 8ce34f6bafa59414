import type { AccessLevel } from "./contract/operation.ts";
import type { RandomBytes } from "./platform/random.ts";
import type { Query } from "./storage/database.ts";

export const ENVIRONMENTS = ["production", "staging"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const SERVICE_NAMES = [...ENVIRONMENTS, "messages"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Whether people may create their own accounts. */
export const SIGN_UP = ["open", "closed"] as const;
export type SignUp = (typeof SIGN_UP)[number];

/** A program that came with a valid API key. */
export interface KeyActor {
  readonly kind: "key";
  readonly keyId: string;
  /** What its owner calls it. */
  readonly keyName: string;
  readonly accountId: number;
  readonly environment: Environment;
  readonly access: AccessLevel;
}

/** The browser that a person's request comes from. */
export interface Browser {
  /** The address it was sent from; an IPv6 one is cut to its network, which is what one customer has. */
  readonly address: string;
  readonly userAgent: string;
  /** Where the browser finds this service: `https://pets.example.com` */
  readonly origin: string;
}

/** A person who has signed in with a browser. */
export interface SessionActor extends Browser {
  readonly kind: "session";
  readonly sessionId: string;
  readonly accountId: number;
  readonly email: string;
  /** Milliseconds since 1970: when the account was made. */
  readonly accountCreatedAt: number;
  readonly environment: Environment;
}

/** A person who has not signed in. */
export interface AnonymousActor extends Browser {
  readonly kind: "anonymous";
  readonly environment: Environment;
}

/** The sender of a request: a program with an API key, a person with a browser, or the operator at the command line. */
export type Actor = KeyActor | SessionActor | AnonymousActor | { readonly kind: "operator" };

/** A sender over the network that has been authenticated. */
export type AccountActor = KeyActor | SessionActor;

/** What every verb is handed: the data (inside a transaction where the verb changes something), the actor, and the time. */
export interface Context {
  readonly query: Query;
  readonly actor: Actor;
  /** Milliseconds since 1970; one request has one `now`. */
  readonly now: number;
  readonly randomBytes: RandomBytes;
}
