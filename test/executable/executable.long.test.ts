import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { buildExecutable } from "../../scripts/build/executable.ts";
import { hostTarget } from "../../scripts/build/targets.ts";
import { expectClean, openBrowser, openPage } from "../browser/browser.ts";
import { operation } from "../browser/reference-page.ts";
import { expectUnharmed } from "../hostile-folder.ts";
import { until } from "../until.ts";
import { PASSWORD } from "../wire/browser-session.ts";
import { serveOnTerminal } from "../wire/on-terminal.ts";
import { expectPages } from "../wire/pages.ts";
import { type Program, petstore, type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { freshPostgresStore, type Store } from "../wire/stores.ts";

// Tests the single-file executable as on a machine that has nothing else: no source code, no node_modules, no settings, and an
// empty folder.

const BIG = "9007199254740993";
const FLUFFY = `{"id":1,"name":"Fluffy","categoryId":${BIG}}`;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "petstore-executable-")));
const executable = join(folder, "petstore");

beforeAll(async () => {
  const target = hostTarget();
  if (target === undefined) throw new Error("No executable is built for this kind of machine.");
  await buildExecutable(target, executable);
});

afterAll(() => rmSync(folder, { recursive: true }));

function inEmptyFolder(): Program {
  return { command: [executable], cwd: mkdtempSync(join(folder, "empty-")) };
}

function storeOf({ cwd }: Program): Store {
  return { dataDir: join(cwd, "data"), settings: {} };
}

async function makeKey(program: Program, store: Store, environment: string): Promise<string> {
  const { code, out, err } = await petstore(store, ["keys", "create", "--environment", environment], {
    program,
  });
  expect([code, err]).toEqual([0, expect.stringContaining(`read-write key for ${environment}`)]);
  return out.trim();
}

async function addFluffy(base: string, key: string): Promise<void> {
  const created = await send("POST", `${base}/pets`, { key, body: `{"name":"Fluffy","categoryId":${BIG}}` });
  expect(created).toMatchObject({ status: 201, body: FLUFFY });
}

describe("the executable, in an otherwise empty folder", () => {
  const program = inEmptyFolder();
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startProcess({ store: storeOf(program), program });
  });
  afterAll(async () => void (await server?.stop()));

  test("prints its version, and leaves nothing behind", async () => {
    const elsewhere = inEmptyFolder();
    const { code, out, err } = await petstore(storeOf(elsewhere), ["--version"], { program: elsewhere });
    expect([code, out, err]).toEqual([0, `${version}\n`, ""]);
    expect(readdirSync(elsewhere.cwd)).toEqual([]);
  });

  test("serves both environments, each with its own key and data", async () => {
    for (const environment of ["production", "staging"] as const) {
      const key = await makeKey(program, server.store, environment);
      await addFluffy(server[environment], key);
      const list = await send("GET", `${server[environment]}/pets`, { key });
      expect(list).toMatchObject({ status: 200, body: `[${FLUFFY}]` });
    }
    expect(readdirSync(program.cwd)).toEqual(["data"]);
  });

  test("serves the console and the reference, which work in a browser", async () => {
    const browser = await openBrowser();
    const { origin } = new URL(server.production);
    const watched = await openPage(browser);
    const { page } = watched;
    await page.goto(origin);
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("password1");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("is too easy to guess").first().waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

    await page.goto(`${origin}/docs`);
    await operation(page, "listPets").getByRole("button", { name: "Send" }).waitFor();
    expectClean(watched);
    await browser.close();
  });

  test("serves the pages, the typed client and the guides, and the files that they link to", async () => {
    const { origin } = new URL(server.production);
    await expectPages(origin);
    const unit = await send("GET", `${origin}/docs/files/petstore.service`);
    expect([unit.status, unit.body]).toEqual([200, await Bun.file("deploy/petstore.service").text()]);
  });

  test("prints on a terminal how to run itself, in lines that work when they are pasted", async () => {
    const own = inEmptyFolder();
    const service = await serveOnTerminal(storeOf(own), { program: own });
    await service.stop();
    const [, path, command] =
      /export PATH=(\S+):\$PATH\s+export PETSTORE_KEY=\$\((.*?) keys create/.exec(service.screen()) ?? [];
    expect([path, command]).toEqual([folder, "petstore"]);
  });

  test("backs up, restores and examines a store", async () => {
    const run = (...args: string[]) => petstore(server.store, args, { program });
    expect(await run("backup", "saved")).toMatchObject({ code: 0 });
    expect(await run("restore", "saved", "--data-dir", "restored")).toMatchObject({ code: 0 });
    const { code, out } = await run("doctor", "--json", "--data-dir", "restored");
    const results = JSON.parse(out);
    expect(results).toContainEqual({
      check: "program",
      state: "ok",
      message: "petstore runs as one executable file that contains everything",
    });
    const bad = results.filter(({ state }: { state: string }) => state !== "ok");
    expect([code, bad]).toEqual([0, []]);
  });

  test("logs a fault with the files and lines of the source", async () => {
    const key = await makeKey(program, server.store, "staging");
    const staging = new Database(join(server.store.dataDir, "staging.sqlite"));
    staging.run("PRAGMA busy_timeout = 5000");
    staging.run("ALTER TABLE pet RENAME TO lost");
    expect((await send("GET", `${server.staging}/pets`, { key })).status).toBe(500);
    await server.logged("src/storage/sqlite/connection.ts:");
  });
});

test("each of several processes on PostgreSQL runs the executable", async () => {
  const program = inEmptyFolder();
  const store = await freshPostgresStore();
  const server = await startProcess({ store, program, env: { PETSTORE_PROCESSES: "2" } });
  const workers = await Bun.$`ps -o args= -p $(pgrep -d, -P ${server.pid})`.text();
  expect(workers.match(new RegExp(`^${executable} serve `, "gm"))).toHaveLength(2);
  const key = await makeKey(program, store, "production");
  await addFluffy(server.production, key);
  // The metrics of a process that is slow to send them are omitted.
  await until(async () => (await send("GET", server.metrics)).body.includes("petstore_processes 2"));
  expect(await server.stop()).toBe(0);
});

test("hostile settings, preloads and packages in the current folder do nothing, and the key goes nowhere else", () =>
  expectUnharmed([executable], { "package.json": "{ not JSON", "tsconfig.json": "{ not JSON" }));

test("two builds have the same bytes, which do not name the folder of the build", async () => {
  const again = join(folder, "again");
  await buildExecutable(hostTarget() ?? expect.unreachable(), again);
  const [first, second] = await Promise.all([Bun.file(executable).bytes(), Bun.file(again).bytes()]);
  expect(Bun.SHA256.hash(second, "hex")).toBe(Bun.SHA256.hash(first, "hex"));
  const project = Bun.fileURLToPath(new URL("../../", import.meta.url));
  expect(Buffer.from(first.buffer).indexOf(project)).toBe(-1);
});
