import type { AccountActor, AnonymousActor, KeyActor } from "../context.ts";
import type { Operation, Role } from "../contract/operation.ts";
import type { Clock } from "../platform/clock.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database, DataVersion } from "../storage/database.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import type { Endpoint, Route } from "./endpoint.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Idempotency } from "./idempotency/idempotency.ts";
import type { Charge, RateLimiter } from "./rate-limit.ts";
import type { RequestContext } from "./request-context.ts";
import type { Responding } from "./response.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { UnsentLimit } from "./unsent-limit.ts";

/** Identifies the sender of a request to the endpoints below one base address. */
export interface Authenticator {
  /** True if pages of any origin may call the endpoints (CORS). */
  readonly allowsAnyOrigin: boolean;
  /** The sender of a request. @throws ServiceError `unauthorized`, `forbidden` */
  authenticate(context: RequestContext): Maybe<AccountActor>;
  /** The sender of a request if the key is cached; undefined otherwise, which is no refusal. */
  authenticateFromCache?(context: RequestContext): KeyActor | undefined;
  /**
   * Checks the sender's access again: after a change's body has arrived, which may take seconds, and during a stream.
   *
   * @returns the role of a person's account
   * @throws ServiceError `unauthorized` if the key or session has ended since, `forbidden` if its account's role has changed
   */
  revalidate(context: RequestContext, operation: Operation): Maybe<Role | undefined>;
  /** `authenticate` for an endpoint that allows anonymous requests. */
  authenticateOptional?(context: RequestContext): Maybe<AccountActor | AnonymousActor>;
}

/** A store, an authenticator and limits for a group of endpoints. */
export interface Pipeline {
  readonly database: Database;
  readonly authenticator: Authenticator;
  /** Records for retries; absent if responses must not be stored, because they hold secrets shown only once. */
  readonly idempotency?: Idempotency;
  /** Limit of concurrent requests, shared by all services of the process; so are the next two. */
  readonly concurrency: ConcurrencyLimit;
  readonly streams: EventStreams;
  readonly unsent: UnsentLimit;
  readonly limitRate?: RateLimiter | undefined;
  readonly responseCache?: ResponseCache | undefined;
  /** Staging's store id; absent in production. */
  readonly rehearsal?: { readonly storeId: string };
  /** Answers requests for a simulation; left out, they are refused. */
  readonly simulate?: Simulate | undefined;
  readonly bodyLimits: { readonly maxBytes: number; readonly clock: Clock };
  readonly addressOf: (context: RequestContext) => string;
  readonly randomBytes: RandomBytes;
}

export interface RouteGroup {
  /** Prefix of the paths of a group of endpoints: `/v1`, `/console/api`, or empty. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  readonly pipeline: Pipeline;
}

/** A request below a base address: its context, to which each step adds what it finds. */
export interface Handling extends RequestContext {
  readonly pipeline: Pipeline;
  /** Route of the path; undefined if none matches. */
  readonly route: Route | undefined;
  /** Endpoint of the method; undefined if the route does not have the method. */
  readonly endpoint: Endpoint | undefined;
  /** Version of the data at the request's arrival, or later; undefined if the response must not be cached. */
  version?: Maybe<DataVersion | undefined>;
}

/** A request of a known actor for an endpoint. */
export interface Call extends Handling {
  readonly actor: AccountActor | AnonymousActor;
  readonly endpoint: Endpoint;
  readonly charge: Charge | undefined;
}

/** Answers a request with `Petstore-Simulate`. @throws ServiceError the simulated error; `invalid_request` */
export type Simulate = (call: Call, handle: () => Responding) => Responding;
