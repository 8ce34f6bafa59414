import { unavailable } from "../errors.ts";
import { RETRY_AFTER_SECONDS } from "../limits.ts";
import { type Database, noRows, type Statement, statement } from "../storage/database.ts";
import { jsonResponse, type ResponseData } from "./response.ts";
import type { StaticPage } from "./static/page.ts";

const selectOne: Statement<[], undefined> = statement("SELECT 1 AS one", noRows);

/** The process is alive: it answers. */
export const healthPage: StaticPage = {
  path: "/healthz",
  respond: async () => jsonResponse({ status: "ok" }),
};

/** The service can do its work: its data answers, and it is not about to stop. 503 `unavailable` otherwise. */
export function readyPage(database: Database, isDraining: () => boolean): StaticPage {
  async function respond(): Promise<ResponseData> {
    if (isDraining()) throw unavailable("The service is about to stop.", RETRY_AFTER_SECONDS);
    await database.read(selectOne, []);
    return jsonResponse({ status: "ready" });
  }
  return { path: "/readyz", respond };
}
