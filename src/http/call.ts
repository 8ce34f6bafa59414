import type { AccountActor, AnonymousActor, KeyActor } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database, DataVersion } from "../storage/database.ts";
import type { BodyLimits } from "./body.ts";
import type { ConcurrencyLimit, Slot } from "./concurrency-limit.ts";
import type { Endpoint, Route } from "./endpoint.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Idempotency } from "./idempotency/idempotency.ts";
import type { PathTexts } from "./parameters.ts";
import type { Charge, RateLimiter } from "./rate-limit.ts";
import type { RequestContext } from "./request-context.ts";
import type { Responding } from "./response.ts";
import type { ResponseCache } from "./response-cache.ts";

/** Finds out who sends a request, for the endpoints below one base address. */
export interface Authenticator {
  /** Whether pages of any origin may call the endpoints (CORS). */
  readonly allowsAnyOrigin: boolean;
  /** @throws ServiceError `unauthorized`, `forbidden` */
  authenticate(context: RequestContext): Maybe<AccountActor>;
  /** The actor where it is known without asking the database; undefined is no refusal. */
  authenticateFromCache?(context: RequestContext): KeyActor | undefined;
  /**
   * Called once the body of a change has arrived, which may take seconds.
   *
   * @throws ServiceError `unauthorized` when the key or session has ended meanwhile, `forbidden` when its account's role has
   *   changed
   */
  revalidate(context: RequestContext, operation: Operation): Promise<void>;
  /** `authenticate` for an endpoint that allows anonymous requests. */
  authenticateOptional?(context: RequestContext): Maybe<AccountActor | AnonymousActor>;
}

/** One store, an authenticator and limits, which serve a group of endpoints. */
export interface Pipeline {
  readonly database: Database;
  readonly authenticator: Authenticator;
  /** Absent where responses must not be stored: they hold secrets that are shown once. */
  readonly idempotency?: Idempotency;
  /** Both are shared by all services of one process. */
  readonly concurrency: ConcurrencyLimit;
  readonly streams: EventStreams;
  /** Absent where no rate limit is set. */
  readonly limitRate?: RateLimiter;
  /** Absent where responses must not be cached. */
  readonly responseCache?: ResponseCache;
  /** Of staging. */
  readonly rehearsal?: { readonly storeId: string };
  /** Left out, requests for a simulation are refused. */
  readonly simulate?: Simulate;
  readonly bodyLimits: BodyLimits;
  readonly addressOf: (context: RequestContext) => string;
  readonly randomBytes: RandomBytes;
}

/** Endpoints below one path, and the pipeline that every request for them goes through. */
export interface RouteGroup {
  /** `/v1`, `/console/api`, or empty. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  readonly pipeline: Pipeline;
}

/** A request in the pipeline. */
export interface Handling {
  readonly pipeline: Pipeline;
  readonly context: RequestContext;
  /** Undefined where no route matches the path. */
  readonly route: Route | undefined;
  /** Undefined where the route does not have the method. */
  readonly endpoint: Endpoint | undefined;
  readonly pathTexts: PathTexts;
  slot?: Slot;
  /** The version of the data, where it was asked for. */
  asked?: Maybe<DataVersion | undefined>;
  version?: DataVersion | undefined;
}

/** A request of a known actor for an endpoint. */
export interface Call extends Pick<Handling, "pipeline" | "context"> {
  readonly slot: Slot;
  readonly actor: AccountActor | AnonymousActor;
  readonly endpoint: Endpoint;
  /** Of the data when the request arrived, or later; undefined where its response is not to be cached. */
  readonly version: DataVersion | undefined;
  readonly charge: Charge | undefined;
}

/**
 * The step of a request that asks for a simulation; `handle` carries the request out.
 *
 * @throws ServiceError the simulated error; `invalid_request`
 */
export type Simulate = (call: Call, handle: () => Responding) => Responding;
