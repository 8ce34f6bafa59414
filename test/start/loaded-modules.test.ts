import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { dependencies } from "../../package.json" with { type: "json" };
import { createToken } from "../../src/keys/token.ts";
import { systemRandomBytes } from "../../src/platform/random.ts";
import { petstore, startProcess } from "../wire/process.ts";
import { freshEmbeddedStore, type Store } from "../wire/stores.ts";

// Checks which modules petstore loads when it starts, because each of them delays the first response.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
/** The tests run the source code, because the bundle is a single module. */
const program = { command: [process.execPath, `${PROJECT}src/main.ts`], cwd: PROJECT };
const PRELOAD = join(import.meta.dir, "loaded-modules.ts");

/** Resolves to the paths of all modules of the project that `run` loads. */
async function loadedBy(run: (store: Store, env: Record<string, string>) => Promise<unknown>) {
  const store = await freshEmbeddedStore();
  const file = join(store.dataDir, "modules");
  await run(store, { BUN_OPTIONS: `--preload=${PRELOAD}`, PETSTORE_TEST_MODULES: file });
  const paths = readFileSync(file, "utf8").split("\n");
  return paths.filter((path) => path.startsWith(PROJECT)).map((path) => relative(PROJECT, path));
}

const commandsIn = (modules: readonly string[]) =>
  modules.filter((path) =>
    /^src\/(server|pet-files|cli\/(operator|remote|doctor|completion|pet-files|mcp))\//.test(path),
  );

/** The modules that the command `petstore audit` loads. */
const AUDIT = [
  "src/cli/operator/accounts-database.ts",
  "src/cli/operator/audit.ts",
  "src/cli/operator/settings.ts",
  "src/cli/remote/argument-parsers.ts",
  "src/pet-files/write-csv.ts",
];

test("--version loads no command", async () => {
  const modules = await loadedBy((store, env) => petstore(store, ["--version"], { env, program }));
  expect(modules).toContain("src/main.ts");
  expect(commandsIn(modules)).toEqual([]);
});

test("a command loads no other command, and no server", async () => {
  const modules = await loadedBy((store, env) => petstore(store, ["audit"], { env, program }));
  expect(commandsIn(modules).sort()).toEqual(AUDIT);
});

test("a completion loads the command that is named, and no other", async () => {
  const completion = ["src/cli/completion/candidates.ts", "src/cli/completion/complete.ts"];
  const words = ["__complete", "--", "audit", "-"];
  const modules = await loadedBy((store, env) => petstore(store, words, { env, program }));
  expect(commandsIn(modules).sort()).toEqual([...completion, ...AUDIT]);
});

test("the Model Context Protocol is loaded only by petstore mcp, not by the help that lists it", async () => {
  const isProtocol = (path: string) => path.startsWith("node_modules/@modelcontextprotocol/");
  const help = await loadedBy((store, env) => petstore(store, ["--help"], { env, program }));
  expect(help).toContain("src/cli/mcp/mcp.ts");
  expect(help.filter(isProtocol)).toEqual([]);
  const key = createToken("production", systemRandomBytes);
  const mcp = await loadedBy((store, env) =>
    petstore(store, ["mcp"], { env: { ...env, PETSTORE_KEY: key }, program }),
  );
  expect(mcp.filter(isProtocol)).not.toEqual([]);
});

test("a service that starts loads no other command, and no package that the first response does not need", async () => {
  const modules = await loadedBy(async (store, env) => (await startProcess({ store, env, program })).stop());
  const commands = commandsIn(modules).filter((path) => path.startsWith("src/cli/"));
  expect(commands.sort()).toEqual([
    "src/cli/operator/announce.ts",
    "src/cli/operator/first-owner.ts",
    "src/cli/operator/serve.ts",
    "src/cli/operator/settings.ts",
  ]);
  const packages = modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const ours = Object.keys(dependencies).filter((name) => packages.includes(name));
  expect(ours.sort()).toEqual(["commander", "hono", "prom-client", "zod"]);
});
