import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { until } from "../until.ts";
import { expectPages } from "../wire/pages.ts";
import { type Program, petstore, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { freshEmbeddedStore, freshPostgresStore } from "../wire/stores.ts";
import {
  CLIENT_PARTS,
  COMPILER,
  copyProject,
  installClient,
  installServer,
  PROJECT,
  packServer,
  RUNTIME,
  run,
} from "./installed.ts";

// Tests which files of the server and the client `npm pack` packs, and which files npm's `prepare` and `prepack` scripts build.

const PACKED_FILES = [
  /^bin\/(bun|bundle|petstore|runtime)\.js$/,
  /^dist\/package\/([a-z-]+\.js(\.jsc)?|LICENSES\.txt|bundles\/[\w.-]+|migrations\/\w+\/\w+\/[\w-]+\.sql)$/,
  /^(petstore|petstore\.cmd|bunfig\.toml|tsconfig\.json|package\.json|README\.md|LICENSE)$/,
];

describe("the server's package", () => {
  let packed: string;
  beforeAll(async () => {
    packed = await packServer();
  });

  describe.each([
    ["with install scripts", []],
    ["without install scripts", ["--ignore-scripts"]],
  ])("installed in an empty folder %s", (_, options) => {
    let project: string;
    let installed: string;
    let program: Program;
    beforeAll(async () => {
      project = await installServer(packed, ...options);
      installed = join(project, "node_modules/petstore");
      program = { command: [join(project, "node_modules/.bin/petstore")], cwd: project };
    });

    test("contains the program, its pages and its migrations, but no sources, no tests, and no path of this machine", async () => {
      const files = [...new Bun.Glob("**").scanSync({ cwd: installed })];
      for (const needed of [
        "dist/package/petstore.js.jsc",
        "dist/package/bundles/console.js",
        ...[...new Bun.Glob("migrations/**/*.sql").scanSync(`${PROJECT}src/storage`)].map(
          (path) => `dist/package/${path}`,
        ),
      ])
        expect(files).toContain(needed);
      expect(files.filter((path) => !PACKED_FILES.some((known) => known.test(path)))).toEqual([]);
      for (const name of files.filter((path) => /^dist\/package\/[^/]+\.js(\.jsc)?$/.test(path))) {
        const bytes = await Bun.file(join(installed, name)).bytes();
        expect([name, Buffer.from(bytes.buffer).indexOf(PROJECT)]).toEqual([name, -1]);
      }
    });

    test("answers the first call, and serves the pages with their scripts", async () => {
      const store = await freshEmbeddedStore();
      const server = await startProcess({ store, program });
      const { out } = await petstore(store, ["keys", "create", "--environment", "production"], { program });
      const animal = await send("POST", `${server.production}/pets`, {
        key: out.trim(),
        body: '{"name":"Fluffy","categoryId":1}',
      });
      expect([animal.status, animal.body]).toEqual([201, '{"id":1,"name":"Fluffy","categoryId":1}']);
      await expectPages(new URL(server.production).origin);
      expect(await server.stop()).toBe(0);
    });

    test("runs several processes on PostgreSQL, each of them the bundle", async () => {
      const store = await freshPostgresStore();
      const server = await startProcess({ store, program, env: { PETSTORE_PROCESSES: "2" } });
      const { out } = await petstore(store, ["keys", "create", "--environment", "production"], { program });
      expect((await send("GET", `${server.production}/pets`, { key: out.trim() })).status).toBe(200);
      // The metrics of a process that is slow to send them are omitted.
      await until(async () => (await send("GET", server.metrics)).body.includes("petstore_processes 2"));
      expect(await server.stop()).toBe(0);
    });
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

  test("contains the module, its declarations, its README and the licence, in at most 32 kB", async () => {
    const files = [...new Bun.Glob("**").scanSync({ cwd: installed })];
    for (const needed of ["dist/client.js", "dist/client.d.ts", "README.md", "LICENSE", "package.json"])
      expect(files).toContain(needed);
    expect(
      files.filter((path) => !/^(dist\/[\w-]+(\.js|\.d\.ts)|README\.md|LICENSE|package\.json)$/.test(path)),
    ).toEqual([]);
    const { size } = Bun.file(packed);
    console.log(`@petstore/client: ${size} bytes packed`);
    expect(size).toBeLessThanOrEqual(32_000);
    expect(await Bun.file(join(installed, "LICENSE")).text()).toBe(
      await Bun.file(`${PROJECT}LICENSE`).text(),
    );
  });

  test("is one small module that uses nothing of a particular runtime", async () => {
    const bytes = await Bun.file(join(installed, "dist/client.js")).bytes();
    const text = new TextDecoder().decode(bytes);
    expect(text).not.toMatch(/\bimport\b|\brequire\b|\bprocess\.|\bBun\b|\bBuffer\b|rawJSON|randomUUID/);
    const size = gzipSync(bytes, { level: 9 }).byteLength;
    console.log(`@petstore/client: ${bytes.byteLength} bytes, ${size} with gzip -9`);
    expect(size).toBeLessThan(14_000);
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
  /** Runs `prepare` in a copy that has only these parts and packages, and returns the files that were built. */
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

  test("builds the client without declarations if there is no compiler (npm ci --omit=dev)", async () => {
    expect(await prepare(["client", "exact-json", "scripts", "tsconfig.json"], RUNTIME)).toEqual([
      "client.js",
    ]);
  });

  test("builds nothing if the other scripts are missing, as in the Dockerfile's first layer", async () => {
    expect(await prepare(["client/package.json", "scripts/prepare.js"], [])).toEqual([]);
  });
});
