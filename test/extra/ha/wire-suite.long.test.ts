import { expect, test } from "bun:test";
import { join } from "node:path";
import { SQL } from "bun";
import { freePort, startPostgres } from "../../postgres/server.ts";
import { makeStandby } from "../failover/cluster.ts";
import { startPooler } from "./pooler.ts";

test("the wire suite on PostgreSQL passes through PgBouncer in transaction mode, with reads at two standbys", async () => {
  const primary = await startPostgres();
  const pooler = await startPooler(primary.url);
  const standbys = [
    await makeStandby(primary, freePort(), primary.port),
    await makeStandby(primary, freePort(), primary.port),
  ];
  try {
    const failures = await runWireSuite({
      PETSTORE_TEST_DATABASE_URL: primary.url,
      PETSTORE_TEST_POOLER: new URL(pooler.urlOf(primary.url)).host,
      PETSTORE_TEST_REPLICAS: standbys.map(({ url }) => new URL(url).host).join(),
    });
    expect(failures).toBe("");
    for (const { url } of standbys) expect(await transactionsAt(url)).toBeGreaterThan(500);
  } finally {
    await pooler.remove();
    await Promise.all([...standbys, primary].map((server) => server.remove()));
  }
});

/** @returns the output of the tests, starting at the first failure, or an empty string if every test passed */
async function runWireSuite(env: Readonly<Record<string, string>>): Promise<string> {
  const root = join(import.meta.dir, "../../..");
  const files = [...new Bun.Glob("test/wire/*.test.ts").scanSync(root)].filter(
    (file) => !file.includes(".long."),
  );
  const flags = ["--timeout=120000", "--no-isolate", "-t", "on PostgreSQL"];
  const tests = Bun.spawn([process.execPath, "test", ...flags, ...files.map((file) => `./${file}`)], {
    cwd: root,
    env: { ...process.env, PETSTORE_TEST_POSTGRES: "", ...env },
    stdout: "ignore",
    stderr: "pipe",
  });
  const [code, log] = await Promise.all([tests.exited, new Response(tests.stderr).text()]);
  const passed = Number(/^ *(\d+) pass$/m.exec(log)?.[1]);
  return code === 0 && passed > 100 ? "" : log.slice(Math.max(0, log.search(/^\(fail\)|^error/m)));
}

/** Returns the number of transactions that a server has committed. On a standby, each statement is one transaction. */
async function transactionsAt(url: string): Promise<number> {
  const sql = new SQL(url, { max: 1 });
  const [{ count }] = await sql`SELECT sum(xact_commit)::int AS count FROM pg_stat_database`;
  await sql.close();
  return count;
}
