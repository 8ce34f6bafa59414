import { expect, test } from "bun:test";
import { SQL } from "bun";
import { openDatabase } from "../../src/storage/open.ts";
import { until } from "../until.ts";
import { startPostgres } from "./server.ts";

test("after a crash the version differs, although the identifier of a lost transaction is assigned again", async () => {
  // Autovacuum is off, because its commits would flush the write-ahead log.
  const server = await startPostgres({ settings: ["autovacuum=off"] });
  const admin = new SQL(server.url, { max: 1 });
  const database = await openDatabase("production", { dataDir: "", databaseUrl: server.url });
  try {
    // The first write to a schema causes an additional transaction, so the test makes one before it measures.
    await database.wholeTables.setNextId("pet", 5n);
    // While the process that flushes the log is suspended, PostgreSQL keeps the log in memory, so that a crash loses it.
    const [writer] = await admin`SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'`;
    process.kill(writer.pid, "SIGSTOP");
    await admin.unsafe("BEGIN; SELECT pg_current_xact_id(); ROLLBACK");
    const before = String(await database.versions.current());
    await server.kill();
    await server.start();
    await until(
      async () => (await database.wholeTables.setNextId("pet", 7n).catch(() => "lost")) === undefined,
    );
    const after = String(await database.versions.current());
    const snapshotOf = (version: string) => version.split(" ")[0];
    expect(snapshotOf(after)).toBe(snapshotOf(before));
    expect(after).not.toBe(before);
  } finally {
    await database.close();
    await admin.close({ timeout: 0 });
    await server.remove();
  }
});
