import { Hono } from "hono";
import { ERROR_STATUS } from "../errors.ts";
import { SECURITY_HEADERS } from "../http/security-headers.ts";
import type { Service } from "../http/service.ts";
import type { MetricsText } from "../telemetry/metrics/metrics.ts";

/** The operators' own listener: metrics for Prometheus at `/metrics`. It asks for no key, so it listens on loopback. */
export function createMetricsServer(read: () => Promise<MetricsText>): Service {
  const router = new Hono();
  router.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value);
  });
  router.get("/metrics", async (c) => {
    const { contentType, text } = await read();
    c.header("Content-Type", contentType);
    return c.body(text);
  });
  router.notFound((c) => {
    const status = ERROR_STATUS.not_found;
    return c.json({ code: "not_found", message: "There is only /metrics here.", status }, status);
  });
  return { name: "operations", fetch: async (request) => router.fetch(request), drain() {} };
}
