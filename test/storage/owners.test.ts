import { expect, test } from "bun:test";
import { chownSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM } from "../wire/process.ts";

// Root may run petstore commands on the store of a service that runs as another user. The files must then belong to that user. If
// these tests do not run as root, they can only check that files belong to the current user.

const isRoot = process.getuid?.() === 0;
const ME = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const SERVICE = isRoot ? { uid: 31_337, gid: 31_338 } : ME;
const OTHER = isRoot ? { uid: 31_339, gid: 31_340 } : ME;

const give = (path: string, { uid, gid }: typeof ME) => chownSync(path, uid, gid);

function folderOf(owner: typeof ME): string {
  const folder = mkdtempSync(join(tmpdir(), "petstore-owned-"));
  give(folder, owner);
  return folder;
}

function run(...words: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([...PROGRAM.command, ...words], { cwd: PROGRAM.cwd });
  expect(`${words.join(" ")}: ${exitCode} ${exitCode === 0 ? "" : stderr}`).toBe(`${words.join(" ")}: 0 `);
}

/** Lists the files and folders in a folder, including the folder itself, that do not belong to the expected user and group. */
function strangersIn(folder: string, { uid, gid }: typeof ME): readonly string[] {
  return [".", ...readdirSync(folder, { recursive: true }).map(String)].flatMap((path) => {
    const stat = statSync(join(folder, path));
    return stat.uid === uid && stat.gid === gid ? [] : [`${path}: ${stat.uid}:${stat.gid}`];
  });
}

const createKey = (dataDir: string) =>
  run("keys", "create", "--environment", "production", "--data-dir", dataDir);

test("files that root creates get their folder's owner: a new store, backups, a restored store, a copy, a repaired store", () => {
  const above = folderOf(SERVICE);
  const dataDir = join(above, "new", "data");
  createKey(dataDir);
  run("migrate", "--data-dir", dataDir);
  const [file, kept] = [join(above, "one.backup"), join(above, "backups")];
  run("backup", file, "--data-dir", dataDir);
  run("backup", "--keep", "2", kept, "--data-dir", dataDir);
  run("restore", file, "--data-dir", join(above, "restored"));
  run("restore", file, "--replace", "--data-dir", join(above, "restored"));
  run("copy", "--from", `sqlite:${dataDir}`, "--to", `sqlite:${join(above, "copied")}`);
  truncateSync(join(dataDir, "staging.sqlite"), 10_000);
  run("doctor", "--accept-loss", "--data-dir", dataDir);
  expect(readdirSync(dataDir).some((name) => name.startsWith("refused-"))).toBeTrue();
  expect(strangersIn(above, SERVICE)).toEqual([]);
  rmSync(above, { recursive: true });
});

test("a restored database has the owner of the one that it replaces", () => {
  const dataDir = folderOf(SERVICE);
  createKey(dataDir);
  run("migrate", "--data-dir", dataDir);
  const file = join(folderOf(SERVICE), "backup");
  run("backup", file, "--data-dir", dataDir);
  give(join(dataDir, "production.sqlite"), OTHER);
  run("restore", file, "--replace", "--data-dir", dataDir);
  expect(statSync(join(dataDir, "production.sqlite"))).toMatchObject(OTHER);
  expect(statSync(join(dataDir, "staging.sqlite"))).toMatchObject(SERVICE);
});

test("doctor checks what the folder's owner can do", () => {
  const dataDir = folderOf(SERVICE);
  createKey(dataDir);
  const doctor = () =>
    Bun.spawnSync([...PROGRAM.command, "doctor", "--data-dir", dataDir], {
      cwd: PROGRAM.cwd,
    }).stdout.toString();
  expect(doctor()).toContain("ok    data folder");
  give(join(dataDir, "accounts.sqlite"), ME);
  if (isRoot)
    expect(doctor()).toContain(`Run: chown ${SERVICE.uid}:${SERVICE.gid} ${dataDir}/accounts.sqlite`);
});

test("a link in place of a new folder or file is not followed", () => {
  const [dataDir, elsewhere] = [folderOf(SERVICE), folderOf(ME)];
  createKey(dataDir);
  const file = join(folderOf(SERVICE), "backup");
  run("backup", file, "--data-dir", dataDir);
  symlinkSync(elsewhere, join(dataDir, "restoring"));
  symlinkSync(join(elsewhere, "staging.sqlite"), join(dataDir, "staging.sqlite"));
  run("restore", file, "--replace", "--data-dir", dataDir);
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(statSync(elsewhere)).toMatchObject(ME);
});
