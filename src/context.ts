import type { AccessLevel, Role } from "./contract/operation.ts";
import type { RandomBytes } from "./platform/random.ts";
import type { Database, Query } from "./storage/database.ts";

export const ENVIRONMENTS = ["production", "staging"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const SERVICE_NAMES = [...ENVIRONMENTS, "messages"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/**
 * Sign-up policies: people can sign up only with an invitation (`invite`), everybody can sign up (`open`), or accounts are created
 * only at the command line (`closed`).
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
   * Times at which the key was created and at which it expires, in milliseconds since 1970. `expiresAt` is undefined if the key
   * never expires.
   */
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

/** The browser that sent a person's request. */
export interface Browser {
  /** IP address of the browser. For IPv6, the /64 network that contains it, because each customer gets a whole /64. */
  readonly address: string;
  /** True if the address does not identify a single browser, because it is a loopback or proxy address. */
  readonly isSharedAddress: boolean;
  readonly userAgent: string;
  /** Tokens of the passkey sign-ins that the browser has begun, from its cookies. */
  readonly passkeyTokens: readonly string[];
  readonly origin: string;
}

export interface SessionActor extends Browser {
  readonly kind: "session";
  readonly sessionId: string;
  readonly accountId: number;
  readonly email: string;
  readonly role: Role;
  /** Time at which the account was created, in milliseconds since 1970. */
  readonly accountCreatedAt: number;
  readonly environment: Environment;
}

export interface AnonymousActor extends Browser {
  readonly kind: "anonymous";
  readonly environment: Environment;
}

/**
 * The sender of a request: a program with an API key, a person with a browser, or the operator at the command line. A person may be
 * anonymous.
 */
export type Actor = KeyActor | SessionActor | AnonymousActor | { readonly kind: "operator" };

/** A sender that was authenticated over the network. */
export type AccountActor = KeyActor | SessionActor;

/** Identifier of the key that a request was sent with; undefined for people, because the limits of keys do not apply to them. */
export type KeyId = string | undefined;

export function keyIdOf(actor: Actor | undefined): KeyId {
  return actor?.kind === "key" ? actor.keyId : undefined;
}

/** The HTTP request that makes a change. */
interface ChangeRequest {
  /** The `X-Request-Id` of the request. */
  readonly id: string;
  /** The caller's `traceparent` header (W3C Trace Context), which is passed on in the webhook deliveries of the change. */
  readonly traceparent: string | undefined;
  /** Returns the sender's IP address or, for IPv6, the /64 network that contains it. */
  readonly address: () => string;
}

/**
 * The context in which an operation runs: its queries (in a transaction, if the operation changes something), the sender, and the
 * time.
 */
export interface Context {
  readonly query: Query;
  readonly actor: Actor;
  /** Time of the request, in milliseconds since 1970. It does not change while the request is handled. */
  readonly now: number;
  /** The time of staging's test clock or, outside staging, `now`. Absent at the command line. */
  readonly contractNow?: number;
  readonly randomBytes: RandomBytes;
  /** Identifies the contents of staging since its last reset. Empty before the first reset, and absent in production. */
  readonly storeId?: string | undefined;
  /** The request that makes the change; absent for reads and at the command line. */
  readonly request?: ChangeRequest | undefined;
  /** Runs `work` in a transaction. Present only if the endpoint's `commit` is `by-verb`; `query` can then only read. */
  readonly write?: Database["write"];
  /**
   * Checks the preconditions of a change that has no transaction, against the values that the change compares with the stored ones.
   *
   * @throws ServiceError `precondition_failed`
   */
  readonly requireCurrent?: ((current: unknown) => void) | undefined;
}

/** Runs `work` in the transaction of `ctx`, or in a new transaction if `ctx` has none. */
export function inTransaction<Result>(
  ctx: Context,
  work: (inside: Context) => Promise<Result>,
): Promise<Result> {
  if (ctx.write === undefined) return work(ctx);
  const { write, ...rest } = ctx;
  return write((query) => work({ ...rest, query }));
}
