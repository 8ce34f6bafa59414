import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { freshEmbeddedStore } from "../wire/server.ts";
import { installPacked, run } from "./installed.ts";

// What `npm pack` packs, and what npm's `prepare` makes of an install.

setDefaultTimeout(60_000);

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

let project: string;
let installed: string;
beforeAll(async () => {
  project = await installPacked();
  installed = join(project, "node_modules/petstore");
});

describe("the package", () => {
  test("holds what runs: the program, its pages and the client; no tests, and nothing of how it is made", async () => {
    const files = [...new Bun.Glob("**").scanSync({ cwd: installed })];
    for (const needed of [
      "bin/petstore.js",
      "src/main.ts",
      "src/console/web/main.tsx",
      "src/storage/migrations/sqlite/store/0001-pets-categories-orders.sql",
      "openapi/petstore.json",
      "dist/client/client.js",
      "dist/client/client.d.ts",
      "client/README.md",
      "LICENSE",
    ])
      expect(files).toContain(needed);
    expect(files.filter((path) => /\.test\.ts$|^(test|scripts|bench|decisions)\//.test(path))).toEqual([]);
  });

  test("runs from where npm puts it: it makes a key, and bundles the console's page", async () => {
    const { dataDir } = await freshEmbeddedStore();
    const program = join(installed, "bin/petstore.js");
    const key = await run(
      project,
      ...["node", program, "keys", "create", "--environment", "staging", "--data-dir", dataDir],
    );
    expect(key).toStartWith("pet_test_");
    const assets = join(installed, "src/console/assets.ts");
    const script = `import { consoleAssets } from ${JSON.stringify(assets)};
      console.log((await consoleAssets()).script.name);`;
    expect(await run(project, process.execPath, "-e", script)).toMatch(/^console-.{10}\.js$/m);
  });

  test("has a client that is one file, without a word of the runtimes, and small", async () => {
    const bytes = await Bun.file(join(installed, "dist/client/client.js")).bytes();
    const text = new TextDecoder().decode(bytes);
    expect(text).not.toMatch(/\bimport\b|\brequire\b|\bprocess\.|\bBun\b|\bBuffer\b|rawJSON|randomUUID/);
    const size = gzipSync(bytes, { level: 9 }).byteLength;
    console.log(`petstore/client: ${bytes.byteLength} bytes, ${size} with gzip -9`);
    expect(size).toBeLessThan(10_000);
  });
});

describe("npm's prepare", () => {
  /** Runs it in a project that has these parts of ours, and these packages. */
  async function prepare(parts: readonly string[], packages: readonly string[]): Promise<string[]> {
    const folder = mkdtempSync(join(tmpdir(), "petstore prepare "));
    for (const part of ["package.json", "bin", "src", ...parts]) {
      cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
    }
    mkdirSync(join(folder, "node_modules"));
    for (const name of packages)
      symlinkSync(join(PROJECT, "node_modules", name), join(folder, "node_modules", name));
    await run(folder, "npm", "run", "--silent", "prepare");
    return [...new Bun.Glob("dist/**").scanSync({ cwd: folder })].sort();
  }

  test("builds the client and its declarations", async () => {
    const made = await prepare(
      ["scripts", "tsconfig.json", "client/tsconfig.json"],
      ["bun", "@oven", "typescript", "@typescript"],
    );
    expect(made).toContain("dist/client/client.js");
    expect(made).toContain("dist/client/client.d.ts");
    expect(made.filter((path) => !/^dist\/client\/[\w.-]+(\.js|\.d\.ts)$/.test(path))).toEqual([]);
  });

  test("builds the client alone where there is no compiler (npm ci --omit=dev)", async () => {
    expect(await prepare(["scripts", "tsconfig.json"], ["bun", "@oven"])).toEqual(["dist/client/client.js"]);
  });

  test("leaves an install alone that has come without scripts/, as in compose.yaml", async () => {
    expect(await prepare([], [])).toEqual([]);
  });
});
