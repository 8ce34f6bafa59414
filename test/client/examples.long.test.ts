import { beforeAll, expect, test } from "bun:test";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient, PetstoreError } from "../../client/src/client.ts";
import { freePort } from "../postgres/server.ts";
import { blocksOf } from "../repository/documents.ts";
import { until } from "../until.ts";
import { followLog, outcomeOf } from "../wire/process.ts";
import { useStore } from "../wire/server.ts";
import { answer, startFlawedServer } from "./flawed-server.ts";
import { installClient, linkPackages, PROJECT, run } from "./installed.ts";

// Runs the programs in examples/, unchanged, with Node and a real service.

const EXAMPLES = join(PROJECT, "examples");
const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith(".mjs"));

const server = useStore({ env: { PETSTORE_WEBHOOKS_PRIVATE: "allow" } });
let client: Client;
let project: string;
let env: Record<string, string>;
beforeAll(async () => {
  client = createClient({ key: server.key, baseUrl: server.production });
  env = { PATH: process.env["PATH"] ?? "", PETSTORE_KEY: server.key, PETSTORE_URL: server.production };
  ({ project } = await installClient());
  await cp(EXAMPLES, project, { recursive: true });
});

/** Starts an example program. `lines` contains the lines that it has printed so far. */
function start(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn(["node", ...args], {
    cwd: project,
    env: { ...env, ...more },
    stdout: "pipe",
    stderr: "inherit",
  });
  const log = followLog(child.stdout);
  return {
    printed: (count: number) =>
      log.until((text) => {
        const lines = text.split("\n").slice(0, -1);
        return lines.length >= count ? lines : undefined;
      }),
    async stop(): Promise<number> {
      child.kill("SIGTERM");
      await log.ended;
      return child.exited;
    },
  };
}

