import type { AccessLevel, Role } from "./contract/operation.ts";
import type { RandomBytes } from "./platform/random.ts";
import type { Database, Query } from "./storage/database.ts";

export const ENVIRONMENTS = ["production", "staging"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const SERVICE_NAMES = [...ENVIRONMENTS, "messages"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Sign-up policy: with an invitation (`invite`), open to everyone (`open`), or only at the command line (`closed`). */
export const SIGN_UP = ["invite", "open", "closed"] as const;
export type SignUp = (typeof SIGN_UP)[number];

export interface KeyActor {
  readonly kind: "key";
  readonly keyId: string;
  readonly keyName: string;
  readonly accountId: number;
  readonly role: Role;
  readonly environment: Environment;
  readonly access: AccessLevel;
  /** Creation and expiry of the key, in milliseconds since 1970; `expiresAt` is undefined if it does not expire. */
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

/** The browser that sent a person's request. */
export interface Browser {
  /** IP address of the browser. For IPv6 it is the /64, because one customer has a whole /64. */
  readonly address: string;
  /** True if the address is that of loopback or of a proxy, and so does not distinguish people. */
  readonly isSharedAddress: boolean;
  readonly userAgent: string;
  /** Tokens, from cookies, of the passkey sign-ins that the browser has begun. */
  readonly passkeyTokens: readonly string[];
  readonly origin: string;
}

export interface SessionActor extends Browser {
  readonly kind: "session";
  readonly sessionId: string;
  readonly accountId: number;
  readonly email: string;
  readonly role: Role;
  /** Creation of the account, in milliseconds since 1970. */
  readonly accountCreatedAt: number;
  readonly environment: Environment;
}

export interface AnonymousActor extends Browser {
  readonly kind: "anonymous";
  readonly environment: Environment;
}

/** The sender of a request: a program with an API key, a person with a browser, or the operator at the command line. */
export type Actor = KeyActor | SessionActor | AnonymousActor | { readonly kind: "operator" };

/** A sender that was authenticated over the network. */
export type AccountActor = KeyActor | SessionActor;

/** Identifier of a request's key; undefined for people, to whom the limits of keys do not apply. */
export type KeyId = string | undefined;

export function keyIdOf(actor: Actor | undefined): KeyId {
  return actor?.kind === "key" ? actor.keyId : undefined;
}

/** The HTTP request that makes a change. */
interface ChangeRequest {
  /** Its `X-Request-Id`. */
  readonly id: string;
  /** Header `traceparent` from the caller (W3C Trace Context), passed on in webhook deliveries of the change. */
  readonly traceparent: string | undefined;
  /** Returns the sender's IP address, or for IPv6 the /64. */
  readonly address: () => string;
}

/** Context of an operation: its queries (in a transaction, if the operation changes something), the sender, and the time. */
export interface Context {
  readonly query: Query;
  readonly actor: Actor;
  /** Time of the request, in milliseconds since 1970; constant during the request. */
  readonly now: number;
  /** The time according to staging's test clock, or else `now`; absent at the command line. */
  readonly contractNow?: number;
  readonly randomBytes: RandomBytes;
  /** Identifies the contents of staging since its last reset. Empty before the first reset, and absent in production. */
  readonly storeId?: string | undefined;
  /** The request that makes the change; absent for reads and at the command line. */
  readonly request?: ChangeRequest | undefined;
  /** Runs `work` in a transaction. Present only if the endpoint's `commit` is `by-verb`, and then `query` only reads. */
  readonly write?: Database["write"];
  /** True without a transaction: a change is then one statement, which compares the values that were read before. */
  readonly isCompared?: true;
}

/** Runs `work` in the transaction of `ctx` or, if it has none, in a new one. */
export function inTransaction<Result>(
  ctx: Context,
  work: (inside: Context) => Promise<Result>,
): Promise<Result> {
  if (ctx.write === undefined) return work(ctx);
  const { write, ...rest } = ctx;
  return write((query) => work({ ...rest, query }));
}
