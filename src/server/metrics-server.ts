import { isIP } from "node:net";
import { ERROR_STATUS } from "../errors.ts";
import { SECURITY_HEADERS } from "../http/browser-headers.ts";
import { splitTarget } from "../http/create-call.ts";
import type { Service } from "../http/service.ts";
import { isLoopbackHost, unbracketHost } from "../platform/ip-address.ts";
import type { MetricsText } from "../telemetry/metrics/metrics.ts";

/**
 * Serves the metrics for Prometheus at `/metrics`, on a separate port. There is no authentication, so by default the port can only
 * be reached from this machine.
 *
 * @param ownHost the host that the port is open on
 */
export function createMetricsServer(ownHost: string, read: () => Promise<MetricsText>): Service {
  return {
    name: "metrics",
    async fetch({ method, url, headers }) {
      if (!isOwnHost(headers.get("host"), ownHost)) return refuse("forbidden", WRONG_HOST);
      if (splitTarget(url).path !== "/metrics" || (method !== "GET" && method !== "HEAD"))
        return refuse("not_found", "This port serves only GET /metrics.");
      const { contentType, text } = await read();
      return new Response(text, { headers: { ...SECURITY_HEADERS, "Content-Type": contentType } });
    },
    drain() {},
  };
}

const WRONG_HOST =
  "This host name is not allowed for metrics. Use localhost or the IP address of this machine, or set PETSTORE_METRICS_HOST to this host name.";

/**
 * True if a request's `Host` header names this server. Without this check, a page on a hostile website could make a browser send
 * requests to this server under one of that website's names (DNS rebinding). The name in such an attack always contains a dot, and
 * is not an IP address. The name of a container usually has no dot.
 *
 * @param host the `Host` header, which browsers always send
 */
function isOwnHost(host: string | null, ownHost: string): boolean {
  if (host === null) return true;
  const name = unbracketHost(host.replace(/:\d*$/, "").toLowerCase());
  if (isLoopbackHost(name) || name === ownHost.toLowerCase()) return true;
  return !isLoopbackHost(ownHost) && (!name.includes(".") || isIP(name) !== 0);
}

function refuse(code: "forbidden" | "not_found", message: string): Response {
  const status = ERROR_STATUS[code];
  return new Response(JSON.stringify({ code, message, status }), {
    status,
    headers: { ...SECURITY_HEADERS, "Content-Type": "application/json" },
  });
}
