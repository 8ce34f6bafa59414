import type { AccessLevel, Role } from "./contract/operation.ts";
import type { RandomBytes } from "./platform/random.ts";
import type { Database, Query } from "./storage/database.ts";

export const ENVIRONMENTS = ["production", "staging"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const SERVICE_NAMES = [...ENVIRONMENTS, "messages"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Sign-up policy: `invite` with an invitation only, `open` to everyone, `closed` except at the command line. */
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
  /** IP address of the browser; of IPv6 the /64, because one customer has a whole /64. */
  readonly address: string;
  /** True if the address is loopback's or a proxy's, and so does not distinguish people. */
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

/** An authenticated sender over the network. */
export type AccountActor = KeyActor | SessionActor;

/** Identifier of a request's key; undefined for people, to whom the limits of keys do not apply. */
export type KeyId = string | undefined;

export function keyIdOf(actor: Actor | undefined): KeyId {
  return actor?.kind === "key" ? actor.keyId : undefined;
}

/** Context of an operation: queries (in a transaction, if the operation changes something), the sender, and the time. */
export interface Context {
  readonly query: Query;
  readonly actor: Actor;
  /** Time of the request, in milliseconds since 1970; constant during the request. */
  readonly now: number;
  /** `now` by staging's test clock; absent at the command line. */
  readonly contractNow?: number;
  readonly randomBytes: RandomBytes;
  /** Identifier of the request that makes the change; empty at the command line. */
  readonly requestId: string;
  /** Header `traceparent` from the caller (W3C Trace Context), passed on in webhook deliveries of the change. */
  readonly traceparent?: string | undefined;
  /** Returns the sender's IP address, of IPv6 the /64; absent for reads and at the command line. */
  readonly address?: () => string;
  /** Identifies the contents of staging since its last reset. Empty before the first reset, and absent in production. */
  readonly storeId?: string | undefined;
  /** Runs `work` in a transaction. Present if the endpoint's `commit` is `by-verb`: then `query` only reads. */
  readonly write?: Database["write"];
}

/** Runs `work` in a new transaction, or in that of `ctx` if it has one. */
export function inTransaction<Result>(
  ctx: Context,
  work: (inside: Context) => Promise<Result>,
): Promise<Result> {
  if (ctx.write === undefined) return work(ctx);
  const { write, ...rest } = ctx;
  return write((query) => work({ ...rest, query }));
}
