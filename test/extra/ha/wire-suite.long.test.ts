import { expect, test } from "bun:test";
import { startPostgres } from "../../postgres/server.ts";
import { runWireSuite } from "../failover/wire-suite.ts";
import { startPooler } from "./pooler.ts";

test("the wire suite on PostgreSQL passes through PgBouncer in transaction mode", async () => {
  const postgres = await startPostgres();
  const pooler = await startPooler(postgres.url);
  try {
    const failures = await runWireSuite({
      PETSTORE_TEST_DATABASE_URL: postgres.url,
      PETSTORE_TEST_POOLER: new URL(pooler.urlOf(postgres.url)).host,
    });
    expect(failures).toBe("");
  } finally {
    await pooler.remove();
    await postgres.remove();
  }
});
