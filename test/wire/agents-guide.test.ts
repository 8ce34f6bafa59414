import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf } from "../repository/documents.ts";
import { outcomeOf, PROGRAM } from "./process.ts";
import { makeKey, useStore } from "./server.ts";

// Runs the login commands of docs/guides/agents.md, and checks that each of its configuration blocks starts a server with tools for
// agents.

const GUIDE = "docs/guides/agents.md";
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "agent", version: "1" },
  },
};

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const server = useStore();
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "petstore-agent-"));
  const program = `#!/bin/sh\nexec ${PROGRAM.command.map((word) => `'${word}'`).join(" ")} "$@"\n`;
  await writeFile(join(home, "petstore"), program, { mode: 0o755 });
});
afterAll(async () => {
  await rm(home, { recursive: true });
});

test("the login commands store a key, and each block starts a server that lists its tools", async () => {
  const env = { PATH: `${home}:${process.env["PATH"]}`, HOME: home, ...server.store.settings };
  const [lines = ""] = await blocksOf(GUIDE, "sh");
  const atStaging = { ...env, PETSTORE_URL: server.staging };
  const login = Bun.spawn(["sh", "-c", lines], { env: atStaging, stdout: "pipe", stderr: "pipe" });
  expect(await outcomeOf(login)).toMatchObject({ code: 0, err: expect.stringContaining("Logged in") });

  const key = await makeKey(server.store);
  const blocks = await blocksOf(GUIDE, "json");
  expect(blocks).toHaveLength(3);
  for (const block of blocks) {
    const here = block
      .replace("/usr/local/bin", home)
      .replace("pet_live_…", key)
      .replace("https://pets.example.com/v1", server.production);
    const [entries] = Object.values<Record<string, Entry>>(JSON.parse(here));
    const { command, args, env: own } = entries?.["petstore"] ?? { command: "", args: [] };
    const names = await toolsOf([command, ...args], own === undefined ? atStaging : { ...env, ...own });
    expect(names).toContain("listPets");
    expect([block, names.includes("createPet")]).toEqual([block, args.includes("--write")]);
  }
});

async function toolsOf(command: readonly string[], env: Record<string, string>): Promise<readonly string[]> {
  const child = Bun.spawn([...command], { env, stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
  for (const message of [INITIALIZE, { jsonrpc: "2.0", method: "notifications/initialized" }, list])
    child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdin.flush();
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of child.stdout) {
    text += decoder.decode(bytes, { stream: true });
    if (text.split("\n").length > 2) break;
  }
  child.stdin.end();
  await child.exited;
  const [, listed = ""] = text.split("\n");
  return JSON.parse(listed).result.tools.map(({ name }: { name: string }) => name);
}
