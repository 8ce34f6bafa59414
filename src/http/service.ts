import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import { parseTraceparent } from "../telemetry/tracing/traceparent.ts";
import type { RequestTrace, Tracer } from "../telemetry/tracing/tracer.ts";
import { type CompletedRequest, createAccessLog } from "./access-log.ts";
import type { Pipeline } from "./pipeline.ts";
import { createRequestContext, createRequestIds, requestIdOf } from "./request-context.ts";
import { createRouter, type RouterOptions } from "./router.ts";

/** An application: a function from Request to Response, and a way to have it take its leave. */
export interface Service {
  readonly name: string;
  fetch(request: Request, peer?: () => string | undefined): Promise<Response>;
  /** From now on it is not ready, and asks its clients to connect elsewhere. Requests are answered all the same. */
  drain(): void;
}

interface ServiceOptions extends RouterOptions {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly metrics: Metrics;
  /** Absent when nobody follows requests. */
  readonly tracer?: Tracer | undefined;
  /** Told of each call of an operation that is about to end. */
  readonly onDeprecatedCall: (keyId: string, operation: string, now: number) => void;
}

export function createService(options: ServiceOptions): Service {
  const nextRequestId = createRequestIds(options.randomBytes);
  const arrive = createArrivals(options);
  let isDraining = false;
  const router = createRouter(options, () => isDraining);
  const [own] = options.routeGroups;

  return {
    name: options.name,
    async fetch(request, peer = noPeer) {
      const { now, trace, finish } = arrive(request);
      if (!isDraining) {
        const recalled = recallPage(own.pipeline, request, now, nextRequestId);
        if (recalled !== undefined) {
          const { response, ...what } = recalled;
          finish({ ...what, method: "GET", status: response.status });
          return response;
        }
      }
      const exchange = createRequestContext(request, now, nextRequestId, peer, trace);
      if (isDraining) exchange.headers["Connection"] = "close";
      const response = await router.fetch(request, exchange);
      const { requestId, operation, actor } = exchange;
      finish({ requestId, method: request.method, operation, actor, status: response.status });
      return response;
    },
    drain() {
      isDraining = true;
    },
  };
}

/** A request that came in: when, in whose trace, and what to call once it is answered. */
interface Arrival {
  readonly now: number;
  readonly trace: RequestTrace | undefined;
  finish(what: Omit<CompletedRequest, "traceId" | "milliseconds" | "now">): void;
}

/** Tells the log, the metrics and the tracer of each request. */
function createArrivals(options: ServiceOptions): (request: Request) => Arrival {
  const observe = createAccessLog(options);
  return (request) => {
    const startedAt = performance.now();
    const now = options.clock.now();
    const caller = parseTraceparent(request.headers.get("traceparent"));
    const trace = options.tracer?.begin(caller, now);
    const traceId = trace?.traceId ?? caller?.traceId;
    return {
      now,
      trace,
      finish(what) {
        observe({ ...what, traceId, milliseconds: performance.now() - startedAt, now });
        const { operation, requestId, method, status } = what;
        trace?.end({ service: options.name, method, operation, status, requestId });
      },
    };
  };
}

/**
 * The shortest way: who asks is known, what is asked was answered before, and nothing has changed since. It refuses
 * nothing; whatever is not all of that goes the whole way.
 */
function recallPage(
  { responseCache, authenticator }: Pipeline,
  request: Request,
  now: number,
  nextRequestId: () => string,
) {
  if (
    responseCache === undefined ||
    authenticator.authenticateFromCache === undefined ||
    request.method !== "GET"
  )
    return undefined;
  if (!responseCache.has(request.url)) return undefined;
  const actor = authenticator.authenticateFromCache(request, now);
  if (actor === undefined) return undefined;
  const requestId = requestIdOf(request, nextRequestId);
  const recalled = responseCache.get(request, requestId);
  return recalled && { ...recalled, requestId, actor };
}

/** A request that came by no port, as in a test. */
function noPeer(): undefined {
  return undefined;
}
