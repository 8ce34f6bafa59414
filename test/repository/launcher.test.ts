import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { freshPostgresStore, makeKey, outcomeOf, petstore, send, startServer } from "../wire/server.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

/** A copy of the launcher beside a Bun of our choosing. */
function projectWithBun(prepare: (nodeModules: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "petstore-launcher-"));
  cpSync(join(PROJECT, "bin"), join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  mkdirSync(join(folder, "node_modules"));
  prepare(join(folder, "node_modules"));
  return folder;
}

async function launch(folder: string, args: readonly string[] = []) {
  const child = Bun.spawn(["node", join(folder, "bin/petstore.js"), ...args], {
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

describe("bin/petstore.js, run by Node", () => {
  test("runs the program on the Bun that npm installed, and ends as it ends", async () => {
    expect(await launch(PROJECT, ["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect((await launch(PROJECT, ["nonsense"])).code).toBe(2);
  });

  test("says in one line what to do when npm ran with install scripts off", async () => {
    const folder = projectWithBun((nodeModules) => {
      mkdirSync(join(nodeModules, "bun/bin"), { recursive: true });
      writeFileSync(join(nodeModules, "bun/package.json"), '{"name":"bun"}');
      writeFileSync(join(nodeModules, "bun/bin/bun.exe"), "echo not Bun");
    });
    const { code, out, err } = await launch(folder, ["serve"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe(
      `petstore: Bun's program is missing, because npm ran with install scripts off. Run: node ${join(folder, "node_modules/bun/install.js")}\n`,
    );
  });

  test("says in one line what to do when nothing is installed", async () => {
    const { code, err } = await launch(projectWithBun(() => {}));
    expect([code, err]).toEqual([1, "petstore: Bun is not installed here. Run: npm ci\n"]);
  });

  test("is found through a link, as npx runs it", async () => {
    const link = join(mkdtempSync(join(tmpdir(), "petstore-link-")), "petstore");
    symlinkSync(join(PROJECT, "bin/petstore.js"), link);
    const child = Bun.spawn([link, "--version"], { stdout: "pipe" });
    expect(await new Response(child.stdout).text()).toBe(`${version}\n`);
  });
});

/** A folder that runs its own code in Bun, and names a proxy of its own; the keys that reached the proxy. */
function hostileFolder() {
  const folder = mkdtempSync(join(tmpdir(), "petstore-hostile-"));
  const keys: string[] = [];
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      keys.push(request.headers.get("Authorization") ?? "no key");
      return Response.json([], { headers: { "Content-Type": "application/json" } });
    },
  });
  writeFileSync(join(folder, "preload.ts"), `require("fs").writeFileSync("${join(folder, "ran")}", "");`);
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(folder, ".env"), `HTTP_PROXY=${proxy.url}\nPETSTORE_LOG=nonsense\n`);
  return {
    program: { command: ["node", join(PROJECT, "bin/petstore.js")], cwd: folder },
    proxy: proxy.url.href,
    keys,
    hasRun: () => existsSync(join(folder, "ran")),
    [Symbol.dispose]: () => void proxy.stop(true),
  };
}

describe("in a folder with a hostile .env, bunfig.toml and preload", () => {
  test("the service, its worker processes and the commands run none of it, and the key goes nowhere else", async () => {
    using hostile = hostileFolder();
    const { program, proxy } = hostile;
    const store = await freshPostgresStore();
    const server = await startServer({ store, program, env: { PETSTORE_PROCESSES: "2" } });
    const key = await makeKey(store);
    const env = { PETSTORE_KEY: key, PETSTORE_URL: server.production };
    expect((await petstore(store, ["--version"], { program })).out).toBe(`${version}\n`);
    for (const more of [{}, { HTTP_PROXY: proxy }, { HTTP_PROXY: proxy, no_proxy: "pets.example.com" }]) {
      const listed = await petstore(store, ["pets", "list", "--json"], { program, env: { ...env, ...more } });
      expect([listed, hostile.keys]).toEqual([{ code: 0, out: "[]\n", err: "" }, []]);
    }
    expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(hostile.hasRun()).toBe(false);
  });
});
