import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { until } from "../until.ts";
import { startBucket } from "./bucket-store.ts";
import { petstore, type ServerProcess, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { freshEmbeddedStore, type Store } from "./stores.ts";

// Tests backups to an S3 bucket whose requests fail.

const PLACE = "s3://backups/shop";
const SLOW_DOWN = () => new Response("<Error><Code>SlowDown</Code></Error>", { status: 503 });
const bucket = await startBucket();
afterAll(() => bucket.stop());

let store: Store;
beforeAll(async () => {
  store = await freshEmbeddedStore();
  await petstore(store, ["migrate"]);
  const production = new Database(join(store.dataDir, "production.sqlite"));
  // Adds so many animals that a backup is uploaded in three parts.
  production.run(`INSERT INTO pet (name, category_id)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 800)
    SELECT hex(randomblob(12500)), 1 FROM n`);
  production.close();
});
let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
  bucket.healthy();
});

const { env } = bucket;
const backUp = (...args: readonly string[]) =>
  petstore(store, ["backup", "--keep", "1", ...args, PLACE], { env });
const nothingLeft = () => {
  expect(bucket.unfinished()).toEqual([]);
  expect(readdirSync(join(store.dataDir, "sending"))).toEqual(["backups.lock"]);
};

describe("petstore backup to a bucket", () => {
  test("sends parts, and retries a part that gets a 503", async () => {
    let refused = 0;
    bucket.failing(({ query }) =>
      query.get("partNumber") === "2" && refused++ < 2 ? SLOW_DOWN() : undefined,
    );
    expect(await backUp()).toMatchObject({ code: 0 });
    expect(refused).toBe(3);
    nothingLeft();
  });

  test.each([
    ["a part is refused", { is: "partNumber", with: SLOW_DOWN, says: "SlowDown" }],
    [
      "the keys are refused",
      {
        is: "uploads",
        with: () =>
          new Response("<Error><Code>AccessDenied</Code><Message>S3RVER-very-secret</Message></Error>", {
            status: 403,
          }),
        says: "refuses access",
      },
    ],
    [
      "what answers is no such store",
      {
        is: "uploads",
        with: () => new Response("S3RVER-very-secret", { status: 200 }),
        says: "s3://backups/shop",
      },
    ],
  ])(
    "leaves nothing, keeps the last one and shows no secret when %s",
    async (_, { is, with: answer, says }) => {
      const before = await bucket.keys();
      expect(before).toHaveLength(1);
      bucket.failing(({ query }) => (query.has(is) ? answer() : undefined));
      const { code, out, err } = await backUp();
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(says);
      expect(err).not.toContain("very-secret");
      await until(() => bucket.unfinished().length === 0);
      nothingLeft();
      expect(await bucket.keys()).toEqual(before);
    },
  );

  test("removes an object whose bytes differ from those that were sent", async () => {
    const before = await bucket.keys();
    bucket.failing(({ query, body }) => {
      if (query.get("partNumber") === "2") body[1000] = (body[1000] ?? 0) ^ 1;
      return undefined;
    });
    expect(await backUp()).toMatchObject({
      code: 1,
      err: expect.stringContaining("stored only a part of what was sent"),
    });
    expect(await bucket.keys()).toEqual(before);
  });
});

describe("petstore restore from a bucket", () => {
  test("that is interrupted restores nothing, and leaves no file", async () => {
    const dataDir = join(store.dataDir, "restored");
    const restored = { dataDir, settings: { PETSTORE_DATA_DIR: dataDir } };
    bucket.failing(({ method, path }) =>
      method === "GET" && path.includes("petstore-2") ? "cut" : undefined,
    );
    const { code, err } = await petstore(restored, ["restore", PLACE], { env });
    expect([code, err]).toEqual([1, expect.stringContaining("s3://backups/shop")]);
    expect(existsSync(dataDir)).toBe(false);
    expect(readdirSync(store.dataDir).filter((name) => name.includes("download"))).toEqual([]);
  });
});

