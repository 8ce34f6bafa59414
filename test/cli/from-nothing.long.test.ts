import { afterAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyWebhook } from "../../client/src/client.ts";
import { freePort } from "../postgres/server.ts";
import { blocksOf, PROJECT } from "../repository/documents.ts";
import { createDestination } from "../wire/deliveries.ts";
import { codeSamples } from "../wire/pages.ts";
import { followLog, petstore, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// From a fresh copy to the first webhook: README's first commands and what follows, and their duration, which is printed and not asserted.

/** Inputs of `npm ci` and the service. */
const COPIED = [
  ...["petstore", "bin", "client", "docs", "exact-json", "openapi", "scripts", "src"],
  ...["package.json", "package-lock.json", "bunfig.toml", "tsconfig.json", "README.md", "LICENSE"],
];

const folder = await mkdtemp(join(tmpdir(), "petstore-from-nothing-"));
const children: Bun.Subprocess[] = [];
afterAll(async () => {
  // A negative id signals the whole process group.
  for (const { pid } of children) {
    try {
      process.kill(-pid, "SIGTERM");
    } catch {
      // It has ended.
    }
  }
  await Promise.all(children.map(({ exited }) => exited));
  await rm(folder, { recursive: true });
});

const startedAt = performance.now();
const typed: string[] = [];
const env: Record<string, string | undefined> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PETSTORE_"))),
  HOME: folder,
  npm_config_cache: Bun.spawnSync(["npm", "config", "get", "cache"]).stdout.toString().trim(),
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  // Not the usual ports, which may be in use.
  ...Object.fromEntries(
    ["PRODUCTION", "STAGING", "MESSAGES", "METRICS"].map((name) => [
      `PETSTORE_${name}_PORT`,
      String(freePort()),
    ]),
  ),
};
// The commands' default is the usual ports.
env["PETSTORE_URL"] = `http://localhost:${env["PETSTORE_STAGING_PORT"]}/v1`;

/** Starts a command as typed, and leaves it running. */
function begin(command: string) {
  typed.push(command);
  const child = Bun.spawn(["bash", "-c", `{ ${command}\n} 2>&1`], {
    cwd: folder,
    env,
    stdin: "ignore",
    stdout: "pipe",
    detached: true,
  });
  children.push(child);
  return { log: followLog(child.stdout), exited: child.exited };
}

/** Runs a command as typed to its end; returns its output. */
async function run(command: string): Promise<string> {
  const { log, exited } = begin(command);
  const code = await exited;
  // Throws at the end of the output, which is then complete.
  await log.until(() => undefined).catch(() => {});
  expect([command, code, code === 0 || log.text()]).toEqual([command, 0, true]);
  return log.text();
}

function report(step: string): void {
  console.log(`${step}: ${typed.length} commands, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

async function copyTo(to: string): Promise<void> {
  for (const part of COPIED) await cp(join(PROJECT, part), join(to, part), { recursive: true });
}

/** An operation's sample in curl, from staging's reference. */
async function curlSample(operation: string): Promise<string> {
  const { curl = "" } = await codeSamples(`http://localhost:${env["PETSTORE_STAGING_PORT"]}`, operation);
  return curl;
}

test("npm ci && npm start, petstore demo, the first call, the first webhook", async () => {
  await copyTo(folder);
  const [start = "", demonstrate = ""] = await blocksOf("README.md", "sh");
  const service = begin(start.trim());
  await service.log.until((text) => /"address":"[^"]*\/metrics","msg":"listening"/.test(text) || undefined);
  // Neither a warning nor a line of code.
  expect(service.log.text()).not.toMatch(/npm warn|EBADENGINE|deprecated|=>/);
  report("the service is ready");

  const demo = await run(`${demonstrate.trim()}; echo $PETSTORE_KEY`);
  env["PATH"] = `${folder}:${process.env["PATH"]}`;
  env["PETSTORE_KEY"] = demo
    .trim()
    .split("\n")
    .find((line) => /^pet_test_\w+$/.test(line));
  expect(demo).toContain("Staging has a sample shop: ");
  report("the sample shop is open");

  expect(await run(`${await curlSample("listPets")} --silent --fail`)).toStartWith('[{"id":');
  report("first call");

  const destination = createDestination(204);
  const listening = begin(`petstore listen --forward-to ${destination.url} --after 0`);
  await run(`${await curlSample("createPet")} --silent --fail`);
  await Promise.race([destination.received(1), listening.exited]);
  const [{ headers, body } = {}] = destination.deliveries;
  const secret = /signed with (whsec_\S+)\./.exec(listening.log.text())?.[1] ?? "";
  expect(await verifyWebhook(headers ?? {}, body ?? "", secret)).toMatchObject({ type: "pet.created" });
  await destination.stop();
  report("first webhook");

  expect(typed).toHaveLength(5);
}, 600_000);

test("npm ci --ignore-scripts, petstore serve, the first call", async () => {
  const own = join(folder, "without-scripts");
  await mkdir(own);
  await copyTo(own);
  const installed = Bun.spawnSync(["npm", "ci", "--ignore-scripts"], { cwd: own, env });
  expect([installed.exitCode, installed.stderr.toString()]).toEqual([0, ""]);
  const program = { command: [join(own, "petstore")], cwd: own };
  const server = await startProcess({ store: await freshEmbeddedStore(), program });
  const makeKey = ["keys", "create", "--environment", "production"];
  const { out } = await petstore(server.store, makeKey, { program });
  expect((await send("GET", `${server.production}/pets`, { key: out.trim() })).status).toBe(200);
  expect(await server.stop()).toBe(0);
}, 600_000);
