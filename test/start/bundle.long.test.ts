import { beforeEach, describe, expect, test } from "bun:test";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { expectPages } from "../wire/pages.ts";
import { outcomeOf, startProcess } from "../wire/process.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// The bundle that npm ci makes, and the conditions under which bin/petstore.js runs it.

const SOURCES = [
  "bin",
  "scripts",
  "src",
  "client",
  "exact-json",
  "docs/guides",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
];
const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
let folder: string;
/** Copies the project without a bundle. */
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "petstore-bundle-")));
  for (const path of SOURCES) cpSync(join(PROJECT, path), join(folder, path), { recursive: true });
  linkPackages(join(PROJECT, "node_modules"), join(folder, "node_modules"));
  return () => rmSync(folder, { recursive: true });
});

/** Links the packages, and copies npm's list of them. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from))
    if (!name.startsWith(".")) symlinkSync(join(from, name), join(to, name));
  cpSync(join(from, ".package-lock.json"), join(to, ".package-lock.json"));
}

const run = (...command: readonly string[]) =>
  outcomeOf(Bun.spawn([...command], { cwd: folder, stdout: "pipe", stderr: "pipe" }));
const printVersion = async (): Promise<string> =>
  (await run("node", join(folder, "bin/petstore.js"), "--version")).out.trim();

async function makeBundle(): Promise<void> {
  expect(await run(process.execPath, "scripts/build-program.ts")).toEqual({ code: 0, out: "", err: "" });
}

/** Makes a valid bundle that prints `the bundle`. */
async function makeTellingBundle(): Promise<void> {
  await makeBundle();
  const path = "dist/program/petstore.js";
  writeFileSync(join(folder, path), 'console.log("the bundle")');
  const list = join(folder, "dist/program/inputs.json");
  const { states, ...rest } = await Bun.file(list).json();
  const { stateOf } = await import(join(folder, "bin/bundle.js"));
  writeFileSync(list, JSON.stringify({ ...rest, states: { ...states, [path]: stateOf(path) } }));
}

test("without a bundle the sources run", async () => {
  expect(await printVersion()).toBe(version);
}, 60_000);

test("an install succeeds where no bundle can be written", async () => {
  writeFileSync(join(folder, "dist"), "");
  const { code, err } = await run(process.execPath, "scripts/build-program.ts");
  expect([code, err]).toEqual([
    0,
    expect.stringContaining("No bundle was made, and the sources run: EEXIST"),
  ]);
  expect(await printVersion()).toBe(version);
}, 60_000);

test("the service and its pages come from the bundle as from the sources", async () => {
  await makeBundle();
  const store = await freshEmbeddedStore();
  const server = await startProcess({
    store,
    program: { command: ["node", join(folder, "bin/petstore.js")], cwd: folder },
  });
  try {
    await expectPages(new URL(server.production).origin);
  } finally {
    expect(await server.stop()).toBe(0);
  }
}, 120_000);

describe("a bundle", () => {
  beforeEach(makeTellingBundle);

  test("runs while nothing has changed", async () => {
    expect(await printVersion()).toBe("the bundle");
  }, 60_000);

  test.each(["src/limits.ts", "package.json"])(
    "does not run once %s is another file of the same size and time",
    async (path) => {
      const file = join(folder, path);
      const { atime, mtime } = statSync(file);
      writeFileSync(file, readFileSync(file));
      utimesSync(file, atime, mtime);
      expect(await printVersion()).toBe(version);
    },
    60_000,
  );

  test.each(["petstore.js", "petstore.js.jsc"])(
    "does not run once its %s is empty, as after a power failure, or gone",
    async (name) => {
      const file = join(folder, "dist/program", name);
      writeFileSync(file, "");
      expect(await printVersion()).toBe(version);
      rmSync(file);
      expect(await printVersion()).toBe(version);
    },
    60_000,
  );

  test("does not run once npm has installed other packages, or removed them", async () => {
    const list = join(folder, "node_modules/.package-lock.json");
    writeFileSync(list, readFileSync(list));
    expect(await printVersion()).toBe(version);
    rmSync(list);
    expect(await printVersion()).toBe(version);
  }, 60_000);

  test("does not run in a copy of the project, or where that has moved", async () => {
    const moved = `${folder}-moved`;
    renameSync(folder, moved);
    const { out } = await outcomeOf(
      Bun.spawn(["node", join(moved, "bin/petstore.js"), "--version"], { stdout: "pipe", stderr: "pipe" }),
    );
    renameSync(moved, folder);
    expect(out.trim()).toBe(version);
  }, 60_000);

  test("is removed by a build that meets a source of this moment", async () => {
    // The preload changes the source after the start of the build.
    const preload = ["--preload", join(import.meta.dir, "touch-source.ts")];
    const { code, err } = await run(process.execPath, ...preload, "scripts/build-program.ts");
    expect([code, err]).toEqual([
      0,
      "No bundle was made, and the sources run: src/limits.ts has changed meanwhile.\n",
    ]);
    expect(await printVersion()).toBe(version);
  }, 60_000);
});
