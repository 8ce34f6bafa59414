import { beforeAll, describe, expect, test } from "bun:test";
import { PROGRAM, petstore } from "../wire/process.ts";
import { useStore } from "../wire/server.ts";

// A command must not report success if nobody could read the secret that it printed: because standard output is on a full disk, or
// because the program that reads it has ended.

const server = useStore();
const run = (args: readonly string[], program = PROGRAM) =>
  petstore(server.store, args, {
    program,
    env: {
      PETSTORE_KEY: server.key,
      PETSTORE_URL: server.production,
      PETSTORE_MESSAGES_URL: server.messages,
    },
  });
const toFullDisk = { ...PROGRAM, command: ["sh", "-c", '"$@" > /dev/full', "sh", ...PROGRAM.command] };
const UNWRITTEN = "petstore: The result could not be written to standard output. ";

async function unread(...args: readonly string[]): Promise<string> {
  const { code, err } = await run(args, toFullDisk);
  expect(code).toBe(1);
  expect(err).toStartWith(UNWRITTEN);
  expect(err).toEndWith("\n");
  return err.slice(UNWRITTEN.length, -1);
}

describe.skipIf(process.platform !== "linux")("a secret that could not be written", () => {
  let keyId: string;
  let webhookId: number;
  beforeAll(async () => {
    keyId = JSON.parse((await run(["keys", "create", "--environment", "staging", "--json"])).out).id;
    const address = "https://hooks.example.com/petstore";
    webhookId = JSON.parse((await run(["webhooks", "add", address, "--json"])).out).id;
    await run(["accounts", "invite", "ada@example.com"]);
  });

  test("of a new key names the key, which the command that it names revokes", async () => {
    const said = await unread("keys", "create", "--environment", "staging");
    const [, id = ""] = /^The key (key_\w+) was created, but could not be printed\. /.exec(said) ?? [];
    expect(said).toEndWith(`Revoke it: petstore keys revoke ${id}. Create another key: petstore keys create`);
    expect((await run(["keys", "revoke", id, "--yes"])).code).toBe(0);
  });

  test("of a key that replaces another says in every format that the old key ends", async () => {
    expect(await unread("keys", "rotate", keyId, "-o", "csv")).toEndWith(
      `The new key could not be printed. Create another key: petstore keys create. The old key ${keyId} works only until the hours given with --overlap are over.`,
    );
  });

  test("of a webhook names the command that gets another", async () => {
    const said = await unread("webhooks", "add", "https://hooks.example.com/more");
    const [, id = ""] = /^The secret of webhook (\d+) could not be printed\. /.exec(said) ?? [];
    expect(said).toEndWith(`Create a new one: petstore webhooks rotate-secret ${id}`);
    expect(await unread("webhooks", "rotate-secret", String(webhookId), "-o", "jsonl")).toBe(
      `The secret of webhook ${webhookId} could not be printed. Create a new one: petstore webhooks rotate-secret ${webhookId}`,
    );
  });

  test("of a link says that the next link replaces it", async () => {
    expect(await unread("accounts", "invite", "ben@example.com")).toBe(
      "The link could not be printed. Run the command again to get another link. The link that was not printed then becomes invalid.",
    );
  });
});
