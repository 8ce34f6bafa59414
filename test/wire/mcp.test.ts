import { describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import { refusal, startFlawedServer } from "../client/flawed-server.ts";
import { outcomeOf, petstore } from "./process.ts";
import { useUser } from "./remote.ts";
import { send } from "./send.ts";
import { makeKey, useStore } from "./server.ts";

// Tests `petstore mcp`, which gives an agent tools: the lines that the agent sends on standard input, and the lines that come back.

const server = useStore();
const user = useUser(server);

interface Session {
  /** Sends a JSON-RPC request to `petstore mcp`. Resolves to the line that answers it. */
  ask(method: string, params?: object): Promise<string>;
  /** Calls a tool of `petstore mcp`. Resolves to the line that answers the call. */
  call(name: string, args: object): Promise<string>;
  /** Closes standard input. Resolves to the exit code and the remaining output. */
  end(): Promise<{ code: number; rest: string; err: string }>;
}

const CLIENT = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "agent", version: "1.0.0" },
};

async function openSession(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const child = user.begin(["mcp", ...args], { ...user.env, ...env });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let id = 0;
  async function readLine(): Promise<string> {
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`It ended: ${await new Response(child.stderr).text()}`);
      text += decoder.decode(value, { stream: true });
    }
    const [line = "", ...rest] = text.split("\n");
    text = rest.join("\n");
    return line;
  }
  const write = (message: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    child.stdin.flush();
  };
  const ask = (method: string, params: object = {}) => {
    write({ id: ++id, method, params });
    return readLine();
  };
  const session: Session = {
    ask,
    call: (name, given) => ask("tools/call", { name, arguments: given }),
    async end() {
      child.stdin.end();
      const [code, err] = await Promise.all([child.exited, new Response(child.stderr).text()]);
      for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read())
        text += decoder.decode(value);
      return { code, rest: text, err };
    },
  };
  const initialized = JSON.parse(await session.ask("initialize", CLIENT)).result;
  write({ method: "notifications/initialized" });
  return { ...session, initialized };
}

/** Returns the line with which `petstore mcp` answers a tool call. */
function answer(id: number, content: object, isError = false): string {
  const text = JSON.stringify(content);
  const refused = isError ? { isError } : {};
  const result = { content: [{ type: "text", text }], structuredContent: content, ...refused };
  return JSON.stringify({ result, jsonrpc: "2.0", id });
}

const requestId = "R";
const withoutRequestId = (line: string) => line.replaceAll(/(requestId\\?":\\?")[\w-]+/g, `$1${requestId}`);

/** Returns the JSON-RPC error for a call of a tool that does not exist. */
const unknownTool = (id: number, name: string) =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32602, message: `Tool ${name} not found` } });

