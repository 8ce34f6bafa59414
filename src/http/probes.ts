import { unavailable } from "../errors.ts";
import { RETRY_AFTER_SECONDS } from "../limits.ts";
import { type Database, nothing, type Statement } from "../storage/database.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import type { OpenPage } from "./open-page.ts";

const selectOne: Statement<undefined> = { sql: "SELECT 1 AS one", decode: nothing };

/** The process is alive: it answers. */
export const healthPage: OpenPage = { path: "/healthz", answer: async () => jsonAnswer({ status: "ok" }) };

/** The service can do its work: its data answers, and it is not about to stop. 503 `unavailable` otherwise. */
export function readyPage(database: Database, isDraining: () => boolean): OpenPage {
  async function answer(): Promise<Answer> {
    if (isDraining()) throw unavailable("The service is about to stop.", RETRY_AFTER_SECONDS);
    await database.read(selectOne);
    return jsonAnswer({ status: "ready" });
  }
  return { path: "/readyz", answer };
}
