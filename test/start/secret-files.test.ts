import { afterAll, expect, test } from "bun:test";
import { chmod, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRemoteSettings } from "../../src/config/environment.ts";
import { loadConfig } from "../../src/config.ts";

const folder = await mkdtemp(join(tmpdir(), "petstore-secrets-"));
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, text: string) {
  await Bun.write(join(folder, name), text);
  return join(folder, name);
}

test("a secret is read from the file that its variable names; a flag takes precedence, and the variable itself is refused", async () => {
  const url = "postgres://petstore:pässword@db/petstore";
  const PETSTORE_DATABASE_URL_FILE = await write("url", `${url}\r\n`);
  expect(loadConfig({}, { PETSTORE_DATABASE_URL_FILE }).databaseUrl).toBe(url);
  const PETSTORE_DATABASE_URL = "postgres://b/x";
  const flags = { databaseUrl: PETSTORE_DATABASE_URL };
  expect(loadConfig(flags, { PETSTORE_DATABASE_URL_FILE }).databaseUrl).toBe(PETSTORE_DATABASE_URL);
  expect(() => loadConfig({}, { PETSTORE_DATABASE_URL_FILE, PETSTORE_DATABASE_URL })).toThrow(
    /^PETSTORE_DATABASE_URL and PETSTORE_DATABASE_URL_FILE are both set\. Unset one of them\.$/,
  );
  const PETSTORE_KEY_FILE = await write("key", "pet_live_x\n");
  expect(readRemoteSettings({ PETSTORE_KEY_FILE }).key).toBe("pet_live_x");
  // Only secret settings can be read from a file. For other settings, petstore ignores a variable named `…_FILE`, because it may
  // belong to somebody's script.
  expect(loadConfig({}, { PETSTORE_HOST_FILE: "/nowhere" }).host).toBe("127.0.0.1");
});

test("a secret's file that has no valid value is refused, without waiting for it and without its content", async () => {
  const PETSTORE_MESSAGES_WEBHOOK_SECRET_FILE = await write("short", "whsec_secret");
  expect(() => loadConfig({}, { PETSTORE_MESSAGES_WEBHOOK_SECRET_FILE })).toThrow(
    /^PETSTORE_MESSAGES_WEBHOOK_SECRET must be whsec_ followed by 24 to 64 bytes in base64\.$/,
  );
  Bun.spawnSync(["mkfifo", `${folder}/fifo`]);
  for (const [path, fault] of [
    [await write("empty", "\n"), "is empty"],
    [`${folder}/none`, `cannot be read: it does not exist`],
    [await write("large", "x".repeat(65_537)), "is larger than 65536 bytes"],
    [folder, "is not a regular file"],
    [`${folder}/fifo`, "is not a regular file"],
    ["/dev/null", "is not a regular file"],
  ] as const)
    expect(() => loadConfig({}, { PETSTORE_DATABASE_URL_FILE: path })).toThrow(
      `PETSTORE_DATABASE_URL_FILE names ${path}, which ${fault}.`,
    );
});

test.if(process.platform === "linux")(
  "a secret's file that others can read is a warning, also behind a symbolic link, but not on a read-only mount",
  async () => {
    await write("target", "postgres://a/x");
    await symlink("target", `${folder}/..data`);
    const PETSTORE_DATABASE_URL_FILE = `${folder}/..data`;
    const warnings = () => loadConfig({}, { PETSTORE_DATABASE_URL_FILE }).warnings;
    await chmod(`${folder}/target`, 0o640);
    expect(warnings()).toEqual([]);
    await chmod(`${folder}/target`, 0o444);
    expect(warnings()).toEqual([
      `Other users of this machine can read or change ${folder}/..data, the file that PETSTORE_DATABASE_URL_FILE names. Run chmod 600 on this file.`,
    ]);
    const config = `${import.meta.dir}/../../src/config.ts`;
    const print = `console.log((await import("${config}")).loadConfig({}).warnings.length)`;
    function inMounts(...command: string[]) {
      const script = `mount --bind ${folder} ${folder} && mount -o remount,bind,$0 ${folder} && "$@"`;
      const unshare = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, ...command];
      return Bun.spawnSync(unshare, { env: { PATH: "/usr/bin:/bin", PETSTORE_DATABASE_URL_FILE } });
    }
    // Some containers do not allow mounts. The test is then skipped.
    if (!inMounts("ro", "true").success) return;
    for (const [mode, count] of Object.entries({ ro: 0, rw: 1 }))
      expect(inMounts(mode, process.execPath, "-e", print).stdout.toString()).toBe(`${count}\n`);
  },
);