describe("petstore mcp --write", () => {
  test("answers each call byte for byte as expected, and keeps every digit", async () => {
    const session = await openSession(["--write"]);
    expect(session.initialized).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: "petstore", version },
      instructions: expect.stringContaining(`The environment is production, at ${server.production}.`),
    });
    const read = (path: string) => send("GET", server.production + path, { key: user.key });
    const etagOf = async (path: string) => (await read(path)).headers.get("etag");
    let id = 1;
    const lineOf = async (name: string, args: object) => withoutRequestId(await session.call(name, args));
    const replay = async (name: string, args: object, expected: object) =>
      expect(await lineOf(name, args)).toBe(answer(++id, { ...expected, requestId }));
    const refuses = async (name: string, args: object, expected: object) =>
      expect(await lineOf(name, args)).toBe(answer(++id, { ...expected, requestId }, true));

    await replay("listPets", {}, { status: 200, data: [] });
    const newPet = { name: "Fluffy", categoryId: "9007199254740993", status: "available" };
    const pet = { id: "1", ...newPet };
    const added = await lineOf("createPet", newPet);
    const etag = await etagOf("/pets/1");
    expect(added).toBe(answer(++id, { status: 201, data: pet, etag, requestId }));
    expect((await read("/pets/1")).body).toBe(
      '{"id":1,"name":"Fluffy","categoryId":9007199254740993,"status":"available"}',
    );
    await replay("listPets", { id: ["1"] }, { status: 200, data: [pet], etag });
    await replay("listPets", { categoryId: "9007199254740993" }, { status: 200, data: [pet] });
    await replay("listPets", { categoryId: "9007199254740992" }, { status: 200, data: [] });

    const wrong = { name: "Rex", categoryId: "1e3", status: "lost" };
    const reasons = "categoryId must be a 64-bit integer; status must be one of available, pending, sold.";
    await refuses("createPet", wrong, { status: 400, code: "invalid_body", message: reasons });
    const limit = "limit must be an integer from 1 to 100.";
    await refuses("listPets", { limit: 101 }, { status: 400, code: "invalid_parameter", message: limit });
    await refuses(
      "getPet",
      { petId: 2 },
      { status: 404, code: "not_found", message: "There is no animal 2." },
    );
    const late = { petId: 1, status: "sold", ifMatch: '"another"' };
    const message =
      "The resource has changed since the version in If-Match. Read it again, then repeat the change.";
    await refuses("updatePet", late, { status: 412, code: "precondition_failed", message });
    const sold = { ...pet, status: "sold" };
    const changed = await lineOf("updatePet", { petId: "1", status: "sold", ifMatch: etag });
    expect(changed).toBe(answer(++id, { status: 200, data: sold, etag: await etagOf("/pets/1"), requestId }));
    await replay("deletePet", { petId: "1" }, { status: 204 });
    const gone = { status: 404, code: "not_found", message: "There is no animal 1." };
    await refuses("deletePet", { petId: "1" }, gone);

    // The tool itself refuses arguments that it cannot put into a request.
    const local = async (name: string, args: object, message: string) =>
      expect(await session.call(name, args)).toBe(answer(++id, { code: "invalid_parameter", message }, true));
    await local(
      "createPet",
      { name: "Rex", categoryId: 9007199254740992 },
      "categoryId is a number above 9007199254740991, which may have been rounded. Give the number as a string of digits.",
    );
    await local(
      "createPet",
      { name: "Rex", categoryID: "1" },
      '"categoryID" is not an argument of createPet, which takes name, categoryId, status, externalId.',
    );
    await local(
      "listPets",
      { name: { a: 1 } },
      "An argument is null or an object. Use a string, a number, a boolean, or a list of these.",
    );
    await local("deletePet", { petId: ".." }, "petId must be a 64-bit integer.");
    expect(await session.call("createWebhook", { url: "https://evil.example" })).toBe(
      unknownTool(++id, "createWebhook"),
    );

    expect(await session.end()).toEqual({
      code: 0,
      rest: "",
      err: expect.stringMatching(/^Serving \d+ tools for production at \S+\.\n$/),
    });
  });

  test("lists its tools in 15 kB, follows next from page to page, and passes on the store's request ids", async () => {
    const session = await openSession(["--write"]);
    expect(Buffer.byteLength(await session.ask("tools/list"))).toBeLessThanOrEqual(15_000);
    let made = "";
    for (const name of ["Ada", "Bo", "Cleo"])
      made = contentOf(await session.call("createPet", { name, categoryId: 7 })).requestId;
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const args = { limit: 2, categoryId: 7, ...(cursor !== undefined && { cursor }) };
      const { data, next } = contentOf(await session.call("listPets", args));
      names.push(...data.map(({ name }: { name: string }) => name));
      cursor = next;
    } while (cursor !== undefined);
    expect(names).toEqual(["Cleo", "Bo", "Ada"]);
    // Agents send null for optional arguments that they do not use.
    const unused = { name: null, status: null, id: null, cursor: null };
    expect(contentOf(await session.call("listPets", { ...unused, categoryId: 7 })).data).toHaveLength(3);
    const events = contentOf(await session.call("listEvents", { type: ["pet.created"], limit: 1 })).data;
    expect(events).toMatchObject([
      { id: expect.any(String), requestId: made, data: { name: "Cleo", categoryId: "7" } },
    ]);
    const bare = contentOf(
      await session.call("createPet", { name: "Eve", categoryId: 9, status: null }),
    ).data;
    expect(bare.status).toBeUndefined();
    const sold = { petId: bare.id, status: "sold", ifMatch: null, name: null };
    expect(contentOf(await session.call("updatePet", sold)).data).toMatchObject({
      name: "Eve",
      status: "sold",
    });
    // For `updatePet`, null means that the member is removed from the animal.
    const removed = contentOf(await session.call("updatePet", { petId: bare.id, status: null })).data;
    expect(removed.status).toBeUndefined();
    const pet = { name: "Dot", categoryId: 7, status: "available" };
    const { id: petId } = contentOf(await session.call("createPet", pet)).data;
    await session.call("placeOrder", { petId: Number(petId), quantity: 1 });
    const orders = await session.call("listOrders", { petId: Number(petId), complete: false });
    expect(contentOf(orders).data).toMatchObject([{ petId, quantity: "1" }]);
    await session.end();
  });

  test("answers in one line, even if a name has line separators at which readers split", async () => {
    const session = await openSession(["--write"]);
    const name = "a\u2028b\u2029c\nd";
    const line = await session.call("createPet", { name, categoryId: "8" });
    expect(line).not.toMatch(/[\u2028\u2029]/);
    expect(contentOf(line).data.name).toBe(name);
    await session.end();
  });

  test("submits messages to the message service", async () => {
    const session = await openSession(["--write", "--tools", "messages"]);
    const { data } = contentOf(await session.call("submitMessage", { message: "Hello" }));
    expect(data).toMatchObject({ message: "Hello", status: "queued" });
    expect(contentOf(await session.call("getMessage", { id: data.id })).data).toMatchObject({ id: data.id });
    await session.end();
  });

  test("sends each change under its own idempotency key, and a retry under the same key", async () => {
    const flawed = await startFlawedServer((_, count) =>
      count === 1 ? "hang up" : refusal(403, "forbidden"),
    );
    const session = await openSession(["--write"], { PETSTORE_URL: `${flawed.origin}/v1` });
    await session.call("createPet", { name: "Fluffy", categoryId: "1" });
    await session.call("createPet", { name: "Fluffy", categoryId: "1" });
    const [first, retry, second] = flawed.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(/^".{16,}"$/);
    expect(retry).toBe(first ?? "");
    expect(second).not.toBe(first ?? "");
    await session.end();
    flawed.stop();
  });

  test("says that the outcome is unknown when the store is unavailable", async () => {
    const flawed = await startFlawedServer(() => "hang up");
    const session = await openSession(["--write"], { PETSTORE_URL: `${flawed.origin}/v1` });
    const line = await session.call("createPet", { name: "Fluffy", categoryId: "1" });
    expect(JSON.parse(line).result.isError).toBe(true);
    expect(contentOf(line)).toEqual({
      message: expect.stringContaining(
        "The change may have been made. Check the store before you repeat the call.",
      ),
      outcomeUnknown: true,
    });
    expect(line).not.toContain(user.key);
    await session.end();
    flawed.stop();
  });
});

