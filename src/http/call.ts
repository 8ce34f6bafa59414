import type { AccountActor, AnonymousActor, KeyActor } from "../context.ts";
import type { Operation, Role } from "../contract/operation.ts";
import type { ServiceError } from "../errors.ts";
import type { Clock } from "../platform/clock.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database, DataVersion } from "../storage/database.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import type { Endpoint, Route } from "./endpoint.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Idempotency } from "./idempotency/idempotency.ts";
import type { Charge, RateLimiter } from "./rate-limit.ts";
import type { Responding, ResponseData } from "./response.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { UnsentLimit } from "./unsent-limit.ts";

/** Identifies the sender of a request. Each base address has its own authenticator. */
export interface Authenticator {
  /** True if web pages of any origin may call the endpoints (CORS). */
  readonly allowsAnyOrigin: boolean;
  /** Finds the sender of a request. @throws ServiceError `unauthorized`, `forbidden` */
  authenticate(context: Call): Maybe<AccountActor>;
  /**
   * Finds the sender of a request if the request's key is in the cache.
   *
   * @returns undefined if the key is not cached; the key may still be valid
   */
  authenticateFromCache?(context: Call): KeyActor | undefined;
  /**
   * Checks the sender's access again: at intervals during a stream, and before a change, because its body may have taken seconds
   * to arrive.
   *
   * @returns the role of the account, if a person sent the request
   * @throws ServiceError `unauthorized` if the key or session has ended in the meantime, `forbidden` if the role of the sender's
   *   account has changed
   */
  revalidate(context: Call, operation: Operation): Maybe<Role | undefined>;
  /** Like `authenticate`, but for an endpoint that allows anonymous requests. */
  authenticateOptional?(context: Call): Maybe<AccountActor | AnonymousActor>;
}

/** The store, the authenticator and the limits that a group of endpoints uses. */
export interface Pipeline {
  readonly database: Database;
  readonly authenticator: Authenticator;
  /**
   * Stores responses in order to replay them for retries. Absent if the responses contain secrets that are shown only once, and
   * must therefore not be stored.
   */
  readonly idempotency?: Idempotency;
  /** Limit of concurrent requests. All services of the process share this limit and the limits `streams` and `unsent`. */
  readonly concurrency: ConcurrencyLimit;
  readonly streams: EventStreams;
  readonly unsent: UnsentLimit;
  readonly limitRate?: RateLimiter | undefined;
  readonly responseCache?: ResponseCache | undefined;
  /** Identifier of staging's store. Absent in production. */
  readonly rehearsal?: { readonly storeId: string };
  /** Answers requests that ask for a simulated error or delay. If left out, such requests are refused. */
  readonly simulate?: Simulate | undefined;
  readonly bodyLimits: { readonly maxBytes: number; readonly clock: Clock };
  readonly addressOf: (context: Call) => string;
  readonly randomBytes: RandomBytes;
}

/** Limits that the requests of all services of a process share. */
export type Limits = Pick<
  Pipeline,
  "concurrency" | "streams" | "unsent" | "limitRate" | "bodyLimits" | "addressOf" | "randomBytes"
>;

export interface RouteGroup {
  /** Path prefix that the endpoints of the group share: `/v1`, `/console/api`, or empty. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  readonly pipeline: Pipeline;
}

/** The connection that a request arrived on. */
export interface Connection {
  readonly peer: () => string | undefined;
  /** Closes the connection within seconds. Bytes that have not been sent are dropped. */
  readonly cutOff: () => void;
}

/** Addresses of the service, as the client sees them. */
export interface RequestAddresses {
  /** Scheme, host and port, without a path: `https://pets.example.com`. */
  readonly origin: string;
  /** Base address of the endpoints, without a trailing slash: `https://pets.example.com/v1`. */
  readonly base: string;
  /**
   * Caches of values that depend only on the service's addresses, because nearly all requests to a service use the same addresses.
   * Absent if nothing is cached.
   */
  readonly made?: {
    /** Header lines of deprecated operations, keyed by operation. */
    readonly deprecations: Map<string, Call["headers"]>;
    /** Encoded responses to frequent errors, keyed by error. */
    readonly refusals: Map<ServiceError, ResponseData>;
  };
}

/**
 * A request while it is being handled. Each step assigns the members that it determines. All members exist from the start. Adding
 * members later would change the object's shape, and more than double its cost.
 */
export interface Call extends Connection {
  readonly request: Request;
  /** Method of the request; GET for a HEAD request, because only the response's body differs. */
  readonly method: string;
  readonly requestId: string;
  /** Path of the request, percent-decoded where possible. */
  readonly path: string;
  /** Query string of the request without `?`, exactly as the client sent it. */
  readonly search: string;
  /** Path and query of the request, exactly as the client sent them. */
  readonly sent: string;
  /** Time at which the request arrived, in milliseconds since 1970. */
  readonly now: number;
  /**
   * The time that decides whether a deprecated operation has already been removed: `now` or, in staging, the time of the test
   * clock.
   */
  readonly contractNow: number;
  /** The caller's `traceparent` header (W3C Trace Context); undefined if it is absent or invalid. */
  readonly traceparent: string | undefined;
  /** Response headers that the steps of the pipeline add. */
  readonly headers: Record<string, string>;
  /** Addresses of the service for links in the response; empty until the `Host` header has been checked. */
  addresses: RequestAddresses;
  pipeline: Pipeline;
  /** Route that matches the path; undefined if none does. */
  route: Route | undefined;
  /** Texts of the path parameters, as the client sent them, in the order of the parameters in the route's path. */
  pathTexts: readonly string[];
  /** Endpoint for the request's method; undefined if the route does not support the method. */
  endpoint: Endpoint | undefined;
  /** The requested operation; undefined if the request was refused before the operation was known. */
  operation: Operation | undefined;
  actor: AccountActor | AnonymousActor | undefined;
  /** The result of counting the request against the rate limit; undefined if there is no limit. */
  charge: Charge | undefined;
  /** Version of the data, read after the request arrived; undefined if the response must not be cached. */
  version: Maybe<DataVersion | undefined>;
  /** Values of the path parameters and, once the query has been parsed, of the query parameters. */
  values: Record<string, unknown>;
  /**
   * The error, delay or lost response that was simulated, because the header `Petstore-Simulate` asked for it; undefined if there
   * was none.
   */
  simulated: "error" | "delayed" | "lost" | undefined;
  /** Error code of the response; undefined if the response is not an error. */
  errorCode: string | undefined;
  /** True while the request holds a slot of the concurrency limit. */
  hasSlot: boolean;
}

/** Returns the sender of a request. Call this only after the request has been authenticated. */
export function requireActor({ actor }: Call): AccountActor | AnonymousActor {
  if (actor === undefined) throw new TypeError("The request has not been authenticated.");
  return actor;
}

/** Returns the endpoint of a request. Call this only after the path and the method have been checked. */
export function requireEndpoint({ endpoint }: Call): Endpoint {
  if (endpoint === undefined) throw new TypeError("This request matches no endpoint.");
  return endpoint;
}

/** Answers a request that has the header `Petstore-Simulate`. @throws ServiceError the simulated error, or `invalid_request` */
export type Simulate = (call: Call, handle: () => Responding) => Responding;
