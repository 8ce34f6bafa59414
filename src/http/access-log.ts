import type { Operation } from "../contract/operation.ts";
import type { KeyActivity } from "../keys/key-activity.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import { traceIdOf } from "../telemetry/traceparent.ts";
import type { Call } from "./call.ts";
import { loggedPath } from "./logged-path.ts";

export interface AccessLogOptions {
  readonly name: string;
  /** Path prefix of the endpoints that programs call. */
  readonly basePath: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly keyActivity: Pick<KeyActivity, "touch" | "callDeprecated" | "addRequest">;
}

export function createAccessLog(options: AccessLogOptions) {
  const { name: service, basePath, log, metrics, keyActivity } = options;
  const seriesByOperation: Record<string, ReturnType<typeof createSeries>> = {};

  return function observe(call: Call, status: number, milliseconds: number) {
    const { requestId, now, request, sent, operation, actor, traceparent, simulated, errorCode } = call;
    const keyActor = actor?.kind === "key" ? actor : undefined;
    const id = operation?.id ?? "none";
    seriesByOperation[id] ??= createSeries(metrics, service, basePath, operation);
    const { route, count } = seriesByOperation[id];
    // Counts a simulated error separately, because the request was not executed, and the service has not failed. After a simulated
    // delay or a simulated loss of the response, only the status is counted: the status is real, but the duration is not.
    if (simulated === "error") count("simulated");
    else if (simulated !== undefined) count(status);
    else count(status, milliseconds / 1000);
    if (keyActor !== undefined) keyActivity.touch(keyActor.keyId, now);
    if (operation?.deprecation !== undefined) {
      metrics.countDeprecated(service, operation.id, keyActor);
      if (keyActor !== undefined) keyActivity.callDeprecated(keyActor.keyId, operation.id, now);
    }
    const line = {
      now,
      requestId,
      service,
      method: request.method,
      path: loggedPath(sent),
      route,
      operation: operation?.id,
      status,
      code: errorCode,
      durationMs: milliseconds,
      keyId: keyActor?.keyId,
      accountId: actor?.kind === "session" ? actor.accountId : undefined,
      traceId: traceIdOf(traceparent),
      simulated: simulated === undefined ? undefined : true,
    };
    log.request(line);
    if (keyActor !== undefined && simulated !== "error") keyActivity.addRequest(keyActor.keyId, line);
  };
}

/** Caches the label sets of the metrics by operation and status, because each lookup costs as much as incrementing the metric. */
function createSeries(
  { requestCounts, requestDurations }: Metrics,
  service: string,
  basePath: string,
  operation: Operation | undefined,
) {
  const labels = { service, operation: operation?.id ?? "none" };
  const observeDuration = requestDurations(labels);
  const countsByStatus: Record<number | string, { value: number }> = {};
  return {
    route: operation === undefined ? "" : basePath + operation.path,
    count(status: number | "simulated", seconds?: number) {
      countsByStatus[status] ??= requestCounts({ ...labels, status: String(status) });
      countsByStatus[status].value++;
      if (seconds !== undefined) observeDuration(seconds);
    },
  };
}
