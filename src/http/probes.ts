import { unavailable } from "../errors.ts";
import { jsonResponse, type ResponseData } from "./response.ts";
import type { StaticPage } from "./static/page.ts";

/** Liveness: the process answers. */
export const healthPage: StaticPage = {
  path: "/healthz",
  respond: async () => jsonResponse({ status: "ok" }),
};

/** Readiness: what the service needs passes its checks, and it is not draining; 503 `unavailable` otherwise. */
export function readyPage(checks: readonly (() => Promise<void>)[], isDraining: () => boolean): StaticPage {
  async function respond(): Promise<ResponseData> {
    if (isDraining()) throw unavailable("The service is about to stop.");
    for (const check of checks) await check();
    return jsonResponse({ status: "ready" });
  }
  return { path: "/readyz", respond };
}
