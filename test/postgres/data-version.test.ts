import { expect, test } from "bun:test";
import { SQL } from "bun";
import { openDatabase } from "../../src/storage/open.ts";
import { until } from "../until.ts";
import { startPostgres } from "./server.ts";

test("after a crash the version differs, although the identifier of a lost transaction is assigned again", async () => {
  const server = await startPostgres();
  const admin = new SQL(server.url, { max: 1 });
  // With these settings, PostgreSQL keeps the write-ahead log in memory, so that a crash loses it: the log is not flushed for 10 s,
  // and autovacuum makes no commit that would flush it.
  for (const setting of ["wal_writer_delay = '10s'", "autovacuum = off"])
    await admin.unsafe(`ALTER SYSTEM SET ${setting}`);
  await admin.unsafe("SELECT pg_reload_conf()");
  const database = await openDatabase("production", { dataDir: "", databaseUrl: server.url });
  try {
    // The first write to a schema causes an additional transaction, so the test makes one before it measures.
    await database.wholeTables.setNextId("pet", 5n);
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
