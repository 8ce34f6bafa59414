import { afterAll, expect, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyWebhook } from "../../client/src/client.ts";
import { freePort } from "../postgres/server.ts";
import { blocksOf, PROJECT } from "../repository/documents.ts";
import { createDestination } from "../wire/deliveries.ts";
import { codeSamples } from "../wire/pages.ts";
import { followLog } from "../wire/process.ts";

// Goes from a fresh copy of the project to the first webhook, with the first commands of the README and those that come after them.

/** The files of the project that `npm ci` and the service need. */
const COPIED = [
  ...["petstore", "bin", "client", "docs", "exact-json", "openapi", "scripts", "src"],
  ...["package.json", "package-lock.json", "bunfig.toml", "tsconfig.json", "README.md", "LICENSE"],
];

const folder = await mkdtemp(join(tmpdir(), "petstore-from-nothing-"));
const children: Bun.Subprocess[] = [];
afterAll(async () => {
  // With a negative process id, the signal goes to the whole process group.
  for (const { pid } of children) {
    try {
      process.kill(-pid, "SIGTERM");
    } catch {
      // The process group has already ended.
    }
  }
  await Promise.all(children.map(({ exited }) => exited));
  await rm(folder, { recursive: true });
});

const typed: string[] = [];
const env: Record<string, string | undefined> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PETSTORE_"))),
  HOME: folder,
  npm_config_cache: Bun.spawnSync(["npm", "config", "get", "cache"]).stdout.toString().trim(),
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  // The default ports may already be in use, so the services get other ports.
  ...Object.fromEntries(
    ["PRODUCTION", "STAGING", "MESSAGES", "METRICS"].map((name) => [
      `PETSTORE_${name}_PORT`,
      String(freePort()),
    ]),
  ),
};
// Tells the commands which port to use in place of the default.
env["PETSTORE_URL"] = `http://localhost:${env["PETSTORE_STAGING_PORT"]}/v1`;

/** Starts a command as a reader would type it, and leaves it running. */
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

/** Runs a command as a reader would type it, and waits until it ends. Returns its output. */
async function run(command: string): Promise<string> {
  const { log, exited } = begin(command);
  const code = await exited;
  // Waits for the end of the output, where `until` throws an error that can be ignored.
  await log.until(() => undefined).catch(() => {});
  expect([command, code, code === 0 || log.text()]).toEqual([command, 0, true]);
  return log.text();
}

/** Returns the curl command for an operation, as the API reference of staging shows it. */
async function curlSample(operation: string): Promise<string> {
  const { curl = "" } = await codeSamples(`http://localhost:${env["PETSTORE_STAGING_PORT"]}`, operation);
  return curl;
}

test("the README's commands work in order, from npm ci to the first webhook", async () => {
  for (const part of COPIED) await cp(join(PROJECT, part), join(folder, part), { recursive: true });
  const [start = "", demonstrate = ""] = await blocksOf("README.md", "sh");
  const service = begin(start.trim());
  await service.log.until((text) => /"address":"[^"]*\/metrics","msg":"listening"/.test(text) || undefined);
  // The output must contain no warnings and no source code.
  expect(service.log.text()).not.toMatch(/npm warn|EBADENGINE|deprecated|=>/);

  const demo = await run(`${demonstrate.trim()}; echo $PETSTORE_KEY`);
  env["PATH"] = `${folder}:${process.env["PATH"]}`;
  env["PETSTORE_KEY"] = demo
    .trim()
    .split("\n")
    .find((line) => /^pet_test_\w+$/.test(line));
  expect(demo).toContain("Staging has a sample shop: ");

  expect(await run(`${await curlSample("listPets")} --silent --fail`)).toStartWith('[{"id":');

  const destination = createDestination(204);
  const listening = begin(`petstore listen --forward-to ${destination.url} --after 0 --type pet.created`);
  await run(`${await curlSample("createPet")} --silent --fail`);
  await Promise.race([destination.received(1), listening.exited]);
  const [{ headers, body } = {}] = destination.deliveries;
  const secret = await listening.log.until((text) => /signed with (whsec_\S+)\./.exec(text)?.[1]);
  expect(await verifyWebhook(headers ?? {}, body ?? "", secret)).toMatchObject({ type: "pet.created" });
  await destination.stop();

  expect(typed).toHaveLength(5);
});
