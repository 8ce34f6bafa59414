import { expect } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../package.json";
import { petstore, startProcess } from "./wire/process.ts";
import { send } from "./wire/send.ts";
import { makeKey } from "./wire/server.ts";
import { freshPostgresStore } from "./wire/stores.ts";

/**
 * Creates a folder with settings that would make Bun run code from the folder and use its proxy. `keys` are the API keys that have
 * reached the proxy.
 */
export function hostileFolder() {
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
  const everyImport = { compilerOptions: { paths: { "*": ["./preload.ts"] } } };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(everyImport));
  writeFileSync(join(folder, ".env"), `HTTP_PROXY=${proxy.url}\nPETSTORE_LOG=nonsense\n`);
  mkdirSync(join(folder, "node_modules/hono"), { recursive: true });
  writeFileSync(join(folder, "node_modules/hono/index.js"), 'require("../../preload.ts");');
  return {
    folder,
    proxy: proxy.url.href,
    keys,
    hasRun: () => existsSync(join(folder, "ran")),
    [Symbol.dispose]: () => void proxy.stop(true),
  };
}

/**
 * Runs the service with two workers, and some commands, in a hostile folder. They must not run the folder's code, and must not send
 * an API key to its proxy.
 *
 * @param texts more files for the folder, keyed by name
 */
export async function expectUnharmed(
  command: readonly string[],
  texts: Readonly<Record<string, string>> = {},
): Promise<void> {
  using hostile = hostileFolder();
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(hostile.folder, name), text);
  const { proxy } = hostile;
  const program = { command, cwd: hostile.folder };
  const store = await freshPostgresStore();
  const server = await startProcess({ store, program, env: { PETSTORE_PROCESSES: "2" } });
  const key = await makeKey(store);
  const env = { PETSTORE_KEY: key, PETSTORE_URL: server.production };
  expect((await petstore(store, ["--version"], { program })).out).toBe(`${version}\n`);
  for (const more of [{}, { HTTP_PROXY: proxy }, { HTTP_PROXY: proxy, no_proxy: "pets.example.com" }]) {
    const listed = await petstore(store, ["pets", "list", "--json"], { program, env: { ...env, ...more } });
    expect([listed, hostile.keys]).toEqual([{ code: 0, out: "[]\n", err: "" }, []]);
  }
  expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
  // The preload script in the hostile folder must not have changed the scripts that browsers load.
  expect((await send("GET", new URL("/docs/client.js", server.production).href)).body).toContain(
    "createClient",
  );
  expect(await server.stop()).toBe(0);
  expect(hostile.hasRun()).toBe(false);
}
