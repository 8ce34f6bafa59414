import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { GUIDES, LINKED_FILES } from "../../src/site/guides/guides.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import {
  CLIENT_PARTS,
  COMPILER,
  copyProject,
  installClient,
  installServer,
  PROJECT,
  RUNTIME,
  run,
} from "./installed.ts";

// Files that `npm pack` packs of server and client, and that npm's `prepare` and `prepack` build.

describe("the server's package", () => {
  let project: string;
  let installed: string;
  beforeAll(async () => {
    project = await installServer();
    installed = join(project, "node_modules/petstore");
  });

  test("holds what runs: the program, its pages and the client; no tests, and nothing of how it is made", async () => {
    const files = [...new Bun.Glob("**").scanSync({ cwd: installed })];
    for (const needed of [
      "bin/petstore.js",
      "src/main.ts",
      "src/console/web/main.tsx",
      ...new Bun.Glob("src/storage/migrations/**/*.sql").scanSync(PROJECT),
      "openapi/petstore.json",
      "client/src/client.ts",
      "LICENSE",
      ...GUIDES.map(({ file }) => file),
      ...LINKED_FILES,
    ])
      expect(files).toContain(needed);
    expect(
      files.filter((path) => /\.test\.ts$|^(test|scripts|bench|decisions|client\/dist)\//.test(path)),
    ).toEqual([]);
  });

  test("runs from where npm puts it: it makes a key, and bundles the console's page", async () => {
    const { dataDir } = await freshEmbeddedStore();
    const program = join(installed, "bin/petstore.js");
    const key = await run(
      project,
      ...["node", program, "keys", "create", "--environment", "staging", "--data-dir", dataDir],
    );
    expect(key).toStartWith("pet_test_");
    const page = `import { consolePages } from ${JSON.stringify(join(installed, "src/console/page.ts"))};
      console.log(String((await consolePages("production")[0].respond()).body));`;
    expect(await run(project, process.execPath, "-e", page)).toMatch(/\/console-.{10}\.js"/);
    const guides = `import { loadGuides } from ${JSON.stringify(join(installed, "src/site/guides/guide-files.ts"))};
      console.log(Object.keys(await loadGuides()).length);`;
    expect(await run(project, process.execPath, "-e", guides)).toBe(`${GUIDES.length}\n`);
  });
});

describe("the client's package", () => {
  let project: string;
  let packed: string;
  let added: string;
  let installed: string;
  beforeAll(async () => {
    ({ project, packed, added } = await installClient());
    installed = join(project, "node_modules/@petstore/client");
  });

  test("is the one package that installing it adds: no Bun, no dependencies, and nothing runs at the install", async () => {
    expect(added).toMatch(/^added 1 package in /m);
    expect(readdirSync(join(project, "node_modules")).sort()).toEqual([".package-lock.json", "@petstore"]);
    expect(readdirSync(join(project, "node_modules/@petstore"))).toEqual(["client"]);
    const { scripts, ...rest } = await Bun.file(join(installed, "package.json")).json();
    expect(Object.keys(scripts)).toEqual(["prepack"]);
    expect(Object.keys(rest).filter((name) => /dependencies/i.test(name))).toEqual(["devDependencies"]);
  });

  test("holds the module, its declarations, its README and the licence, in at most 30 kB", async () => {
    const files = [...new Bun.Glob("**").scanSync({ cwd: installed })];
    for (const needed of ["dist/client.js", "dist/client.d.ts", "README.md", "LICENSE", "package.json"])
      expect(files).toContain(needed);
    expect(
      files.filter((path) => !/^(dist\/[\w-]+(\.js|\.d\.ts)|README\.md|LICENSE|package\.json)$/.test(path)),
    ).toEqual([]);
    const { size } = Bun.file(packed);
    console.log(`@petstore/client: ${size} bytes packed`);
    expect(size).toBeLessThanOrEqual(30_000);
    expect(await Bun.file(join(installed, "LICENSE")).text()).toBe(
      await Bun.file(`${PROJECT}LICENSE`).text(),
    );
  });

  test("is one module, without a word of the runtimes, and small", async () => {
    const bytes = await Bun.file(join(installed, "dist/client.js")).bytes();
    const text = new TextDecoder().decode(bytes);
    expect(text).not.toMatch(/\bimport\b|\brequire\b|\bprocess\.|\bBun\b|\bBuffer\b|rawJSON|randomUUID/);
    const size = gzipSync(bytes, { level: 9 }).byteLength;
    console.log(`@petstore/client: ${bytes.byteLength} bytes, ${size} with gzip -9`);
    expect(size).toBeLessThan(12_000);
  });

  test("is found by its name in this project's folder, where `npm ci` links it", async () => {
    const program = 'import { createClient } from "@petstore/client"; console.log(typeof createClient);';
    expect(await run(PROJECT, "node", "--input-type=module", "--eval", program)).toBe("function\n");
  });

  test("is not packed without a compiler, and the refusal says what to run", async () => {
    const folder = await copyProject(CLIENT_PARTS, RUNTIME);
    const refusal = await run(join(folder, "client"), "npm", "pack").catch(String);
    expect(refusal).toContain("The client's declarations need the TypeScript compiler. Run: npm ci");
    expect(readdirSync(join(folder, "client")).filter((name) => /dist|\.tgz$/.test(name))).toEqual([]);
  });
});

describe("npm's prepare", () => {
  /** Runs `prepare` in a copy with these parts and packages; returns the built files. */
  async function prepare(parts: readonly string[], packages: readonly string[]): Promise<string[]> {
    const folder = await copyProject(["package.json", "bin", "src", ...parts], packages);
    await run(folder, "npm", "run", "--silent", "prepare");
    const dist = join(folder, "client/dist");
    return existsSync(dist) ? [...new Bun.Glob("**").scanSync({ cwd: dist })].sort() : [];
  }

  test("builds the client and its declarations", async () => {
    const made = await prepare(
      ["client", "exact-json", "scripts", "tsconfig.json"],
      [...RUNTIME, ...COMPILER],
    );
    expect(made).toContain("client.js");
    expect(made).toContain("client.d.ts");
    expect(made.filter((path) => !/^[\w.-]+(\.js|\.d\.ts)$/.test(path))).toEqual([]);
  });

  test("builds the client alone where there is no compiler (npm ci --omit=dev)", async () => {
    expect(await prepare(["client", "exact-json", "scripts", "tsconfig.json"], RUNTIME)).toEqual([
      "client.js",
    ]);
  });

  test("leaves an install alone that has come without scripts/, as in the Dockerfile", async () => {
    expect(await prepare(["client/package.json"], [])).toEqual([]);
  });
});