describe("petstore mcp", () => {
  test("has only tools that read", async () => {
    const session = await openSession();
    const { tools } = JSON.parse(await session.ask("tools/list")).result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      ...[
        "listPets",
        "getPet",
        "listCategories",
        "getCategory",
        "listOrders",
        "getOrder",
        "getInventory",
        "listEvents",
      ],
    ]);
    for (const { annotations } of tools) expect(annotations.readOnlyHint).toBe(true);
    expect(await session.call("createPet", { name: "Rex", categoryId: "1" })).toBe(
      unknownTool(3, "createPet"),
    );
    expect(session.initialized.instructions).toContain("a person must start petstore mcp with --write");
    await session.end();
  });

  test("has the tools of the named sets, and refuses an unknown set", async () => {
    const session = await openSession(["--write", "--tools", "webhooks, key"]);
    const { tools } = JSON.parse(await session.ask("tools/list")).result;
    const names = tools.map(({ name }: { name: string }) => name);
    expect(names).toHaveLength(11);
    expect(names).toEqual(expect.arrayContaining(["createWebhook", "rotateWebhookSecret", "getKey"]));
    await session.end();
    const withoutMessages = { ...user.env, PETSTORE_MESSAGES_URL: "" };
    const known = "pets, categories, orders, events, webhooks, messages, key, rehearsal";
    for (const [set, err] of [
      ["pets,webhook", expect.stringContaining(`Choose from ${known}.`)],
      ["rehearsal", expect.stringContaining("add: --environment staging")],
      ["messages", expect.stringContaining("Set --messages-url or PETSTORE_MESSAGES_URL.")],
    ]) {
      const child = user.begin(["mcp", "--tools", set], withoutMessages);
      child.stdin.end();
      expect(await outcomeOf(child)).toMatchObject({ code: 2, out: "", err });
    }
  });

  test("has staging's own tools only for a key of staging", async () => {
    const key = await makeKey(server.store, { environment: "staging" });
    const env = { PETSTORE_KEY: key, PETSTORE_URL: server.staging };
    const session = await openSession(["--environment", "staging", "--write", "--tools", "rehearsal"], env);
    expect(session.initialized.instructions).toContain("nothing here reaches production");
    const clock = contentOf(await session.call("getTestClock", {}));
    expect(clock).toMatchObject({ status: 200, data: { moved: false } });
    const { tools } = JSON.parse(await session.ask("tools/list")).result;
    const { annotations } = tools.find(({ name }: { name: string }) => name === "setTestClock");
    expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
    await session.end();
  });

  test("ends with advice if there is no key, and answers nothing", async () => {
    expect(await user.run(["mcp", "--environment", "staging"])).toEqual({
      code: 1,
      out: "",
      err: "petstore: PETSTORE_KEY is a key for production, not for staging. Unset the variable: unset PETSTORE_KEY\n",
    });
  });

  test("writes only the protocol to standard output, and ends at the end of its input", async () => {
    const { code, out, err } = await user.run(["mcp"], "hello\n{}\n");
    expect([code, out]).toEqual([0, ""]);
    expect(err).toMatch(
      /^Serving \d+ tools for production at \S+\.\npetstore: A line on standard input was ignored, because it is not a JSON-RPC 2\.0 message\.\n$/,
    );
  });
});

test("with a till's key from the command line, the tools sell; a refusal of another change names the access that it needs", async () => {
  const created = await petstore(server.store, [
    ...["keys", "create", "--environment", "production", "--access", "sell", "--name", "till"],
  ]);
  const env = { PETSTORE_KEY: created.out.trim(), PETSTORE_URL: server.production };
  const whoami = await outcomeOf(user.begin(["whoami", "--json"], { ...user.env, ...env }));
  expect(JSON.parse(whoami.out)).toMatchObject({ name: "till", access: "sell" });
  const petId = await server.pet();
  const session = await openSession(["--write"], env);
  const sold = JSON.parse(await session.call("placeOrder", { petId })).result;
  expect(sold.structuredContent).toMatchObject({ status: 201, data: { petId: String(petId) } });
  const refused = JSON.parse(await session.call("createPet", { name: "Eve", categoryId: 1 })).result;
  expect([refused.isError, JSON.stringify(refused.structuredContent)]).toEqual([
    true,
    expect.stringContaining(
      "This API key can only read and sell, but this operation needs a read-write key.",
    ),
  ]);
  await session.end();
});

function contentOf(line: string) {
  return JSON.parse(line).result.structuredContent;
}
