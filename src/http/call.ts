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

/** Identifies the sender of a request to the endpoints below one base address. */
export interface Authenticator {
  /** True if pages of any origin may call the endpoints (CORS). */
  readonly allowsAnyOrigin: boolean;
  /** The sender of a request. @throws ServiceError `unauthorized`, `forbidden` */
  authenticate(context: Call): Maybe<AccountActor>;
  /** The sender of a request if its key is in the cache. Undefined does not mean that the key is invalid. */
  authenticateFromCache?(context: Call): KeyActor | undefined;
  /**
   * Checks the sender's access again: after the body of a change has arrived, which may take seconds, and during a stream.
   *
   * @returns the role of a person's account
   * @throws ServiceError `unauthorized` if the key or session has ended since, `forbidden` if its account's role has changed
   */
  revalidate(context: Call, operation: Operation): Maybe<Role | undefined>;
  /** `authenticate` for an endpoint that allows anonymous requests. */
  authenticateOptional?(context: Call): Maybe<AccountActor | AnonymousActor>;
}

/** A store, an authenticator and limits for a group of endpoints. */
export interface Pipeline {
  readonly database: Database;
  readonly authenticator: Authenticator;
  /**
   * Records of responses for retries; absent if responses must not be stored, because they contain secrets that are shown only
   * once.
   */
  readonly idempotency?: Idempotency;
  /** Limit of concurrent requests. Like the next two members, it is shared by all services of the process. */
  readonly concurrency: ConcurrencyLimit;
  readonly streams: EventStreams;
  readonly unsent: UnsentLimit;
  readonly limitRate?: RateLimiter | undefined;
  readonly responseCache?: ResponseCache | undefined;
  /** Staging's store id; absent in production. */
  readonly rehearsal?: { readonly storeId: string };
  /** Answers requests that ask for a simulation. If left out, such requests are refused. */
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
  /** Prefix of the paths of a group of endpoints: `/v1`, `/console/api`, or empty. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  readonly pipeline: Pipeline;
}

/** The connection of a request. */
export interface Connection {
  readonly peer: () => string | undefined;
  /** Closes the connection within seconds; unsent bytes are dropped. */
  readonly cutOff: () => void;
}

/** Addresses of the service as its client sees them. */
export interface RequestAddresses {
  /** Scheme, host and port, without a path: `https://pets.example.com`. */
  readonly origin: string;
  /** Base address of the endpoints, without a trailing slash: `https://pets.example.com/v1`. */
  readonly base: string;
  /** Values computed for these addresses, which nearly all of a service's requests share; absent if nothing is to be kept. */
  readonly made?: {
    /** Header lines of deprecated operations, keyed by operation. */
    readonly deprecations: Map<string, Call["headers"]>;
    /** Responses for reused errors, keyed by error. */
    readonly refusals: Map<ServiceError, ResponseData>;
  };
}

/**
 * A request on its way to its response. Each step assigns the members that it finds out. All members exist from the start,
 * because an object whose shape changes three times costs more than twice as much.
 */
export interface Call extends Connection {
  readonly request: Request;
  /** Method of the request; GET for a HEAD request, because only the response's body differs. */
  readonly method: string;
  readonly requestId: string;
  /** Path of the request, percent-decoded where possible. */
  readonly path: string;
  /** Query string of the request without `?`, as sent. */
  readonly search: string;
  /** Path and query of the request, as sent. */
  readonly sent: string;
  /** Time of the request's arrival, in milliseconds since 1970. */
  readonly now: number;
  /** The time that decides whether an operation has been removed: `now`, or in staging the test clock. */
  readonly contractNow: number;
  /** The caller's `traceparent` header (W3C Trace Context); undefined if it is absent or invalid. */
  readonly traceparent: string | undefined;
  /** Header lines that the pipeline's steps add to the response. */
  readonly headers: Record<string, string>;
  /** Addresses of the service for links in the response; empty until the `Host` header has been checked. */
  addresses: RequestAddresses;
  pipeline: Pipeline;
  /** Route of the path; undefined if none matches. */
  route: Route | undefined;
  /** Texts of the route's parameters, in the order of its path, as sent. */
  pathTexts: readonly string[];
  /** Endpoint of the method; undefined if the route does not have the method. */
  endpoint: Endpoint | undefined;
  /** Operation of the request; undefined if it was refused before the operation was known. */
  operation: Operation | undefined;
  actor: AccountActor | AnonymousActor | undefined;
  /** The request's count against its rate limit; undefined if there is no limit. */
  charge: Charge | undefined;
  /** Version of the data at the request's arrival, or later; undefined if the response must not be cached. */
  version: Maybe<DataVersion | undefined>;
  /** Values of the path's parameters; later also those of the query's. */
  values: Record<string, unknown>;
  /** The failure or delay that `Petstore-Simulate` asked for and this request got; undefined if there is none. */
  simulated: "error" | "delayed" | "lost" | undefined;
  /** Error code of the response; undefined if it is no error. */
  errorCode: string | undefined;
  /** True while the request holds a slot of the concurrency limit. */
  hasSlot: boolean;
}

/** The sender of a request, for the steps after authentication. */
export function requireActor({ actor }: Call): AccountActor | AnonymousActor {
  if (actor === undefined) throw new TypeError("The request has not been authenticated.");
  return actor;
}

/** The endpoint of a request, for the steps after the resolution of path and method. */
export function requireEndpoint({ endpoint }: Call): Endpoint {
  if (endpoint === undefined) throw new TypeError("The request has no endpoint.");
  return endpoint;
}

/** Answers a request with `Petstore-Simulate`. @throws ServiceError the simulated error; `invalid_request` */
export type Simulate = (call: Call, handle: () => Responding) => Responding;
