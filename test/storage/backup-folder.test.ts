import { beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/config.ts";
import { backUpIntoFolder, backupsInFolder } from "../../src/storage/backup/backup-folder.ts";
import { newestAmong } from "../../src/storage/backup/backup-names.ts";
import { migrateAll } from "../../src/storage/open.ts";
import { environment, freshEmbeddedStore, type Store } from "../wire/stores.ts";

// The name of a backup contains the time at which it was made. In these tests, the clock of the machine is wrong.

const NOW = Date.UTC(2026, 10, 28, 12);
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

let store: Store;
beforeAll(async () => {
  store = await freshEmbeddedStore();
  await migrateAll(loadConfig({}, environment(store)));
});

/** Makes one backup after another in a new folder. Before each backup, sets the clock to one of the given times. */
async function backedUpAt(...times: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), "petstore-backups-"));
  const made: string[] = [];
  for (const startedAt of times) {
    const origin = { program: "1.0.0", startedAt };
    const { file } = await backUpIntoFolder({
      dataDir: store.dataDir,
      folder,
      keep: 3,
      origin,
      onProgress: () => {},
    });
    made.push(file);
  }
  const kept = readdirSync(folder).filter((name) => name.endsWith(".backup"));
  return {
    folder,
    kept: made.flatMap((file, index) => (kept.includes(file.slice(folder.length + 1)) ? [index] : [])),
  };
}

test("backups of a clock that was ahead are removed before all others, once it is right", async () => {
  const ahead = [0, 1, 2].map((hour) => NOW + 2 * YEAR + hour * HOUR);
  expect((await backedUpAt(...ahead, NOW)).kept).toEqual([1, 2, 3]);
  expect((await backedUpAt(...ahead, NOW, NOW + HOUR, NOW + 2 * HOUR)).kept).toEqual([3, 4, 5]);
});

test("a clock that falls behind the last backup removes the ones before it in the order of their making", async () => {
  const right = [0, 1, 2].map((hour) => NOW + hour * HOUR);
  expect((await backedUpAt(...right, NOW - YEAR, NOW - YEAR + HOUR)).kept).toEqual([2, 3, 4]);
  // Once the clock is right again, new backups do not replace the existing ones.
  expect((await backedUpAt(...right, NOW - YEAR, NOW + 3 * HOUR)).kept).toEqual([1, 2, 4]);
});

test("a backup made when the clock shows the same time again overwrites nothing", async () => {
  expect((await backedUpAt(NOW, NOW, NOW)).kept).toEqual([0, 1, 2]);
});

test("the newest backup is the latest whose time has come", async () => {
  const { folder } = await backedUpAt(NOW - HOUR, NOW, NOW + 2 * YEAR);
  expect(newestAmong(await backupsInFolder(folder, NOW + 1))).toMatchObject({ time: NOW, ahead: 1 });
  expect(newestAmong(await backupsInFolder(folder, NOW - 2 * HOUR))).toMatchObject({
    time: undefined,
    ahead: 3,
  });
  expect(newestAmong(await backupsInFolder(join(folder, "none"), NOW))).toMatchObject({
    time: undefined,
    ahead: 0,
  });
});
