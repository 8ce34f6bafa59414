import type { KeyUsage } from "../keys/key-usage.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import type { RequestSeries } from "../telemetry/metrics/request-metrics.ts";
import type { RequestContext } from "./request-context.ts";

export interface AccessLogOptions {
  /** The service's. */
  readonly name: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly keyUsage: Pick<KeyUsage, "touch" | "callDeprecated">;
}

/** Counts, logs and traces handled requests; a metric's series is looked up once for each operation and status. */
export function createAccessLog({ name: service, log, metrics, keyUsage }: AccessLogOptions) {
  const seriesByOperation = new Map<string, RequestSeries[]>();

  function seriesFor(operation: string, status: number): RequestSeries {
    let byStatus = seriesByOperation.get(operation);
    if (byStatus === undefined) {
      byStatus = [];
      seriesByOperation.set(operation, byStatus);
    }
    byStatus[status] ??= metrics.requests.series({ service, operation, status });
    return byStatus[status];
  }

  return function observe(context: RequestContext, status: number, milliseconds: number): void {
    const { requestId, now, request, operation, actor, trace, traceId } = context;
    const { method } = request;
    const keyActor = actor?.kind === "key" ? actor : undefined;
    if (keyActor !== undefined) keyUsage.touch(keyActor.keyId, now);
    if (operation?.deprecation !== undefined) {
      metrics.countDeprecated(service, operation.id, keyActor);
      if (keyActor !== undefined) keyUsage.callDeprecated(keyActor.keyId, operation.id, now);
    }
    seriesFor(operation?.id ?? "none", status).observe(milliseconds / 1000);
    log.request({
      now,
      requestId,
      service,
      method,
      operation: operation?.id,
      status,
      durationMs: milliseconds,
      keyId: keyActor?.keyId,
      accountId: actor?.kind === "session" ? actor.accountId : undefined,
      traceId,
    });
    trace?.end({ service, method, operation, status, requestId });
  };
}