describe("a bucket that others use, or that answers unexpectedly", () => {
  const listing = (keys: readonly string[], more = "") => {
    const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`);
    return new Response(
      `<?xml version="1.0"?><ListBucketResult><Name>backups</Name><IsTruncated>${more !== ""}</IsTruncated>${more}${contents.join("")}</ListBucketResult>`,
    );
  };
  const listed = (answer: () => Response) =>
    bucket.failing(({ method, query }) =>
      method === "GET" && query.has("list-type") ? answer() : undefined,
    );
  const nameOf = (mark: string) => `petstore-20200101T000000.000Z${mark}.backup`;
  const restore = (dataDir: string, ...args: readonly string[]) =>
    petstore({ dataDir, settings: { PETSTORE_DATA_DIR: dataDir } }, ["restore", PLACE, ...args], { env });

  test("never provides another store's backup in place of this store's own", async () => {
    listed(() => listing([`shop/${nameOf("-another1")}`]));
    const { code, err } = await restore(store.dataDir, "--replace");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`Choose one of these backups: ${nameOf("-another1")}`),
    ]);
  });

  test("never provides one of several stores' backups for an empty folder, even if one was copied there", async () => {
    listed(() => listing([`shop/${nameOf("")}`, `shop/${nameOf("-another1")}`]));
    const { code, err } = await restore(join(store.dataDir, "empty"));
    expect([code, err]).toEqual([1, expect.stringContaining("backups of several stores")]);
  });

  test("never provides objects outside the prefix as backups", async () => {
    listed(() =>
      listing([`evil/${nameOf("-another1")}`, `shop/../${nameOf("-another1")}`, `shop/x/${nameOf("")}`]),
    );
    const { code, err } = await restore(join(store.dataDir, "empty"));
    expect([code, err]).toEqual([1, expect.stringContaining("There is no backup at s3://backups/shop")]);
  });

  test("whose listing never ends is refused with a clear error", async () => {
    listed(() => listing(["shop/petstore-x"], "<NextContinuationToken>same</NextContinuationToken>"));
    const { code, err } = await petstore(store, ["backup", "--list", PLACE], { env });
    expect([code, err]).toEqual([1, expect.stringContaining("contains too many objects")]);
  });

  test.each(["", "<html>S3RVER-very-secret</html>", "<ListBucketResult>", "\u0000"])(
    "whose listing is %j removes nothing, and causes an error that does not quote the response",
    async (text) => {
      const before = await bucket.keys();
      listed(() => new Response(text));
      const { code, err } = await backUp();
      expect([code, err]).toEqual([1, expect.stringContaining("older backups may not have been removed")]);
      expect(err).not.toContain("very-secret");
      bucket.healthy();
      expect(await bucket.keys()).toEqual(expect.arrayContaining(before));
    },
  );
});

test("neither a bucket that redirects nor the other address gets the backup or the session token", async () => {
  const seen: string[] = [];
  const other = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(`${request.method} ${request.headers.get("x-amz-security-token")}`);
      return new Response("", { headers: { etag: '"x"' } });
    },
  });
  const secrets: (string | null)[] = [];
  const redirecting = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      secrets.push(request.headers.get("authorization"), request.headers.get("x-amz-security-token"));
      const { pathname, search } = new URL(request.url);
      return Response.redirect(`http://127.0.0.1:${other.port}${pathname}${search}`, 307);
    },
  });
  const elsewhere = {
    ...env,
    AWS_SESSION_TOKEN: "temporary-token",
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${redirecting.port}`,
  };
  for (const args of [
    ["backup", "--keep", "1", PLACE],
    ["restore", PLACE, "--replace"],
    ["doctor", "--backup-dir", PLACE],
  ]) {
    const { code, out, err } = await petstore(store, args, { env: elsewhere });
    expect([code, `${out}${err}`]).toEqual([1, expect.stringContaining("redirects to another address")]);
  }
  expect([seen, secrets.filter((one) => one !== null)]).toEqual([[], []]);
  await Promise.all([other.stop(true), redirecting.stop(true)]);
});

describe("petstore doctor", () => {
  test.each([
    ["a wrong key", { AWS_ACCESS_KEY_ID: "unknown" }, "refuses access"],
    ["an address where nothing listens", { AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9" }, "ConnectionRefused"],
  ])("finds %s", async (_, wrong, says) => {
    const args = ["doctor", "--json", "--backup-dir", PLACE];
    const { code, out } = await petstore(store, args, { env: { ...env, ...wrong } });
    const found: { check: string }[] = JSON.parse(out);
    expect([code, found.find(({ check }) => check === "bucket")]).toMatchObject([
      1,
      { state: "fail", message: expect.stringContaining(says) },
    ]);
  });

  test("reports missing keys, as does the start", async () => {
    const refused = await petstore(store, ["serve", "--backup-dir", PLACE]);
    expect([refused.code, refused.err]).toEqual([
      2,
      "petstore: --backup-dir needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.\n",
    ]);
  });
});

describe("PETSTORE_BACKUP_DIR in a bucket", () => {
  const settings = {
    ...env,
    PETSTORE_BACKUP_DIR: PLACE,
    PETSTORE_BACKUP_EVERY: "2s",
    PETSTORE_BACKUP_KEEP: "1",
  };

  test("that cannot be reached is reported in the log and a metric, without a secret, and the next backup is made", async () => {
    bucket.failing(SLOW_DOWN);
    server = await startProcess({ store, env: settings });
    await server.logged("a backup failed; the next attempt is at the next scheduled time");
    const { body: failed } = await send("GET", server.metrics);
    expect(failed).toMatch(/petstore_backups_total\{outcome="failed"\} [1-9]/);
    bucket.healthy();
    await server.logged("a backup was made");
    const { body } = await send("GET", server.metrics);
    expect(`${body}${server.log()}`).not.toContain("very-secret");
  });

  test("makes no backup at a start soon after the last one; a stop during an upload aborts the upload", async () => {
    expect(await backUp()).toMatchObject({ code: 0 });
    const before = await bucket.keys();
    const begun = performance.now();
    const daily = await startProcess({ store, env: { ...settings, PETSTORE_BACKUP_EVERY: "1d" } });
    server = daily;
    // Waits until the metric reports a backup that is older than this process. The service has then read the backup's age from the
    // bucket.
    await until(async () => {
      const { body } = await send("GET", daily.metrics);
      const age = /^petstore_backup_age_seconds (.*)$/m.exec(body)?.[1];
      return Number(age) > (performance.now() - begun) / 1000;
    });
    expect(await server.stop()).toBe(0);
    expect([await bucket.keys(), server.log()]).toEqual([before, expect.not.stringContaining("backup")]);

    const stuck = Promise.withResolvers<void>();
    bucket.failing(({ query }) => {
      if (query.get("partNumber") === "2") stuck.resolve();
      return query.get("partNumber") === "2" ? SLOW_DOWN() : undefined;
    });
    server = await startProcess({ store, env: settings });
    await stuck.promise;
    expect(await server.stop()).toBe(0);
    await until(() => bucket.unfinished().length === 0);
    nothingLeft();
    expect(await bucket.keys()).toEqual(before);
  });
});
