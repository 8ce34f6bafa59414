import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { startBucket } from "./bucket-store.ts";
import { petstore, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tests backups in a bucket of a server that is compatible with Amazon S3.

const bucket = await startBucket();
afterAll(() => bucket.stop());
const { env } = bucket;
const PLACE = "s3://backups/shop/main";

test("old backups in a bucket are removed, all other files are kept, and the newest backup is restored", async () => {
  const store = await freshEmbeddedStore();
  const key = await makeKey(store);
  const others = ["shop/main/petstore-20200101T000000.000Z-otherone.backup", "shop/main/petstore-notes.txt"];
  for (const name of others) await bucket.client.write(name, "mine");
  const made: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { code, out, err } = await petstore(store, ["backup", "--keep", "2", "--json", PLACE], { env });
    expect([code, err]).toEqual([0, ""]);
    made.push(JSON.parse(out).file);
  }
  const kept = made.slice(1).map((file) => file.slice("s3://backups/".length));
  expect((await bucket.keys()).toSorted()).toEqual([...others, ...kept].sort());
  expect(readdirSync(join(store.dataDir, "sending"))).toEqual(["backups.lock"]);

  const listed = await petstore(store, ["backup", "--list", PLACE], { env });
  expect(listed.out.trim().split("\n")).toEqual(kept.map((name) => name.slice("shop/main/".length)));
  const doctor = await petstore(store, ["doctor", "--deep", "--json", "--backup-dir", PLACE], { env });
  const findings: { check: string; state: string; message: string }[] = JSON.parse(doctor.out);
  expect(findings.filter(({ check }) => /bucket|backup/.test(check))).toMatchObject([
    { check: "bucket", state: "ok" },
    { check: "backups", state: "ok" },
    { check: "newest backup", state: "ok", message: `${made[2]} was downloaded and is intact` },
  ]);
  expect((await bucket.keys()).length).toBe(4);

  const dataDir = join(store.dataDir, "restored");
  const restored = { dataDir, settings: { PETSTORE_DATA_DIR: dataDir } };
  const refused = await petstore(restored, ["restore", PLACE], { env });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("backups of several stores")]);
  expect(existsSync(dataDir)).toBe(false);
  expect(await petstore(restored, ["restore", made[2] ?? ""], { env })).toMatchObject({ code: 0 });
  // The folder already contains a store, so `petstore restore` chooses the newest backup of that store.
  expect(await petstore(restored, ["restore", PLACE, "--replace"], { env })).toMatchObject({
    code: 0,
    err: expect.stringContaining(made[2] ?? "?"),
  });
  const server = await startProcess({ store: restored });
  expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
  await server.stop();
});

test("a server that seems to contain every file gets no backup, and the command names the setting", async () => {
  const store = await freshEmbeddedStore();
  const server = Bun.serve({ port: 0, fetch: () => new Response("Welcome") });
  const env = { ...bucket.env, AWS_ENDPOINT_URL_S3: server.url.origin };
  const { code, err } = await petstore(store, ["backup", "--keep", "2", PLACE], { env });
  expect([code, err]).toEqual([1, expect.stringContaining("Set AWS_ENDPOINT_URL_S3")]);
  await server.stop(true);
});
