import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { petstore } from "../../wire/process.ts";
import { type Cluster, startCluster } from "./cluster.ts";

let cluster: Cluster;
let admin: SQL;
beforeAll(async () => {
  cluster = await startCluster();
  admin = new SQL(cluster.primary().url, { max: 1 });
});
afterAll(async () => {
  await admin.close();
  await cluster.remove();
});

/** Applies settings for synchronous replication to the primary, and returns what `petstore doctor` says about them. */
async function replication(required: string, commits: string) {
  await admin.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${required}'`);
  await admin.unsafe(`ALTER SYSTEM SET synchronous_commit = '${commits}'`);
  await admin.unsafe("SELECT pg_reload_conf()");
  const isApplied = async () =>
    (await admin.unsafe("SHOW synchronous_commit"))[0].synchronous_commit === commits;
  while (!(await isApplied()));
  const { out } = await petstore({ dataDir: "", settings: { PETSTORE_DATABASE_URL: cluster.hosts } }, [
    "doctor",
    "--json",
  ]);
  const { state, message, advice } = JSON.parse(out).find(
    ({ check }: { check: string }) => check === "replication",
  );
  return `${state}: ${message}. ${advice ?? ""}`;
}

test("petstore doctor names a primary that acknowledges changes which no standby has", async () => {
  const at = `127.0.0.1:${cluster.primary().port}`;
  expect(await replication("standby", "on")).toBe(
    `ok: ${at} acknowledges a change only when standby has stored it too (1 of 1 connected). `,
  );
  const alone = `warn: ${at} acknowledges changes before a standby has them, so a failover would lose those changes. Set synchronous_standby_names and synchronous_commit=on on this server (docs/guides/scale).`;
  expect(await replication("", "on")).toBe(alone);
  expect(await replication("standby", "local")).toBe(alone);
  expect(await replication("standby", "off")).toStartWith(
    `warn: ${at} acknowledges changes that are not on its disk`,
  );
  await cluster.standby().kill();
  while ((await admin`SELECT FROM pg_stat_replication`).length > 0);
  expect(await replication("standby", "on")).toBe(
    `fail: ${at} waits for standby, and no standby is connected, so every change is refused with 503. Connect a standby.`,
  );
  await admin.unsafe("ALTER SYSTEM SET synchronous_standby_names = ''");
});
