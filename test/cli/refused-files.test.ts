import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/config.ts";
import { migrateAll } from "../../src/storage/open.ts";
import { petstore } from "../wire/process.ts";
import { makeKey } from "../wire/server.ts";
import { environment, freshEmbeddedStore, type Store } from "../wire/stores.ts";
import { UNPRIVILEGED } from "./unprivileged.ts";

// If the user has no permission to use a file or folder, the command must name it and say what to do.

const DO =
  "Run the command as the owner of this file or folder, or change the owner or the permissions (chown, chmod).";
const may = (what: string) => `this user (uid ${process.getuid?.()}) may not ${what}`;

const folder = mkdtempSync(join(tmpdir(), "petstore-refused-"));
const at = (...parts: readonly string[]) => join(folder, ...parts);
const closed: string[] = [];
let store: Store;
let key: string;

beforeAll(async () => {
  store = await freshEmbeddedStore();
  key = await makeKey(store);
  await migrateAll(loadConfig({}, environment(store)));
  await petstore(store, ["backup", at("sound.backup")]);
  mkdirSync(at("config", "petstore"), { recursive: true });
  for (const name of ["unreadable", "config/petstore/credentials.json"]) writeFileSync(at(name), "{}");
  for (const name of ["closed", "unlisted", "unwritable"]) mkdirSync(at(name));
  close(at("closed"), 0);
  close(at("unlisted"), 0o300);
  close(at("unwritable"), 0o500);
  close(at("unreadable"), 0);
  close(at("config", "petstore", "credentials.json"), 0o200);
});
afterAll(() => {
  for (const path of closed) chmodSync(path, 0o700);
});

function close(path: string, mode: number): void {
  chmodSync(path, mode);
  closed.push(path);
}

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  petstore(store, args, { program: UNPRIVILEGED, env: { HOME: folder, ...env } });

const CASES: readonly (readonly [args: readonly string[], says: string])[] = [
  [
    ["serve", "--data-dir", at("closed", "data")],
    `cannot be created: ${may(`enter the folder ${at("closed")}`)}`,
  ],
  [
    ["keys", "create", "--environment", "staging", "--data-dir", at("closed")],
    `enter the folder ${at("closed")}`,
  ],
  [["keys", "list", "--data-dir", at("closed")], `enter the folder ${at("closed")}`],
  [["migrate", "--status", "--data-dir", at("closed")], `enter the folder ${at("closed")}`],
  [["backup", at("closed", "one")], `enter the folder ${at("closed")}`],
  [["backup", at("unwritable", "one")], `write to the folder ${at("unwritable")}`],
  [["backup", "--keep", "3", at("unlisted")], `${at("unlisted")} cannot be read: ${may("read it")}`],
  [
    ["restore", at("unreadable"), "--data-dir", at("new")],
    `${at("unreadable")} cannot be read: ${may("read it")}`,
  ],
  [
    ["restore", at("sound.backup"), "--data-dir", at("unwritable", "new")],
    `write to the folder ${at("unwritable")}`,
  ],
  [["pets", "import", at("unreadable")], `${at("unreadable")} cannot be opened: ${may("read it")}`],
  [["pets", "list"], `${at("config", "petstore", "credentials.json")} cannot be opened: ${may("read it")}`],
];

for (const [args, says] of CASES)
  test(`petstore ${args.join(" ").replaceAll(folder, "…")} is refused in a sentence`, async () => {
    const isImport = args.includes("import");
    const { code, out, err } = await run(args, {
      XDG_CONFIG_HOME: at("config"),
      ...(isImport && { PETSTORE_KEY: key, PETSTORE_URL: "http://127.0.0.1:9/v1" }),
    });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^petstore: (The data folder )?\//);
    expect(err).toContain(says);
    expect(err).toEndWith(`. ${DO}\n`);
  });

test("petstore backup --keep reports a folder that the user may not write to", async () => {
  const { code, err } = await run(["backup", "--keep", "3", at("unwritable")]);
  const reason = "it cannot be opened for writing; check the permissions of the file and its folder";
  expect([code, err]).toEqual([1, `petstore: No backup can be written to ${at("unwritable")}: ${reason}.\n`]);
});

test("petstore doctor finds a data folder and a folder of backups that it may not use, and no other fault", async () => {
  const findings = async (...args: readonly string[]) =>
    JSON.parse((await run(["doctor", "--json", ...args])).out).filter(
      ({ state }: { state: string }) => state !== "ok",
    );
  expect(await findings("--deep", "--data-dir", at("closed", "data"))).toEqual([
    {
      check: "data folder",
      state: "fail",
      message: `${at("closed", "data")} cannot be read: ${may(`enter the folder ${at("closed")}`)}`,
      advice: DO,
    },
  ]);
  expect(await findings("--backup-dir", at("unlisted"))).toMatchObject([
    { check: "backups", state: "fail", message: `${at("unlisted")} cannot be read: ${may("read it")}` },
  ]);
});

test("a secret's file that may not be read is named with its variable", async () => {
  const { code, err } = await run(["serve"], { PETSTORE_DATABASE_URL_FILE: at("unreadable") });
  const reason = `which cannot be read: ${may("read it")}. ${DO}`;
  expect([code, err]).toEqual([
    2,
    `petstore: PETSTORE_DATABASE_URL_FILE names ${at("unreadable")}, ${reason}\n`,
  ]);
});
