import { unavailable } from "../errors.ts";
import { type Database, noRows, type Statement, statement } from "../storage/database.ts";
import { jsonResponse, type ResponseData } from "./response.ts";
import type { StaticPage } from "./static/page.ts";

const selectOne: Statement<[], undefined> = statement("SELECT 1 AS one", noRows);

/** Liveness: the process answers. */
export const healthPage: StaticPage = {
  path: "/healthz",
  respond: async () => jsonResponse({ status: "ok" }),
};

/** Readiness: the database answers and the service is not draining; 503 `unavailable` otherwise. */
export function readyPage(database: Database, isDraining: () => boolean): StaticPage {
  async function respond(): Promise<ResponseData> {
    if (isDraining()) throw unavailable("The service is about to stop.");
    await database.read(selectOne, []);
    return jsonResponse({ status: "ready" });
  }
  return { path: "/readyz", respond };
}
