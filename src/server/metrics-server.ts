import { ERROR_STATUS } from "../errors.ts";
import { splitTarget } from "../http/request-context.ts";
import { SECURITY_HEADERS } from "../http/security-headers.ts";
import type { Service } from "../http/service.ts";
import type { MetricsText } from "../telemetry/metrics/metrics.ts";

/** Metrics for Prometheus at `/metrics`, on a listener of their own. It has no authentication, so it binds to loopback. */
export function createMetricsServer(read: () => Promise<MetricsText>): Service {
  return {
    name: "metrics",
    async fetch({ method, url }) {
      if (splitTarget(url).path !== "/metrics" || (method !== "GET" && method !== "HEAD")) return notFound();
      const { contentType, text } = await read();
      return new Response(text, { headers: { ...SECURITY_HEADERS, "Content-Type": contentType } });
    },
    drain() {},
  };
}

function notFound(): Response {
  const status = ERROR_STATUS.not_found;
  return new Response(
    JSON.stringify({ code: "not_found", message: "This listener serves GET /metrics only.", status }),
    {
      status,
      headers: { ...SECURITY_HEADERS, "Content-Type": "application/json" },
    },
  );
}
