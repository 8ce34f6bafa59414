import { describe, expect, test } from "bun:test";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RUNTIME_SETTINGS } from "../../bin/runtime.js";
import bunPackage from "../../node_modules/bun/package.json" with { type: "json" };
import { version } from "../../package.json";
import { expectUnharmed, hostileFolder } from "../hostile-folder.ts";
import { until } from "../until.ts";
import { outcomeOf, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

/** Copies the launcher (bin/) to a new project. `prepare` then fills the node_modules of that project. */
function projectWithBun(prepare: (nodeModules: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "petstore-launcher-"));
  cpSync(join(PROJECT, "bin"), join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  mkdirSync(join(folder, "node_modules"));
  prepare(join(folder, "node_modules"));
  return folder;
}

/** Installs the package `bun` as npm does if install scripts are disabled: `bun.exe` is then only a text file. */
function installStub(nodeModules: string): void {
  mkdirSync(join(nodeModules, "bun/bin"), { recursive: true });
  writeFileSync(join(nodeModules, "bun/package.json"), '{"name":"bun"}');
  writeFileSync(join(nodeModules, "bun/bin/bun.exe"), "echo not Bun");
}

async function launch(folder: string, args: readonly string[] = []) {
  const child = Bun.spawn(["node", join(folder, "bin/petstore.js"), ...args], {
    // Removes the variables that the launcher itself has set when it started the tests.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in RUNTIME_SETTINGS))),
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

describe("./petstore, run by Node", () => {
  test("runs the program on the Bun that npm installed, and ends as it ends", async () => {
    expect(await launch(PROJECT, ["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect((await launch(PROJECT, ["nonsense"])).code).toBe(2);
  });

  test("without install scripts runs Bun from the platform's package with its settings, and without sources the packed bundle", async () => {
    const folder = projectWithBun((nodeModules) => {
      installStub(nodeModules);
      for (const name of readdirSync(join(PROJECT, "node_modules/@oven"))) {
        const bin = join(nodeModules, "@oven", name, "bin");
        mkdirSync(bin, { recursive: true });
        symlinkSync(process.execPath, join(bin, "bun"));
      }
    });
    for (const file of ["bunfig.toml", "tsconfig.json"]) cpSync(join(PROJECT, file), join(folder, file));
    mkdirSync(join(folder, "dist/package"), { recursive: true });
    const names = Object.keys(RUNTIME_SETTINGS).map((name) => `process.env.${name}`);
    const program = `console.log(process.argv.slice(2).join(), ${names.join()});`;
    writeFileSync(join(folder, "dist/package/petstore.js"), program);
    const out = `one,two ${Object.values(RUNTIME_SETTINGS).join(" ")}\n`;
    expect(await launch(folder, ["one", "two"])).toEqual({ code: 0, out, err: "" });
  });

  test("says in one line what to do when Bun's program is missing", async () => {
    const folder = projectWithBun(installStub);
    const { code, out, err } = await launch(folder, ["serve"]);
    expect([code, out]).toEqual([1, ""]);
    const [, name = ""] = /neither (@oven\/\S+) nor/.exec(err) ?? [];
    expect(Object.keys(bunPackage.optionalDependencies)).toContain(name);
    expect(err).toBe(
      `petstore: Bun's program is missing: neither ${name} nor bun's install script has brought it. Run: node ${join(folder, "node_modules/bun/install.js")}\n`,
    );
  });

  test("when killed with SIGKILL, it also stops its service, which first answers its running requests", async () => {
    const program = { command: ["node", join(PROJECT, "bin/petstore.js")], cwd: PROJECT };
    const server = await startProcess({ store: await freshEmbeddedStore(), program });
    const key = await makeKey(server.store, { environment: "staging" });
    const address = `${server.staging}/pets`;
    const body = '{"name":"Fluffy","categoryId":1}';
    const answer = send("POST", address, { key, body, headers: { "Petstore-Simulate": "delay=1000" } });
    await until(async () => (await send("GET", address, { key })).body !== "[]");
    // `kill` resolves once the service has closed its end of the log.
    await server.kill();
    expect((await answer).status).toBe(201);
    expect(server.log()).toContain('"msg":"stopped"');
  });

  test("imports only files of bin/, so that it starts quickly", () => {
    const files = new Bun.Glob("*.js").scanSync({ cwd: join(PROJECT, "bin") });
    const sources = [join(PROJECT, "petstore"), ...[...files].map((name) => join(PROJECT, "bin", name))];
    const imported = sources.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/\b(?:from|import) ?\(?"([^"]+)"/g)].map(
        ([, from = ""]) => from,
      ),
    );
    expect(imported.length).toBeGreaterThan(8);
    expect(imported.filter((from) => !/^(node:[\w/]+|\.\/(bin\/)?\w+\.js)$/.test(from))).toEqual([]);
  });

  test("says in one line what to do when nothing is installed", async () => {
    const { code, err } = await launch(projectWithBun(() => {}));
    expect([code, err]).toEqual([1, "petstore: Bun is not installed here. Run: npm ci\n"]);
  });

  test.each(["petstore", "bin/petstore.js"])("%s runs through a link, with its arguments", async (file) => {
    const link = join(mkdtempSync(join(tmpdir(), "petstore-link-")), "petstore");
    symlinkSync(join(PROJECT, file), link);
    const run = (...args: readonly string[]) =>
      outcomeOf(Bun.spawn([link, ...args], { stdout: "pipe", stderr: "pipe" }));
    expect(await run("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect((await run("keys", "list", "--data-dir", "/no such folder")).err).toContain("/no such folder");
  });
});

describe("in a folder with a hostile .env, bunfig.toml, tsconfig.json and preload", () => {
  test("Bun by itself runs the preload, and sends a key through the proxy", async () => {
    using hostile = hostileFolder();
    const fetching = `await fetch("http://localhost:1/", { headers: { Authorization: "a key" } })`;
    const child = Bun.spawn([process.execPath, "-e", fetching], { cwd: hostile.folder, env: {} });
    expect([await child.exited, hostile.hasRun(), hostile.keys]).toEqual([0, true, ["a key"]]);
  });

  test("the service, its worker processes and the commands run none of it, and send the key nowhere else", () =>
    expectUnharmed(["node", join(PROJECT, "bin/petstore.js")]));
});
