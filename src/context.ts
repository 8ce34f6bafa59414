import type { AccessLevel, Role } from "./contract/operation.ts";
import type { RandomBytes } from "./platform/random.ts";
import type { Database, Query } from "./storage/database.ts";

export const ENVIRONMENTS = ["production", "staging"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const SERVICE_NAMES = [...ENVIRONMENTS, "messages"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/**
 * Rules for creating accounts: only people with an invitation can do it (`invite`), anybody can (`open`), or it can be done only at
 * the command line (`closed`).
 */
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
  /**
   * The time when the API key was created, in milliseconds since 1970. `expiresAt` is the time when it expires, or undefined if
   * it never does.
   */
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

export interface Browser {
  /**
   * The browser's IP address. For IPv6, the /64 network that contains the address, because internet providers give each customer a
   * whole /64.
   */
  readonly address: string;
  /** True if the address belongs to this machine or to a proxy, so that many browsers may share it. */
  readonly isSharedAddress: boolean;
  readonly userAgent: string;
  /** Tokens from the browser's cookies, one for each passkey sign-in that the browser has begun but not completed. */
  readonly passkeyTokens: readonly string[];
  readonly origin: string;
}

export interface SessionActor extends Browser {
  readonly kind: "session";
  readonly sessionId: string;
  readonly accountId: number;
  readonly email: string;
  readonly role: Role;
  /** The time when the account was created, in milliseconds since 1970. */
  readonly accountCreatedAt: number;
  readonly environment: Environment;
}

export interface AnonymousActor extends Browser {
  readonly kind: "anonymous";
  readonly environment: Environment;
}

/**
 * The sender of a request: a program with an API key, a person with a browser (who may be anonymous), or the operator at the
 * command line.
 */
export type Actor = KeyActor | SessionActor | AnonymousActor | { readonly kind: "operator" };

export type AccountActor = KeyActor | SessionActor;

/**
 * The identifier of the API key that was used to send the request. Undefined for people, because the limits for keys do not apply
 * to them.
 */
export type KeyId = string | undefined;

export function keyIdOf(actor: Actor | undefined): KeyId {
  return actor?.kind === "key" ? actor.keyId : undefined;
}

interface ChangeRequest {
  /** The `X-Request-Id` of the request. */
  readonly id: string;
  /** The caller's `traceparent` header (W3C Trace Context). It is passed on to webhooks when the change is delivered to them. */
  readonly traceparent: string | undefined;
  /** Returns the sender's IP address or, for IPv6, the /64 network that contains it. */
  readonly address: () => string;
}

/**
 * The context in which an operation runs: the sender, the time, and a function for queries. If the operation changes something, its
 * queries are in a transaction.
 */
export interface Context {
  readonly query: Query;
  readonly actor: Actor;
  /** The time of the request, in milliseconds since 1970. It stays the same while the request is handled. */
  readonly now: number;
  /** The time according to staging's test clock. In production, it equals `now`. Absent at the command line. */
  readonly contractNow?: number;
  readonly randomBytes: RandomBytes;
  /**
   * An identifier that changes whenever the staging environment is reset. Empty before the first reset, and absent in production.
   */
  readonly storeId?: string | undefined;
  /** The request that makes the change. Absent for reads and at the command line. */
  readonly request?: ChangeRequest | undefined;
  /** Runs `work` in a transaction. Present only for an endpoint with `commit: "by-verb"`, where `query` can only read. */
  readonly write?: Database["write"];
  /**
   * Checks a request's preconditions (such as `If-Match`) against the values in `current`, for a change that runs without a
   * transaction. The statement that makes the change then also checks that the row still has these values.
   *
   * @throws ServiceError `precondition_failed`
   */
  readonly requireCurrent?: ((current: unknown) => void) | undefined;
}

/** Runs `work` in the transaction of `ctx`. If `ctx` has no transaction, begins a new one. */
export function inTransaction<Result>(
  ctx: Context,
  work: (inside: Context) => Promise<Result>,
): Promise<Result> {
  if (ctx.write === undefined) return work(ctx);
  const { write, ...rest } = ctx;
  return write((query) => work({ ...rest, query }));
}
