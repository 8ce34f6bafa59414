import type { KeyUsage } from "../keys/key-usage.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import type { RequestContext } from "./request-context.ts";

export interface AccessLogOptions {
  /** The service's. */
  readonly name: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly keyUsage: Pick<KeyUsage, "touch" | "callDeprecated">;
}

/** Counts, logs and traces each request once it has its response. */
export function createAccessLog({ name: service, log, metrics, keyUsage }: AccessLogOptions) {
  const seriesByOperation = new Map<string, (status: number, seconds: number) => void>();

  function seriesFor(operation: string): (status: number, seconds: number) => void {
    let series = seriesByOperation.get(operation);
    if (series === undefined) {
      series = createSeries(metrics, service, operation);
      seriesByOperation.set(operation, series);
    }
    return series;
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
    seriesFor(operation?.id ?? "none")(status, milliseconds / 1000);
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

/** Looks a metric's labels up once for each operation and status: that costs as much as counting. */
function createSeries({ requestCounts, requestDurations }: Metrics, service: string, operation: string) {
  const observeSeconds = requestDurations(service, operation);
  const countsByStatus: { value: number }[] = [];
  return (status: number, seconds: number): void => {
    countsByStatus[status] ??= requestCounts({ service, operation, status: String(status) });
    countsByStatus[status].value++;
    observeSeconds(seconds);
  };
}
