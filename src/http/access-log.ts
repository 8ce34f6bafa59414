import type { Actor } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import type { RequestSeries } from "../telemetry/metrics/request-metrics.ts";

/** What is to be known of a request once it has been answered. */
export interface CompletedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly operation: Operation | undefined;
  readonly actor: Actor | undefined;
  readonly status: number;
  readonly traceId: string | undefined;
  readonly milliseconds: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface ObserverOptions {
  readonly name: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Told of each call of an operation that is about to end. */
  readonly onDeprecatedCall: (keyId: string, operation: string, now: number) => void;
}

/** Counts and logs answered requests; what it needs for that is looked up once for each operation and status. */
export function createAccessLog({ name: service, log, metrics, onDeprecatedCall }: ObserverOptions) {
  const known = new Map<string, RequestSeries[]>();

  function seriesFor(operation: string, status: number): RequestSeries {
    let ofOperation = known.get(operation);
    if (ofOperation === undefined) {
      ofOperation = [];
      known.set(operation, ofOperation);
    }
    ofOperation[status] ??= metrics.requests.series({ service, operation, status });
    return ofOperation[status];
  }

  return function observe({
    requestId,
    method,
    operation,
    actor,
    status,
    traceId,
    milliseconds,
    now,
  }: CompletedRequest): void {
    const id = operation?.id;
    const keyId = actor?.kind === "key" ? actor.keyId : undefined;
    const accountId = actor?.kind === "session" ? actor.accountId : undefined;
    seriesFor(id ?? "none", status).observe(milliseconds / 1000);
    if (id !== undefined && operation?.deprecation !== undefined) {
      metrics.countDeprecated(service, id, actor?.kind === "key" ? actor : undefined);
      if (keyId !== undefined) onDeprecatedCall(keyId, id, now);
    }
    log.request({
      now,
      requestId,
      service,
      method,
      operation: id,
      status,
      durationMs: milliseconds,
      keyId,
      accountId,
      traceId,
    });
  };
}
