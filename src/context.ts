import type { AccessLevel, Role } from "./contract/operation.ts";
import type { RandomBytes } from "./platform/random.ts";
import type { Database, Query } from "./storage/database.ts";

export const ENVIRONMENTS = ["production", "staging"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const SERVICE_NAMES = [...ENVIRONMENTS, "messages"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Sign-up policy: `open` to everyone who reaches the console, `invite` to people with an invitation, `closed` to all but the command line. */
export const SIGN_UP = ["open", "invite", "closed"] as const;
export type SignUp = (typeof SIGN_UP)[number];

/** A program that came with a valid API key. */
export interface KeyActor {
  readonly kind: "key";
  readonly keyId: string;
  /** The name that the account's owner gave the key. */
  readonly keyName: string;
  readonly accountId: number;
  /** Of its account. */
  readonly role: Role;
  readonly environment: Environment;
  readonly access: AccessLevel;
}

/** The browser that a person's request comes from. */
export interface Browser {
  /** The address it was sent from; an IPv6 one is cut to its /64, which is what one customer has. */
  readonly address: string;
  /** The address is loopback's or a proxy's: it does not tell people apart. */
  readonly isSharedAddress: boolean;
  readonly userAgent: string;
  /** Whether it runs on this machine: a loopback connection to a loopback `Host`, forwarded by nothing. */
  readonly isLocal: boolean;
  /** Cookies of sign-ins with a passkey that it has begun. */
  readonly passkeyTokens: readonly string[];
  /** Where the browser finds this service: `https://pets.example.com` */
  readonly origin: string;
}

/** A person who has signed in with a browser. */
export interface SessionActor extends Browser {
  readonly kind: "session";
  readonly sessionId: string;
  readonly accountId: number;
  readonly email: string;
  readonly role: Role;
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

/** The input of every verb besides the request's own: the data (inside a transaction where the verb changes something), the actor, and the time. */
export interface Context {
  readonly query: Query;
  readonly actor: Actor;
  /** Milliseconds since 1970; one request has one `now`. */
  readonly now: number;
  readonly randomBytes: RandomBytes;
  /** Of the request that makes the change; empty at the command line. */
  readonly requestId: string;
  /** The caller's (W3C Trace Context), passed on with what is delivered of the change. */
  readonly traceparent?: string | undefined;
  /** Where the request was sent from, as `Browser.address`; absent where nothing is changed, and at the command line. */
  readonly address?: () => string;
  /** Names staging's contents since its last reset; empty before the first, and absent in production. */
  readonly storeId?: string | undefined;
  /** Runs `work` in a transaction. Present where the endpoint's `transaction` is `own`: `query` only reads there. */
  readonly write?: Database["write"];
}

/** Runs `work` in a transaction of its own, or in that of `ctx` where it has one. */
export function inTransaction<Result>(
  ctx: Context,
  work: (inside: Context) => Promise<Result>,
): Promise<Result> {
  if (ctx.write === undefined) return work(ctx);
  const { write, ...rest } = ctx;
  return write((query) => work({ ...rest, query }));
}
