import { expect, test } from "bun:test";
import { SQL } from "bun";
import { freePort, startPostgres } from "../../postgres/server.ts";
import { makeStandby } from "./cluster.ts";
import { runWireSuite } from "./wire-suite.ts";

test("the wire suite on PostgreSQL passes with reads at two standbys", async () => {
  const primary = await startPostgres();
  const standbys = [
    await makeStandby(primary, freePort(), primary.port),
    await makeStandby(primary, freePort(), primary.port),
  ];
  try {
    const failures = await runWireSuite({
      PETSTORE_TEST_DATABASE_URL: primary.url,
      PETSTORE_TEST_REPLICAS: standbys.map(({ url }) => new URL(url).host).join(),
    });
    expect(failures).toBe("");
    for (const { url } of standbys) expect(await statementsAt(url)).toBeGreaterThan(500);
  } finally {
    await Promise.all([...standbys, primary].map((server) => server.remove()));
  }
});

/** How many transactions a server has had; on a standby, each statement is one. */
async function statementsAt(url: string): Promise<number> {
  const sql = new SQL(url, { max: 1 });
  const [{ count }] = await sql`SELECT sum(xact_commit)::int AS count FROM pg_stat_database`;
  await sql.close();
  return count;
}