function runToEnd(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn(["node", ...args], {
    cwd: project,
    env: { ...env, ...more },
    stdin: null,
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

test("each is in the README, has at most 40 lines, and passes the compiler's checks", async () => {
  const readme = await Bun.file(join(EXAMPLES, "README.md")).text();
  for (const name of await readdir(EXAMPLES))
    if (name !== "README.md") expect(readme).toContain(`| \`${name}\` |`);
  for (const name of names) {
    expect((await Bun.file(join(EXAMPLES, name)).text()).split("\n").length).toBeLessThanOrEqual(41);
  }
  await linkPackages(join(project, "node_modules"), (name) => ["@types", "undici-types"].includes(name));
  const compilerOptions = {
    ...{ strict: true, allowJs: true, checkJs: true, noEmit: true, skipLibCheck: true },
    ...{ target: "ES2022", lib: ["ES2022"], module: "NodeNext", types: ["node"] },
  };
  await Bun.write(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mjs"] }));
  const compiler = join(PROJECT, "node_modules/typescript/bin/tsc");
  await run(project, process.execPath, compiler, "--pretty", "false");
});

test("list.mjs prints the available animals and the newest ones", async () => {
  for (const name of ["Bella", "Tofu", "Hoot", "Ada"])
    await client.pets.create({ name, categoryId: 1, status: name === "Tofu" ? "sold" : "available" });
  expect(await runToEnd(["list.mjs"])).toEqual({
    code: 0,
    out: "4 Ada\n3 Hoot\n1 Bella\nNewest: Ada, Hoot, Tofu\n",
    err: "",
  });
});

test("add-safely.mjs adds an animal once, even if the first response is lost and it runs twice; a refusal names each member", async () => {
  let changes = 0;
  let agent: string | undefined;
  const lossy = await startFlawedServer(async ({ method, target, headers, body }) => {
    agent = headers["user-agent"];
    const { "content-length": _, host: __, connection: ___, ...passed } = headers;
    const reply = await fetch(new URL(target, server.production), { method, headers: passed, body });
    const text = await reply.text();
    const type = reply.headers.get("Content-Type") ?? "";
    return ++changes === 1 ? "hang up" : answer(reply.status, text, { "Content-Type": type });
  });
  const args = ["add-safely.mjs", "invoice-1", "Fluffy", "9007199254740993"];
  const first = await runToEnd(args, { PETSTORE_URL: `${lossy.origin}/v1` });
  lossy.stop();
  const second = await runToEnd(args);
  expect([first.code, second.code, changes]).toEqual([0, 0, 2]);
  expect(agent).toMatch(/^petstore-client\/\d+\.\d+\.\d+ node\/\d+\.\d+\.\d+$/);
  expect(first.err).toMatch(/^POST \S+ could not be reached: .* Again in \d+ ms\.\n$/);
  expect(first.out).toMatch(/^Animal \d+: Fluffy, category 9007199254740993\n$/);
  expect(second.out).toBe(first.out);
  const refused = await runToEnd(["add-safely.mjs", "invoice-2", "Fluffy", String(2n ** 63n)]);
  expect([refused.code, refused.err]).toEqual([1, "#/categoryId must be a 64-bit integer\n"]);
});

test("follow.mjs prints each change once, even when it is restarted", async () => {
  const { id } = await client.pets.create({ name: "Followed", categoryId: 7 });
  const first = start(["follow.mjs", "position.txt"]);
  await until(async () => (await first.printed(1)).some((line) => line.startsWith(`pet.created ${id} by `)));
  const before = await first.printed(1);
  expect(await first.stop()).toBe(0);
  await client.pets.update(id, { name: "Still followed" });
  const second = start(["follow.mjs", "position.txt"]);
  const [line] = await second.printed(1);
  expect(line).toStartWith(`pet.updated ${id} by `);
  expect(before).not.toContain(line);
  expect(await second.stop()).toBe(0);
});

test("receive-webhook.mjs prints the service's deliveries, and refuses any that the service has not signed", async () => {
  const port = freePort();
  const url = `http://localhost:${port}/`;
  const { id, secret } = await client.webhooks.create({ url, types: ["pet.created"] });
  const receiver = start(["receive-webhook.mjs", String(port)], { WEBHOOK_SECRET: secret });
  try {
    expect(await receiver.printed(1)).toEqual([`Listening on ${url}`]);
    await client.pets.create({ name: "Delivered", categoryId: 8 });
    const [event] = await client.events.list().toArray({ limit: 1 });
    expect((await receiver.printed(2))[1]).toBe(`evt_${event?.id} pet.created`);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
    await client.webhooks.delete(id);
  } finally {
    await receiver.stop();
  }
});

test("without-get-pet.mjs prints one animal and sells it, or says what prevents that", async () => {
  const { id } = await client.pets.create({ name: "Ada", categoryId: 9, status: "available" });
  const sold = { code: 0, out: "Ada is available.\nAda is sold.\n", err: "" };
  expect(await runToEnd(["without-get-pet.mjs", String(id)])).toEqual(sold);
  await client.pets.update(id, { status: "available" });
  const order = await client.orders.place({ petId: id });
  const ordered = await runToEnd(["without-get-pet.mjs", String(id)]);
  expect([ordered.code, ordered.out]).toEqual([1, "Ada is pending.\n"]);
  const refusal: unknown = await client.pets.update(id, { status: "sold" }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PetstoreError);
  expect(ordered.err).toBe(`${refusal instanceof PetstoreError && refusal.message}\n`);
  await client.orders.cancel(order.id);
  const missing = await runToEnd(["without-get-pet.mjs", "1125899906842624"]);
  expect(missing).toEqual({ code: 1, out: "", err: "There is no such animal.\n" });
});

test("import.mjs adds each line once, even when it runs again, and names the refused lines", async () => {
  const lines = Array.from({ length: 50 }, (_, index) => `Fish ${index}\t9007199254740993`);
  await Bun.write(
    join(project, "fish.tsv"),
    [...lines, "Shark\tmany", "Fish 0\t9007199254740993"].join("\n"),
  );
  for (let time = 0; time < 2; time++) {
    const { code, out, err } = await runToEnd(["import.mjs", "fish.tsv"]);
    expect([code, out, err]).toEqual([
      1,
      "Added 51 of 52 animals.\n",
      "Line 51: Cannot convert many to a BigInt\n",
    ]);
  }
  const fish = await client.pets
    .list({ categoryId: 9007199254740993n, name: "Fish" })
    .toArray({ limit: 100 });
  expect(fish).toHaveLength(51);
});

test("the README's commands run one in this folder", async () => {
  const [commands = ""] = await blocksOf("examples/README.md", "sh");
  const { PETSTORE_KEY: _, ...rest } = env;
  const PATH = `${PROJECT}:${process.env["PATH"]}`;
  const variables = { ...process.env, ...rest, ...server.store.settings, PATH };
  const options = { cwd: PROJECT, stdin: null, stdout: "pipe", stderr: "pipe" } as const;
  const { code, out } = await outcomeOf(
    Bun.spawn(["bash", "-e", "-c", commands], { ...options, env: variables }),
  );
  expect([code, out]).toEqual([0, expect.stringContaining("Newest: ")]);
});

test("every example is run here", async () => {
  const source = await Bun.file(import.meta.path).text();
  expect(names.filter((name) => !source.includes(`["${name}"`))).toEqual([]);
});
